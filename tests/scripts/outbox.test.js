import assert from "node:assert/strict";
import test from "node:test";

import { isOurs, receiptOf } from "./answers.js";
import { Outbox } from "./outbox.js";

const HERE = "our-id";

/** A device's storage, which may be full. */
class Device {
  #kept = new Map();
  isFull = false;
  get length() { return this.#kept.size; }
  key(place) { return [...this.#kept.keys()][place]; }
  getItem(name) { return this.#kept.get(name) ?? null; }
  removeItem(name) { this.#kept.delete(name); }
  setItem(name, value) {
    if (this.isFull) throw new Error("full");
    this.#kept.set(name, value);
  }
}

/** A server that answers as it is told: an outcome, headers, or nothing. */
class Server {
  /** @type {string[]} what came, `GET` or the key */
  came = [];
  says = () => "recorded";
  atOnce = 0;
  most = 0;

  fetch = async (path, { method = "GET", body } = {}) => {
    this.most = Math.max(this.most, ++this.atOnce);
    await null;
    this.atOnce -= 1;
    const key = body?.get("entry_key") ?? method;
    this.came.push(`${path} ${key}`);
    const said = this.says(key, body);
    if (said === null) throw new TypeError("no network");
    const headers = typeof said === "string" ? { Charlemagne: HERE, "Charlemagne-Entry": `${key} ${said}` } : said;
    return new Response("", { headers });
  };
}

function phone(options = {}) {
  const server = new Server();
  const storage = new Device();
  const open = (more) => new Outbox({
    storage, installation: HERE, fetch: server.fetch, token: () => "token", ...options, ...more,
  });
  return { server, storage, open, outbox: open() };
}

const hand = (path, key, more = {}) => ({ path, table: path, values: { entry_key: key, ...more } });
const keys = (hands) => hands.map(({ values }) => values.entry_key);

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

test("hands of all tables wait beside each other, in the order of marking, also for another page", () => {
  const { outbox, open } = phone();
  for (const each of [hand("/t/1", "a"), hand("/t/2", "b"), hand("/t/1", "c")]) outbox.add(each);
  assert.deepEqual(keys(open().all()), ["a", "b", "c"]);
  assert.deepEqual(keys(open().all("/t/1")), ["a", "c"]);
});

test("a key that waits is not written over", () => {
  const { outbox } = phone();
  outbox.add(hand("/t/1", "a", { said: "A-6-7" }));
  outbox.add(hand("/t/1", "a", { said: "B-8-8" }));
  assert.equal(outbox.all()[0].values.said, "A-6-7");
});

test("each table's hands are sent in order, one at a time, and are gone once they are recorded", async () => {
  const { outbox, server } = phone();
  for (const each of [hand("/t/1", "a"), hand("/t/2", "b"), hand("/t/1", "c")]) outbox.add(each);
  await Promise.all([outbox.flush(), outbox.flush()]);
  assert.deepEqual(server.came, ["/t/1 a", "/t/2 b", "/t/1 c"]);
  assert.equal(server.most, 1);
  assert.deepEqual(outbox.all(), []);
});

test("a hand without an answer of ours keeps those after it at its table, and no others", async () => {
  const foreign = [null, {}, { Charlemagne: "another" }, { Charlemagne: HERE }];
  for (const answer of [...foreign, { Charlemagne: HERE, "Charlemagne-Entry": "b recorded" }]) {
    const { outbox, server } = phone();
    for (const each of [hand("/t/1", "a"), hand("/t/1", "b"), hand("/t/2", "c")]) outbox.add(each);
    server.says = (key) => (key === "a" ? answer : "recorded");
    await outbox.flush();
    assert.deepEqual(server.came, ["/t/1 a", "/t/2 c"]);
    assert.deepEqual(keys(outbox.all()), ["a", "b"]);
    server.says = () => "recorded";
    await outbox.flush();
    assert.deepEqual(outbox.all(), []);
  }
});

test("a hand that was refused waits no more, and its reason stands until it is dropped", async () => {
  const { outbox, server, open } = phone();
  for (const each of [hand("/t/1", "a"), hand("/t/1", "b")]) outbox.add(each);
  const refused = { Charlemagne: HERE, "Charlemagne-Entry": "a refused", "Charlemagne-Reason": "No%20table" };
  server.says = (key) => (key === "a" ? refused : "recorded");
  await outbox.flush();
  assert.deepEqual(open().all(), []);
  assert.deepEqual(open().refused().map(({ reason }) => reason), ["No table"]);
  await outbox.flush();
  assert.deepEqual(server.came, ["/t/1 a", "/t/1 b"]);
  open().drop(open().refused()[0]);
  assert.deepEqual(outbox.refused(), []);
});

test("a hand that is asked about goes again from its own page only, and with the answer", async () => {
  const { outbox, server, open } = phone();
  outbox.add(hand("/t/1", "a"));
  outbox.add(hand("/t/1", "b"));
  server.says = (key, body) => (key !== "a" || body.get("confirmed") ? "recorded" : "asked");
  await outbox.flush();
  await outbox.flush();
  assert.deepEqual(server.came, ["/t/1 a"]);
  const page = open({ page: "/t/1" });
  await page.flush();
  assert.deepEqual(server.came, ["/t/1 a", "/t/1 a"]);
  page.add(hand("/t/1", "a", { confirmed: "1" }));
  await page.flush();
  assert.deepEqual(page.all(), []);
  assert.deepEqual(server.came.slice(2), ["/t/1 a", "/t/1 b"]);
});

test("hands of another installation at the same address wait for it", async () => {
  const { outbox, open, server } = phone();
  outbox.add(hand("/t/1", "a"));
  const another = open({ installation: "another" });
  assert.deepEqual(another.all(), []);
  await another.flush();
  assert.deepEqual(server.came, []);
  assert.deepEqual(keys(outbox.all()), ["a"]);
});

test("where the device keeps nothing, hands are kept in memory, and it says so", async () => {
  const forbidden = new Proxy({}, { get() { throw new Error("forbidden"); } });
  const full = new Device();
  full.isFull = true;
  for (const storage of [undefined, forbidden, full]) {
    const { outbox } = phone({ storage });
    assert.ok(!outbox.isForgetful);
    outbox.add(hand("/t/1", "a"));
    outbox.add(hand("/t/2", "b"));
    assert.ok(outbox.isForgetful);
    assert.deepEqual(keys(outbox.all()), ["a", "b"]);
    await outbox.flush();
    assert.deepEqual(outbox.all(), []);
    assert.ok(!outbox.isForgetful);
  }
});

test("a device that fills up later loses nothing of what it kept", async () => {
  const { outbox, storage, server } = phone();
  outbox.add(hand("/t/1", "a"));
  storage.isFull = true;
  outbox.add(hand("/t/1", "b"));
  server.says = () => "refused";
  await outbox.flush();
  assert.deepEqual(keys(outbox.refused()), ["a", "b"]);
  assert.deepEqual(outbox.all(), []);
});

test("a browser without a token is given one first, and sends the one of the moment", async () => {
  let token = "";
  const { outbox, server } = phone({ token: () => token });
  outbox.add(hand("/t/1", "a", { csrfmiddlewaretoken: "old" }));
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

test("a hand that was dropped while it was on its way does not come back", async () => {
  const { outbox, server } = phone();
  outbox.add(hand("/t/1", "a"));
  server.says = () => {
    outbox.drop(outbox.all()[0]);
    return "refused";
  };
  await outbox.flush();
  assert.deepEqual([outbox.all(), outbox.refused()], [[], []]);
});
