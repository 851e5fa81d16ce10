import assert from "node:assert/strict";
import test from "node:test";

import { isOurs, receiptOf } from "./answers.js";
import { DRAWS, Outbox, REPORT, reportOf } from "./outbox.js";
import { Store } from "./store.js";

const HERE = "our-id";

/** A server that answers as it is told: an outcome, headers, or nothing. */
class Server {
  /** @type {string[]} what came, `GET` or the key */
  came = [];
  says = () => "recorded";
  status = 200;
  atOnce = 0;
  most = 0;

  /** @type {string[]} what the phone said of itself with each question */
  reports = [];
  /** @type {(string | null)[]} for how long each entry says that it waited */
  waits = [];

  fetch = async (path, { method = "GET", body, headers: { [REPORT]: report, [DRAWS]: draws } } = {}) => {
    this.reports.push(report);
    assert.equal(draws, "1"); // it needs no screen
    if (body) this.waits.push(body.get("waited"));
    this.most = Math.max(this.most, ++this.atOnce);
    await null;
    this.atOnce -= 1;
    const key = body?.get("entry_key") ?? method;
    this.came.push(`${path} ${key}`);
    const said = this.says(key, body);
    if (said === null) throw new TypeError("no network");
    const headers = typeof said === "string" ? { Charlemagne: HERE, "Charlemagne-Entry": `${key} ${said}` } : said;
    return new Response("", { headers, status: this.status });
  };
}

/** A phone; another page of it keeps things in the same place. */
function phone(options = {}) {
  const server = new Server();
  const store = new Store(null);
  const open = (more) => new Outbox({
    store, installation: HERE, fetch: server.fetch, token: () => "token", ...options, ...more,
  });
  return { server, store, open, outbox: open() };
}

const hand = (table, key, more = {}) => ({ table, path: table, number: table, values: { entry_key: key, ...more } });
const keys = (entries) => entries.map(({ values }) => values.entry_key);
const states = async (outbox) => (await outbox.entries()).map(({ state }) => state);

/** @param {Outbox} outbox */
async function keep(outbox, ...entries) {
  for (const entry of entries) await outbox.add(entry);
}

test("an answer is ours only with the mark of this installation", () => {
  assert.ok(isOurs(new Headers({ Charlemagne: HERE }), HERE));
  for (const headers of [{}, { Charlemagne: "another" }, { Charlemagne: "" }]) {
    assert.ok(!isOurs(new Headers(headers), HERE));
  }
  assert.ok(!isOurs(new Headers(), ""));
});

test("an answer counts for a hand only if it names its key and says what became of it", () => {
  const receipt = (headers) => receiptOf(new Headers({ Charlemagne: HERE, ...headers }), HERE, "k-1");
  assert.deepEqual(receipt({ "Charlemagne-Entry": "k-1 recorded" }), { outcome: "recorded", reason: "" });
  assert.deepEqual(
    receipt({ "Charlemagne-Entry": "K-1 refused", "Charlemagne-Reason": "Cette soir%C3%A9e" }),
    { outcome: "refused", reason: "Cette soirée" },
  );
  for (const said of ["k-2 recorded", "k-1 lost", "k-1", "", "recorded"]) {
    assert.equal(receipt({ "Charlemagne-Entry": said }), null);
  }
  assert.equal(receipt({}), null);
  assert.equal(receipt({ Charlemagne: "another", "Charlemagne-Entry": "k-1 recorded" }), null);
});

test("hands of all tables wait beside each other, in the order of marking, also for another page", async () => {
  const { outbox, open } = phone();
  await keep(outbox, hand("/t/1", "a"), hand("/t/2", "b"), hand("/t/1", "c"));
  assert.deepEqual(keys(await open().waiting()), ["a", "b", "c"]);
  assert.deepEqual(keys(await open().waiting("/t/1")), ["a", "c"]);
});

test("a key that waits, or was accepted, is not written over", async () => {
  const { outbox } = phone();
  await keep(outbox, hand("/t/1", "a", { said: "A-6-7" }), hand("/t/1", "a", { said: "B-8-8" }));
  assert.deepEqual((await outbox.waiting()).map(({ values }) => values.said), ["A-6-7"]);
  await outbox.flush();
  await keep(outbox, hand("/t/1", "a", { said: "B-8-8" }));
  assert.deepEqual(await states(outbox), ["accepted"]);
});

test("each table's entries are sent in order, one at a time, and stay in the log as accepted", async () => {
  const { outbox, server } = phone();
  await keep(outbox, hand("/t/1", "a"), hand("/t/2", "b"), hand("/t/1", "c"));
  const answered = await Promise.all([outbox.flush(), outbox.flush()]);
  assert.deepEqual(server.came, ["/t/1 a", "/t/2 b", "/t/1 c"]);
  assert.equal(server.most, 1);
  assert.deepEqual(await outbox.waiting(), []);
  assert.deepEqual(await states(outbox), ["accepted", "accepted", "accepted"]);
  assert.deepEqual(answered, [true, true]);
});

test("an entry without an answer of ours keeps those after it at its table, and no others", async () => {
  const foreign = [null, {}, { Charlemagne: "another" }, { Charlemagne: HERE }];
  for (const answer of [...foreign, { Charlemagne: HERE, "Charlemagne-Entry": "b recorded" }]) {
    const { outbox, server } = phone();
    await keep(outbox, hand("/t/1", "a"), hand("/t/1", "b"), hand("/t/2", "c"));
    server.says = (key) => (key === "a" ? answer : "recorded");
    assert.equal(await outbox.flush(), false);
    assert.deepEqual(server.came.filter((each) => !each.endsWith("GET")), ["/t/1 a", "/t/2 c"]);
    assert.deepEqual(keys(await outbox.waiting()), ["a", "b"]);
    assert.deepEqual(await states(outbox), ["sending", "kept", "accepted"]);
    server.says = () => "recorded";
    assert.equal(await outbox.flush(), true);
    assert.deepEqual(await outbox.waiting(), []);
  }
});

test("our own answer that says nothing of the entry brings another token for the next try", async () => {
  const { outbox, server } = phone();
  await keep(outbox, hand("/t/1", "a"));
  server.says = () => ({ Charlemagne: HERE });
  await outbox.flush();
  assert.deepEqual(server.came, ["/t/1 a", "/t/1 GET"]);
});

test("a server that cannot record is no network that is away, and is asked for no other token", async () => {
  const { outbox, server } = phone();
  await keep(outbox, hand("/t/1", "a"));
  server.says = () => ({ Charlemagne: HERE });
  server.status = 503;
  assert.equal(await outbox.flush(), false);
  assert.equal(outbox.isHindered, true);
  assert.deepEqual(server.came, ["/t/1 a"]);
  for (const answer of [null, {}, { Charlemagne: "another" }]) {
    server.says = () => answer;
    await outbox.flush();
    assert.equal(outbox.isHindered, false);
  }
});

/** @param {Outbox} outbox */
const refusedIn = async (outbox) => (await outbox.entries()).filter(({ state }) => state === "refused");

test("one that was refused holds nothing up, and its reason stands until it is dropped", async () => {
  const { outbox, server, open } = phone();
  await keep(outbox, hand("/t/1", "a"), hand("/t/1", "b"));
  const refused = { Charlemagne: HERE, "Charlemagne-Entry": "a refused", "Charlemagne-Reason": "No%20table" };
  server.says = (key) => (key === "a" ? refused : "recorded");
  await outbox.flush();
  assert.deepEqual(await open().waiting(), []);
  assert.deepEqual((await refusedIn(open())).map(({ reason }) => reason), ["No table"]);
  await outbox.flush();
  assert.deepEqual(server.came, ["/t/1 a", "/t/1 b"]);
  await open().drop((await refusedIn(open()))[0]);
  assert.deepEqual(await refusedIn(outbox), []);
  assert.deepEqual(await states(outbox), ["superseded", "accepted"]);
});

test("one that is asked about goes again from its own page only, and with the answer", async () => {
  const { outbox, server, open } = phone();
  await keep(outbox, hand("/t/1", "a"), hand("/t/1", "b"));
  server.says = (key, body) => (key !== "a" || body.get("confirmed") ? "recorded" : "asked");
  await outbox.flush();
  await outbox.flush();
  assert.deepEqual(server.came, ["/t/1 a"]);
  assert.deepEqual(await states(outbox), ["asked", "kept"]);
  const page = open({ page: "/t/1" });
  await page.flush();
  assert.deepEqual(server.came, ["/t/1 a", "/t/1 a"]);
  await page.add(hand("/t/1", "a", { confirmed: "1" }));
  await page.flush();
  assert.deepEqual(await page.waiting(), []);
  assert.deepEqual(server.came.slice(2), ["/t/1 a", "/t/1 b"]);
});

test("entries of another installation at the same address wait for it", async () => {
  const { outbox, open, server } = phone();
  await keep(outbox, hand("/t/1", "a"));
  const another = open({ installation: "another" });
  assert.deepEqual(await another.waiting(), []);
  await another.flush();
  assert.deepEqual(server.came, []);
  assert.deepEqual(keys(await outbox.waiting()), ["a"]);
});

test("where the device keeps nothing, it says so as long as something waits", async () => {
  const { outbox } = phone();
  assert.ok(!(await outbox.isForgetful(await outbox.waiting())));
  await keep(outbox, hand("/t/1", "a"), hand("/t/2", "b"));
  assert.ok(await outbox.isForgetful(await outbox.waiting()));
  assert.deepEqual(keys(await outbox.waiting()), ["a", "b"]);
  await outbox.flush();
  assert.ok(!(await outbox.isForgetful(await outbox.waiting())));
});

test("a browser without a token is given one first, and sends the one of the moment", async () => {
  let token = "";
  const { outbox, server } = phone({ token: () => token });
  await keep(outbox, hand("/t/1", "a", { csrfmiddlewaretoken: "old" }));
  const sent = [];
  server.says = (key, body) => {
    if (key === "GET") token = "new";
    else sent.push(body.get("csrfmiddlewaretoken"));
    return "recorded";
  };
  await outbox.flush();
  assert.deepEqual(server.came, ["/t/1 GET", "/t/1 a"]);
  assert.deepEqual(sent, ["new"]);
});

test("one that was dropped while it was on its way does not come back, unless the server has it", async () => {
  for (const [said, state] of [["refused", "superseded"], ["recorded", "accepted"]]) {
    const { outbox, server } = phone();
    await keep(outbox, hand("/t/1", "a"));
    const drop = async () => outbox.drop((await outbox.waiting())[0]);
    const { fetch } = server;
    outbox.fetch = async (...question) => {
      await drop();
      return fetch(...question);
    };
    server.says = () => said;
    await outbox.flush();
    assert.deepEqual(await states(outbox), [state]);
  }
});

test("what was done with long ago is forgotten, and nothing that waits", async () => {
  const { outbox, server } = phone();
  await keep(outbox, ...Array.from({ length: 405 }, (_, place) => hand("/t/1", `a-${place}`)));
  await outbox.flush();
  server.says = () => null;
  await keep(outbox, hand("/t/1", "last"));
  await outbox.tidy();
  const left = await outbox.entries();
  assert.equal(left.length, 401);
  assert.deepEqual([left[0].values.entry_key, left[400].state], ["a-5", "kept"]);
});

test("with each entry it is said how long it waited, by the device's own clock", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const { outbox, server } = phone();
  await keep(outbox, hand("/t/1", "k-1"));
  t.mock.timers.tick(125_999);
  await keep(outbox, hand("/t/1", "k-2"));
  await outbox.flush();
  assert.deepEqual(server.waits, ["125", "0"]);
});

test("a clock that is set back makes nothing wait less than not at all", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 90_000_000 });
  const { outbox, server } = phone();
  await keep(outbox, hand("/t/1", "k-1"));
  t.mock.timers.setTime(90_000_000 - 86_400_000);
  await outbox.flush();
  assert.deepEqual(server.waits, ["0"]);
});

test("what was asked about waits since it was tapped first", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const { outbox, server } = phone({ page: "/t/1" });
  server.says = () => "asked";
  await keep(outbox, hand("/t/1", "k-1"));
  t.mock.timers.tick(60_000);
  await outbox.flush();
  server.says = () => "recorded";
  await keep(outbox, hand("/t/1", "k-1", { confirmed: "1" }));
  await outbox.flush();
  assert.deepEqual(server.waits, ["60", "60"]);
});

test("a phone says with each question which log it holds and what it has not sent, of that table alone", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const held = (table) => (table === "/t/1" ? { match: 12, revision: 7 } : null);
  const { outbox, server } = phone({ held });
  await keep(outbox, hand("/t/1", "k-1"), hand("/t/1", "k-2"), hand("/t/2", "k-3"));
  t.mock.timers.tick(10_000);
  await keep(outbox, hand("/t/1", "k-4")); // under way, and not late
  await outbox.flush(); // what goes with a question, whoever hears the question has
  assert.deepEqual(server.reports, [
    "match=12&revision=7&waiting=1", "match=12&revision=7&waiting=0", "waiting=0", "match=12&revision=7&waiting=0",
  ]);
});

test("what is done with waits no more, and what is asked about still does", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const at = new Date(0).toISOString();
  const entries = ["kept", "sending", "asked", "accepted", "refused", "superseded"].map((state) => ({ state, at }));
  assert.equal(reportOf(entries, null), "waiting=3");
});

test("a server that does not answer is waited for longer each time, and one that is slow for as long as it needs", async (t) => {
  t.mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1_000_000 });
  let answersAfter = Infinity;
  const { outbox, server } = phone({
    fetch: (path, asked) => new Promise((resolve, reject) => {
      asked.signal.addEventListener("abort", () => reject(new TypeError("given up")));
      if (answersAfter < Infinity) setTimeout(() => resolve(server.fetch(path, asked)), answersAfter);
    }),
  });
  await keep(outbox, hand("/t/1", "a"), hand("/t/1", "b"), hand("/t/1", "c"));
  const settled = () => new Promise((resolve) => { setImmediate(resolve); });

  /** For how many seconds one try waits. */
  async function waits() {
    let isOver = false;
    const trying = outbox.flush().finally(() => { isOver = true; });
    let seconds = 0;
    for (await settled(); !isOver && seconds < 200; seconds++) {
      t.mock.timers.tick(1_000);
      await settled();
    }
    await trying;
    return seconds;
  }

  assert.deepEqual([await waits(), await waits(), await waits(), await waits(), await waits()], [8, 16, 32, 60, 60]);
  answersAfter = 20_000;
  assert.equal(await waits(), 60); // one after the other, each in 20 seconds
  assert.deepEqual(await states(outbox), ["accepted", "accepted", "accepted"]);
  await keep(outbox, hand("/t/1", "d"));
  answersAfter = Infinity;
  assert.equal(await waits(), 40); // twice as long as the last one took
});
