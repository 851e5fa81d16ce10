import assert from "node:assert/strict";
import test from "node:test";

import { Store } from "./store.js";

/** A database as browsers have it, which numbers what is put and may be full. */
class Database {
  items = new Map();
  next = 1;
  isFull = false;

  transaction(_, mode) {
    const transaction = { error: new Error("full") };
    const ask = (work) => {
      const request = {};
      queueMicrotask(() => {
        if (this.isFull && mode === "readwrite") return transaction.onabort();
        request.result = work();
        transaction.oncomplete();
      });
      return request;
    };
    transaction.objectStore = () => ({
      put: (item) => ask(() => this.#put(item)), getAll: () => ask(() => [...this.items.values()]),
    });
    return transaction;
  }

  #put(item) {
    const order = item.order ?? this.next;
    this.next = Math.max(this.next, Math.floor(order) + 1);
    this.items.set(order, { ...item, order });
    return order;
  }
}

const names = (entries) => [...entries].sort((one, other) => one.order - other.order).map(({ name }) => name);

/** As the outbox does it, which looks at what is there before it adds something. */
async function add(store, name) {
  await store.all("entries");
  return store.put("entries", { name });
}

test("what a full device keeps in memory stands in its order among what it keeps before and after", async () => {
  const database = new Database();
  const store = new Store(database);
  for (const [name, isFull] of [["a", false], ["b", true], ["c", true], ["d", false], ["e", true]]) {
    database.isFull = isFull;
    await add(store, name);
  }
  assert.deepEqual(names(await store.all("entries")), ["a", "b", "c", "d", "e"]);
});

test("what was in memory and found room later is never written over, by this page or by another", async () => {
  const database = new Database();
  const pages = [new Store(database), new Store(database)];
  database.isFull = true;
  const [a, b] = [await add(pages[0], "a"), await add(pages[1], "b")];
  database.isFull = false;
  await pages[0].put("entries", a);
  await pages[1].put("entries", b);
  database.isFull = true;
  await add(pages[0], "c");
  assert.deepEqual(names(await pages[0].all("entries")).sort(), ["a", "b", "c"]);
  assert.deepEqual([...database.items.values()].map(({ name }) => name).sort(), ["a", "b"]);
});

test("what two changes make of a kept thing at once is the one after the other", async () => {
  const store = new Store(null);
  const add = (name) => store.change("table", (before) => ({ name: "table", heard: [...before?.heard ?? [], name] }));
  await Promise.all(["a", "b", "c"].map(add));
  assert.deepEqual((await store.get("table")).heard, ["a", "b", "c"]);
});

test("without a database everything is kept as long as its page is open, in order", async () => {
  const store = new Store(null);
  for (const name of ["a", "b", "c"]) await add(store, name);
  const [, b] = await store.all("entries");
  await store.remove("entries", b.order);
  await add(store, "d");
  assert.deepEqual(names(await store.all("entries")), ["a", "c", "d"]);
  assert.ok((await store.all("entries")).every(({ order }) => store.isInMemory("entries", order)));
});
