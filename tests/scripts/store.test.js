import assert from "node:assert/strict";
import test from "node:test";

import { Disk, Timers } from "./indexeddb.js";
import { Store } from "./store.js";

const timers = new Timers();
const RETRY_DELAY = 5_000;

const listNames = (entries) => [...entries].sort((one, other) => one.order - other.order).map(({ name }) => name);

/** Adds an entry like the outbox, which lists the entries first. */
async function addEntry(store, name) {
  await store.list("entries");
  return store.put("entries", { name });
}

async function addEntries(store, ...added) {
  for (const name of added) await addEntry(store, name);
}

const listShown = async (store) => listNames(await store.list("entries"));
const listWritten = (disk) => listNames(disk.listItems("entries"));

/** Runs the next retry to its end. */
async function runRetry(store) {
  timers.advance(RETRY_DELAY);
  await store.list("kept");
}

/** Losses of a database by their names. */
const LOSS_ACTIONS = {
  "closed with an event": (disk) => disk.close(),
  "closed without an event": (disk) => disk.close(false),
  "wiped": (disk) => disk.wipe(),
  "deleted by another page": (disk) => disk.upgrade(0),
};

for (const [loss, lose] of Object.entries(LOSS_ACTIONS)) {
  test(`a database that is ${loss} is reopened with all its items`, async () => {
    const disk = new Disk();
    const store = new Store(disk);
    await addEntries(store, "a", "b");
    await store.put("kept", { name: "table", heard: 2 });
    lose(disk);
    await addEntries(store, "c");
    assert.deepEqual(await listShown(store), ["a", "b", "c"]);
    assert.deepEqual(listWritten(disk), ["a", "b", "c"]);
    assert.deepEqual(await new Store(disk).get("table"), { name: "table", heard: 2 });
  });
}

test("a wiped database is restored without another write", async () => {
  const disk = new Disk();
  const store = new Store(disk);
  await addEntries(store, "a", "b");
  disk.wipe();
  await new Promise((resolve) => { setImmediate(resolve); }); // the event comes
  await store.get("nothing");
  assert.deepEqual(listWritten(disk), ["a", "b"]);
});

test("a transaction is repeated once if the database is closed meanwhile", async () => {
  for (let tasks = 0; tasks < 12; tasks += 1) {
    const disk = new Disk();
    const store = new Store(disk);
    await addEntries(store, "a");
    const adding = store.put("entries", { name: "b" });
    for (let task = 0; task < tasks; task += 1) await new Promise((resolve) => { setImmediate(resolve); });
    disk.close();
    await adding;
    assert.deepEqual(listWritten(disk), ["a", "b"], `closed after ${tasks} tasks`);
  }
});

/** Switches of temporary outages by their names. */
const OUTAGE_SWITCHES = {
  "refuses": (disk, is) => { disk.isRefused = is; },
  "does not answer": (disk, is) => { disk.isSilent = is; },
  "is blocked by another page": (disk, is) => { if (is) disk.isBlocked = true; else disk.unblock(); },
  "has a newer version": (disk, is) => { if (is) disk.upgrade(2); else disk.version = 1; },
  "is full": (disk, is) => { disk.isFull = is; },
};

for (const [outage, set] of Object.entries(OUTAGE_SWITCHES)) {
  test(`while the browser ${outage}, items are in memory, and are written later, once and in order`, async () => {
    const disk = new Disk();
    const [store, another] = [new Store(disk), new Store(disk)];
    await addEntries(store, "a", "b");
    set(disk, true);
    if (outage !== "has a newer version") disk.close();
    const adding = addEntries(store, "c", "d");
    await (outage === "does not answer" ? timers.runUntil(adding) : adding);
    const [, b, c, d] = await store.list("entries");
    assert.deepEqual(listNames([b, c, d]), ["b", "c", "d"]);
    await store.put("entries", { ...b, name: "B" });
    await store.remove("entries", c.order);
    assert.deepEqual(await listShown(store), ["a", "B", "d"]);
    assert.ok(store.isInMemory("entries", d.order));
    assert.deepEqual(listWritten(disk), ["a", "b"]);
    set(disk, false);
    await runRetry(store);
    assert.ok(!store.isInMemory("entries", d.order));
    assert.deepEqual(listWritten(disk), ["a", "B", "d"]);
    assert.equal(disk.connections.size, 1, "an unused connection is open");
    await addEntries(another, "e");
    await addEntries(store, "f");
    assert.deepEqual(await listShown(another), ["a", "B", "d", "e", "f"]);
  });
}

test("a browser that does not answer is waited for once, and retried until it does", async () => {
  const disk = new Disk();
  await addEntries(new Store(disk), "a");
  const store = new Store(disk);
  let recovered = 0;
  store.onRecovered = () => { recovered += 1; };
  disk.isSilent = true;
  assert.deepEqual(await timers.runUntil(listShown(store)), []);
  await addEntries(store, "b");
  timers.advance(RETRY_DELAY);
  await timers.runUntil(listShown(store));
  disk.isSilent = false;
  await runRetry(store);
  assert.equal(recovered, 1);
  assert.deepEqual([await listShown(store), listWritten(disk)], [["a", "b"], ["a", "b"]]);
});

test("changes by another page are not overwritten", async () => {
  const disk = new Disk();
  const [store, another] = [new Store(disk), new Store(disk)];
  await addEntries(store, "a", "b");
  const [a, b] = await another.list("entries");
  const addName = (page, name) => page.update("table", (before) => ({ name: "table", heard: [...before?.heard ?? [], name] }));
  await addName(store, 1);
  disk.isFull = true;
  await store.put("entries", { ...a, state: "sending" });
  await store.put("entries", { ...b, state: "sending" });
  await addName(store, 2);
  disk.isFull = false;
  await another.put("entries", { ...a, state: "accepted" });
  await addName(another, 3);
  await runRetry(store);
  assert.deepEqual((await store.list("entries")).map(({ state }) => state), ["accepted", "sending"]);
  assert.deepEqual((await another.get("table")).heard, [1, 3, 2]);
});

test("items in memory of a full device stay in order", async () => {
  const disk = new Disk();
  const store = new Store(disk);
  for (const [name, isFull] of [["a", false], ["b", true], ["c", true], ["d", false], ["e", true]]) {
    disk.isFull = isFull;
    await addEntry(store, name);
  }
  assert.deepEqual(await listShown(store), ["a", "b", "c", "d", "e"]);
});

test("items written late are never overwritten by any page", async () => {
  const disk = new Disk();
  const pages = [new Store(disk), new Store(disk)];
  disk.isFull = true;
  await addEntries(pages[0], "a");
  await addEntries(pages[1], "b");
  disk.isFull = false;
  for (const page of pages) await runRetry(page);
  disk.isFull = true;
  await addEntry(pages[0], "c");
  assert.deepEqual((await listShown(pages[0])).sort(), ["a", "b", "c"]);
  assert.deepEqual(listWritten(disk).sort(), ["a", "b"]);
});

test("concurrent changes of an item are applied one after the other", async () => {
  for (const store of [new Store(null), new Store(new Disk())]) {
    const addName = (name) => store.update("table", (before) => ({ name: "table", heard: [...before?.heard ?? [], name] }));
    await Promise.all(["a", "b", "c"].map(addName));
    assert.deepEqual((await store.get("table")).heard, ["a", "b", "c"]);
  }
});

test("without a database items stay in memory, in order", async () => {
  const store = new Store(null);
  await addEntries(store, "a", "b", "c");
  const [, b] = await store.list("entries");
  await store.remove("entries", b.order);
  await addEntry(store, "d");
  assert.deepEqual(await listShown(store), ["a", "c", "d"]);
  assert.ok((await store.list("entries")).every(({ order }) => store.isInMemory("entries", order)));
});
