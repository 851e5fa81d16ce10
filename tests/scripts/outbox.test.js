import assert from "node:assert/strict";
import test from "node:test";

import { isFromInstallation, readReceipt } from "./receipts.js";
import { DRAWS_HEADER, Outbox, REPORT_HEADER, buildReport } from "./outbox.js";
import { Store } from "./store.js";

const INSTALLATION = "our-id";

/** A server that answers with a given outcome, headers, or nothing. */
class Server {
  /** @type {string[]} the requests, with `GET` or the key */
  requests = [];
  getOutcome = () => "recorded";
  status = 200;
  running = 0;
  maxRunning = 0;

  /** @type {string[]} the report of each request */
  reports = [];
  /** @type {(string | null)[]} the wait of each entry */
  waitTimes = [];

  fetch = async (path, { method = "GET", body, headers: { [REPORT_HEADER]: report, [DRAWS_HEADER]: draws } } = {}) => {
    this.reports.push(report);
    assert.equal(draws, "1"); // without the screen
    if (body) this.waitTimes.push(body.get("waited"));
    this.maxRunning = Math.max(this.maxRunning, ++this.running);
    await null;
    this.running -= 1;
    const key = body?.get("entry_key") ?? method;
    this.requests.push(`${path} ${key}`);
    const outcome = this.getOutcome(key, body);
    if (outcome === null) throw new TypeError("no network");
    const headers = typeof outcome === "string" ? { Charlemagne: INSTALLATION, "Charlemagne-Entry": `${key} ${outcome}` } : outcome;
    return new Response("", { headers, status: this.status });
  };
}

/** Creates a phone, whose pages share a store. */
function createPhone(options = {}) {
  const server = new Server();
  const store = new Store(null);
  const open = (more) => new Outbox({
    store, installation: INSTALLATION, fetch: server.fetch, getToken: () => "token", ...options, ...more,
  });
  return { server, store, open, outbox: open() };
}

const createEntry = (table, key, more = {}) => ({ table, path: table, number: table, values: { entry_key: key, ...more } });
const listKeys = (entries) => entries.map(({ values }) => values.entry_key);
const listStates = async (outbox) => (await outbox.listEntries()).map(({ state }) => state);

/** @param {Outbox} outbox */
async function addAll(outbox, ...entries) {
  for (const entry of entries) await outbox.add(entry);
}

test("only responses with the header of this installation count", () => {
  assert.ok(isFromInstallation(new Headers({ Charlemagne: INSTALLATION }), INSTALLATION));
  for (const headers of [{}, { Charlemagne: "another" }, { Charlemagne: "" }]) {
    assert.ok(!isFromInstallation(new Headers(headers), INSTALLATION));
  }
  assert.ok(!isFromInstallation(new Headers(), ""));
});

test("a receipt needs the key and an outcome", () => {
  const readHeaders = (headers) => readReceipt(new Headers({ Charlemagne: INSTALLATION, ...headers }), INSTALLATION, "k-1");
  assert.deepEqual(readHeaders({ "Charlemagne-Entry": "k-1 recorded" }), { outcome: "recorded", reason: "" });
  assert.deepEqual(
    readHeaders({ "Charlemagne-Entry": "K-1 refused", "Charlemagne-Reason": "Cette soir%C3%A9e" }),
    { outcome: "refused", reason: "Cette soirée" },
  );
  for (const header of ["k-2 recorded", "k-1 lost", "k-1", "", "recorded"]) {
    assert.equal(readHeaders({ "Charlemagne-Entry": header }), null);
  }
  assert.equal(readHeaders({}), null);
  assert.equal(readHeaders({ Charlemagne: "another", "Charlemagne-Entry": "k-1 recorded" }), null);
});

test("waiting hands of all tables are listed in order, also on another page", async () => {
  const { outbox, open } = createPhone();
  await addAll(outbox, createEntry("/t/1", "a"), createEntry("/t/2", "b"), createEntry("/t/1", "c"));
  assert.deepEqual(listKeys(await open().listWaiting()), ["a", "b", "c"]);
  assert.deepEqual(listKeys(await open().listWaiting("/t/1")), ["a", "c"]);
});

test("a waiting or accepted entry is not overwritten", async () => {
  const { outbox } = createPhone();
  await addAll(outbox, createEntry("/t/1", "a", { said: "A-6-7" }), createEntry("/t/1", "a", { said: "B-8-8" }));
  assert.deepEqual((await outbox.listWaiting()).map(({ values }) => values.said), ["A-6-7"]);
  await outbox.flush();
  await addAll(outbox, createEntry("/t/1", "a", { said: "B-8-8" }));
  assert.deepEqual(await listStates(outbox), ["accepted"]);
});

test("entries are sent in order, one at a time, and stay as accepted", async () => {
  const { outbox, server } = createPhone();
  await addAll(outbox, createEntry("/t/1", "a"), createEntry("/t/2", "b"), createEntry("/t/1", "c"));
  const answered = await Promise.all([outbox.flush(), outbox.flush()]);
  assert.deepEqual(server.requests, ["/t/1 a", "/t/2 b", "/t/1 c"]);
  assert.equal(server.maxRunning, 1);
  assert.deepEqual(await outbox.listWaiting(), []);
  assert.deepEqual(await listStates(outbox), ["accepted", "accepted", "accepted"]);
  assert.deepEqual(answered, [true, true]);
});

test("an entry without a receipt holds up those after it at its table only", async () => {
  const foreign = [null, {}, { Charlemagne: "another" }, { Charlemagne: INSTALLATION }];
  for (const answer of [...foreign, { Charlemagne: INSTALLATION, "Charlemagne-Entry": "b recorded" }]) {
    const { outbox, server } = createPhone();
    await addAll(outbox, createEntry("/t/1", "a"), createEntry("/t/1", "b"), createEntry("/t/2", "c"));
    server.getOutcome = (key) => (key === "a" ? answer : "recorded");
    assert.equal(await outbox.flush(), false);
    assert.deepEqual(server.requests.filter((each) => !each.endsWith("GET")), ["/t/1 a", "/t/2 c"]);
    assert.deepEqual(listKeys(await outbox.listWaiting()), ["a", "b"]);
    assert.deepEqual(await listStates(outbox), ["sending", "kept", "accepted"]);
    server.getOutcome = () => "recorded";
    assert.equal(await outbox.flush(), true);
    assert.deepEqual(await outbox.listWaiting(), []);
  }
});

test("a response without a receipt is followed by a request for a new token", async () => {
  const { outbox, server } = createPhone();
  await addAll(outbox, createEntry("/t/1", "a"));
  server.getOutcome = () => ({ Charlemagne: INSTALLATION });
  await outbox.flush();
  assert.deepEqual(server.requests, ["/t/1 a", "/t/1 GET"]);
});

test("a server error is no missing network, and no token is requested", async () => {
  const { outbox, server } = createPhone();
  await addAll(outbox, createEntry("/t/1", "a"));
  server.getOutcome = () => ({ Charlemagne: INSTALLATION });
  server.status = 503;
  assert.equal(await outbox.flush(), false);
  assert.equal(outbox.isHindered, true);
  assert.deepEqual(server.requests, ["/t/1 a"]);
  for (const answer of [null, {}, { Charlemagne: "another" }]) {
    server.getOutcome = () => answer;
    await outbox.flush();
    assert.equal(outbox.isHindered, false);
  }
});

/** @param {Outbox} outbox */
const listRefused = async (outbox) => (await outbox.listEntries()).filter(({ state }) => state === "refused");

test("a refused entry holds nothing up, and keeps its reason until it is dropped", async () => {
  const { outbox, server, open } = createPhone();
  await addAll(outbox, createEntry("/t/1", "a"), createEntry("/t/1", "b"));
  const refused = { Charlemagne: INSTALLATION, "Charlemagne-Entry": "a refused", "Charlemagne-Reason": "No%20table" };
  server.getOutcome = (key) => (key === "a" ? refused : "recorded");
  await outbox.flush();
  assert.deepEqual(await open().listWaiting(), []);
  assert.deepEqual((await listRefused(open())).map(({ reason }) => reason), ["No table"]);
  await outbox.flush();
  assert.deepEqual(server.requests, ["/t/1 a", "/t/1 b"]);
  await open().drop((await listRefused(open()))[0]);
  assert.deepEqual(await listRefused(outbox), []);
  assert.deepEqual(await listStates(outbox), ["superseded", "accepted"]);
});

test("an entry with a question is sent again from its own page only, with the answer", async () => {
  const { outbox, server, open } = createPhone();
  await addAll(outbox, createEntry("/t/1", "a"), createEntry("/t/1", "b"));
  server.getOutcome = (key, body) => (key !== "a" || body.get("confirmed") ? "recorded" : "asked");
  await outbox.flush();
  await outbox.flush();
  assert.deepEqual(server.requests, ["/t/1 a"]);
  assert.deepEqual(await listStates(outbox), ["asked", "kept"]);
  const page = open({ page: "/t/1" });
  await page.flush();
  assert.deepEqual(server.requests, ["/t/1 a", "/t/1 a"]);
  await page.add(createEntry("/t/1", "a", { confirmed: "1" }));
  await page.flush();
  assert.deepEqual(await page.listWaiting(), []);
  assert.deepEqual(server.requests.slice(2), ["/t/1 a", "/t/1 b"]);
});

test("entries of another installation at the same address are not sent", async () => {
  const { outbox, open, server } = createPhone();
  await addAll(outbox, createEntry("/t/1", "a"));
  const another = open({ installation: "another" });
  assert.deepEqual(await another.listWaiting(), []);
  await another.flush();
  assert.deepEqual(server.requests, []);
  assert.deepEqual(listKeys(await outbox.listWaiting()), ["a"]);
});

test("waiting entries that are only in memory are reported", async () => {
  const { outbox } = createPhone();
  assert.ok(!(await outbox.hasUnsavedEntries(await outbox.listWaiting())));
  await addAll(outbox, createEntry("/t/1", "a"), createEntry("/t/2", "b"));
  assert.ok(await outbox.hasUnsavedEntries(await outbox.listWaiting()));
  assert.deepEqual(listKeys(await outbox.listWaiting()), ["a", "b"]);
  await outbox.flush();
  assert.ok(!(await outbox.hasUnsavedEntries(await outbox.listWaiting())));
});

test("a browser without a token requests one first, and sends the current one", async () => {
  let token = "";
  const { outbox, server } = createPhone({ getToken: () => token });
  await addAll(outbox, createEntry("/t/1", "a", { csrfmiddlewaretoken: "old" }));
  const sent = [];
  server.getOutcome = (key, body) => {
    if (key === "GET") token = "new";
    else sent.push(body.get("csrfmiddlewaretoken"));
    return "recorded";
  };
  await outbox.flush();
  assert.deepEqual(server.requests, ["/t/1 GET", "/t/1 a"]);
  assert.deepEqual(sent, ["new"]);
});

test("an entry dropped while it is sent stays dropped unless it was recorded", async () => {
  for (const [outcome, state] of [["refused", "superseded"], ["recorded", "accepted"]]) {
    const { outbox, server } = createPhone();
    await addAll(outbox, createEntry("/t/1", "a"));
    const drop = async () => outbox.drop((await outbox.listWaiting())[0]);
    const { fetch } = server;
    outbox.fetch = async (...question) => {
      await drop();
      return fetch(...question);
    };
    server.getOutcome = () => outcome;
    await outbox.flush();
    assert.deepEqual(await listStates(outbox), [state]);
  }
});

test("old finished entries are deleted, waiting ones are not", async () => {
  const { outbox, server } = createPhone();
  await addAll(outbox, ...Array.from({ length: 405 }, (_, place) => createEntry("/t/1", `a-${place}`)));
  await outbox.flush();
  server.getOutcome = () => null;
  await addAll(outbox, createEntry("/t/1", "last"));
  await outbox.deleteFinished();
  const left = await outbox.listEntries();
  assert.equal(left.length, 401);
  assert.deepEqual([left[0].values.entry_key, left[400].state], ["a-5", "kept"]);
});

test("each entry is sent with its wait by the clock of the device", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const { outbox, server } = createPhone();
  await addAll(outbox, createEntry("/t/1", "k-1"));
  t.mock.timers.tick(125_999);
  await addAll(outbox, createEntry("/t/1", "k-2"));
  await outbox.flush();
  assert.deepEqual(server.waitTimes, ["125", "0"]);
});

test("a clock that is set back gives no negative wait", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 90_000_000 });
  const { outbox, server } = createPhone();
  await addAll(outbox, createEntry("/t/1", "k-1"));
  t.mock.timers.setTime(90_000_000 - 86_400_000);
  await outbox.flush();
  assert.deepEqual(server.waitTimes, ["0"]);
});

test("an entry with a question waits since its first tap", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const { outbox, server } = createPhone({ page: "/t/1" });
  server.getOutcome = () => "asked";
  await addAll(outbox, createEntry("/t/1", "k-1"));
  t.mock.timers.tick(60_000);
  await outbox.flush();
  server.getOutcome = () => "recorded";
  await addAll(outbox, createEntry("/t/1", "k-1", { confirmed: "1" }));
  await outbox.flush();
  assert.deepEqual(server.waitTimes, ["60", "60"]);
});

test("each request reports the log and the unsent entries of its table", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const getHeldMatch = (table) => (table === "/t/1" ? { match: 12, revision: 7 } : null);
  const { outbox, server } = createPhone({ getHeldMatch });
  await addAll(outbox, createEntry("/t/1", "k-1"), createEntry("/t/1", "k-2"), createEntry("/t/2", "k-3"));
  t.mock.timers.tick(10_000);
  await addAll(outbox, createEntry("/t/1", "k-4")); // on its way, and not late
  await outbox.flush(); // an entry in the request does not count
  assert.deepEqual(server.reports, [
    "match=12&revision=7&waiting=1", "match=12&revision=7&waiting=0", "waiting=0", "match=12&revision=7&waiting=0",
  ]);
});

test("finished entries do not wait, those with a question do", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const at = new Date(0).toISOString();
  const entries = ["kept", "sending", "asked", "accepted", "refused", "superseded"].map((state) => ({ state, at }));
  assert.equal(buildReport(entries, null), "waiting=3");
});

test("the timeout grows without responses, and adapts to a slow server", async (t) => {
  t.mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1_000_000 });
  let answersAfter = Infinity;
  const { outbox, server } = createPhone({
    fetch: (path, options) => new Promise((resolve, reject) => {
      options.signal.addEventListener("abort", () => reject(new TypeError("given up")));
      if (answersAfter < Infinity) setTimeout(() => resolve(server.fetch(path, options)), answersAfter);
    }),
  });
  await addAll(outbox, createEntry("/t/1", "a"), createEntry("/t/1", "b"), createEntry("/t/1", "c"));
  const waitForTasks = () => new Promise((resolve) => { setImmediate(resolve); });

  /** Counts the seconds until a request times out or is answered. */
  async function countWaitSeconds() {
    let isOver = false;
    const trying = outbox.flush().finally(() => { isOver = true; });
    let seconds = 0;
    for (await waitForTasks(); !isOver && seconds < 200; seconds++) {
      t.mock.timers.tick(1_000);
      await waitForTasks();
    }
    await trying;
    return seconds;
  }

  for (const seconds of [8, 16, 32, 60, 60]) assert.equal(await countWaitSeconds(), seconds);
  answersAfter = 20_000;
  assert.equal(await countWaitSeconds(), 60); // one after the other, each in 20 seconds
  assert.deepEqual(await listStates(outbox), ["accepted", "accepted", "accepted"]);
  await addAll(outbox, createEntry("/t/1", "d"));
  answersAfter = Infinity;
  assert.equal(await countWaitSeconds(), 40); // twice as long as the last one took
});
