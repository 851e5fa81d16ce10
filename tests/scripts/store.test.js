import assert from "node:assert/strict";
import test from "node:test";

import { Disk, Timers } from "./indexeddb.js";
import { Store } from "./store.js";

const timers = new Timers();
const RETRY_AFTER = 5_000;

const names = (entries) => [...entries].sort((one, other) => one.order - other.order).map(({ name }) => name);

/** As the outbox does it, which looks at what is there before it adds something. */
async function add(store, name) {
  await store.all("entries");
  return store.put("entries", { name });
}

async function addAll(store, ...added) {
  for (const name of added) await add(store, name);
}

const shown = async (store) => names(await store.all("entries"));
const written = (disk) => names(disk.written("entries"));

/** The next retry, and all that it does. */
async function retry(store) {
  timers.pass(RETRY_AFTER);
  await store.all("kept");
}

/** What a browser does to an open page. By name: what happens, and what gives the page its database back. */
const LOSSES = {
  "closed with an event": (disk) => disk.close(),
  "closed without a word": (disk) => disk.close(false),
  "wiped": (disk) => disk.wipe(),
  "deleted by another page": (disk) => disk.change(0),
};

for (const [loss, lose] of Object.entries(LOSSES)) {
  test(`a database that is ${loss} is opened again, with all that was in it`, async () => {
    const disk = new Disk();
    const store = new Store(disk);
    await addAll(store, "a", "b");
    await store.put("kept", { name: "table", heard: 2 });
    lose(disk);
    await addAll(store, "c");
    assert.deepEqual(await shown(store), ["a", "b", "c"]);
    assert.deepEqual(written(disk), ["a", "b", "c"]);
    assert.deepEqual(await new Store(disk).get("table"), { name: "table", heard: 2 });
  });
}

test("a database that was wiped is restored though nobody marks anything more", async () => {
  const disk = new Disk();
  const store = new Store(disk);
  await addAll(store, "a", "b");
  disk.wipe();
  await new Promise((resolve) => { setImmediate(resolve); }); // the event comes
  await store.get("nothing");
  assert.deepEqual(written(disk), ["a", "b"]);
});

test("a transaction during which the database is closed is repeated, and done once", async () => {
  for (let tasks = 0; tasks < 12; tasks += 1) {
    const disk = new Disk();
    const store = new Store(disk);
    await addAll(store, "a");
    const adding = store.put("entries", { name: "b" });
    for (let task = 0; task < tasks; task += 1) await new Promise((resolve) => { setImmediate(resolve); });
    disk.close();
    await adding;
    assert.deepEqual(written(disk), ["a", "b"], `closed after ${tasks} tasks`);
  }
});

/** By name: why it cannot be opened again; each is over some time. */
const OUTAGES = {
  "refuses": (disk, is) => { disk.isRefused = is; },
  "does not answer": (disk, is) => { disk.isSilent = is; },
  "is blocked by another page": (disk, is) => { if (is) disk.isBlocked = true; else disk.unblock(); },
  "has a newer version": (disk, is) => { if (is) disk.change(2); else disk.version = 1; },
  "is full": (disk, is) => { disk.isFull = is; },
};

for (const [outage, set] of Object.entries(OUTAGES)) {
  test(`while the browser ${outage}, everything is in memory, and is written down later, once and in order`, async () => {
    const disk = new Disk();
    const [store, another] = [new Store(disk), new Store(disk)];
    await addAll(store, "a", "b");
    set(disk, true);
    if (outage !== "has a newer version") disk.close();
    const adding = addAll(store, "c", "d");
    await (outage === "does not answer" ? timers.until(adding) : adding);
    const [, b, c, d] = await store.all("entries");
    assert.deepEqual(names([b, c, d]), ["b", "c", "d"]);
    await store.put("entries", { ...b, name: "B" });
    await store.remove("entries", c.order);
    assert.deepEqual(await shown(store), ["a", "B", "d"]);
    assert.ok(store.isInMemory("entries", d.order));
    assert.deepEqual(written(disk), ["a", "b"]);
    set(disk, false);
    await retry(store);
    assert.ok(!store.isInMemory("entries", d.order));
    assert.deepEqual(written(disk), ["a", "B", "d"]);
    assert.equal(disk.connections.size, 1, "a connection that nobody uses is open");
    await addAll(another, "e");
    await addAll(store, "f");
    assert.deepEqual(await shown(another), ["a", "B", "d", "e", "f"]);
  });
}

test("nobody waits a second time for a browser that does not answer, and it is asked until it does", async () => {
  const disk = new Disk();
  await addAll(new Store(disk), "a");
  const store = new Store(disk);
  let recovered = 0;
  store.onRecovered = () => { recovered += 1; };
  disk.isSilent = true;
  assert.deepEqual(await timers.until(shown(store)), []);
  await addAll(store, "b");
  timers.pass(RETRY_AFTER);
  await timers.until(shown(store));
  disk.isSilent = false;
  await retry(store);
  assert.equal(recovered, 1);
  assert.deepEqual([await shown(store), written(disk)], [["a", "b"], ["a", "b"]]);
});

test("what another page has written meanwhile is not overwritten", async () => {
  const disk = new Disk();
  const [store, another] = [new Store(disk), new Store(disk)];
  await addAll(store, "a", "b");
  const [a, b] = await another.all("entries");
  const hear = (page, name) => page.change("table", (before) => ({ name: "table", heard: [...before?.heard ?? [], name] }));
  await hear(store, 1);
  disk.isFull = true;
  await store.put("entries", { ...a, state: "sending" });
  await store.put("entries", { ...b, state: "sending" });
  await hear(store, 2);
  disk.isFull = false;
  await another.put("entries", { ...a, state: "accepted" });
  await hear(another, 3);
  await retry(store);
  assert.deepEqual((await store.all("entries")).map(({ state }) => state), ["accepted", "sending"]);
  assert.deepEqual((await another.get("table")).heard, [1, 3, 2]);
});

test("what a full device keeps in memory stands in its order among what it keeps before and after", async () => {
  const disk = new Disk();
  const store = new Store(disk);
  for (const [name, isFull] of [["a", false], ["b", true], ["c", true], ["d", false], ["e", true]]) {
    disk.isFull = isFull;
    await add(store, name);
  }
  assert.deepEqual(await shown(store), ["a", "b", "c", "d", "e"]);
});

test("what was in memory and found room later is never written over, by this page or by another", async () => {
  const disk = new Disk();
  const pages = [new Store(disk), new Store(disk)];
  disk.isFull = true;
  await addAll(pages[0], "a");
  await addAll(pages[1], "b");
  disk.isFull = false;
  for (const page of pages) await retry(page);
  disk.isFull = true;
  await add(pages[0], "c");
  assert.deepEqual((await shown(pages[0])).sort(), ["a", "b", "c"]);
  assert.deepEqual(written(disk).sort(), ["a", "b"]);
});

test("what two changes make of a kept thing at once is the one after the other", async () => {
  for (const store of [new Store(null), new Store(new Disk())]) {
    const hear = (name) => store.change("table", (before) => ({ name: "table", heard: [...before?.heard ?? [], name] }));
    await Promise.all(["a", "b", "c"].map(hear));
    assert.deepEqual((await store.get("table")).heard, ["a", "b", "c"]);
  }
});

test("where a database is forbidden everything is kept as long as its page is open, in order", async () => {
  const store = new Store(null);
  await addAll(store, "a", "b", "c");
  const [, b] = await store.all("entries");
  await store.remove("entries", b.order);
  await add(store, "d");
  assert.deepEqual(await shown(store), ["a", "c", "d"]);
  assert.ok((await store.all("entries")).every(({ order }) => store.isInMemory("entries", order)));
});
