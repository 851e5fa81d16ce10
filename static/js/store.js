/**
 * What a browser keeps of this site, in IndexedDB: it outlasts the page, the browser and an empty battery. But browsers
 * close the database of an open page, wipe it, have no room, or stop answering. So a store mirrors in memory what it
 * has read and written. A transaction that fails is repeated once, in a database opened anew. If that fails too, its
 * change stays in memory, and the store tries to write it down every few seconds, as long as the page is open.
 *
 *     const store = openStore();
 *     await store.put("entries", { … }); // on the disk now, unless store.isInMemory says otherwise
 *
 * @typedef {"entries" | "kept"} Kind `entries` have their `order`, given when they are put; `kept` things have a `name`
 * @typedef {string | number} Key the order or the name
 * @typedef {Record<string, any>} Item
 * @typedef {Item | undefined} Found
 * @typedef {(item: Found) => Found} Change of what another page may have changed meanwhile; it may be applied twice
 * @typedef {{before: Found, changes: Change[]}} Unwritten `before`: what was on the disk when this page last saw it
 */

const NAME = "charlemagne";
const VERSION = 1;
const KEY = /** @type {const} */ ({ entries: "order", kept: "name" });
const KINDS = /** @type {const} */ (["entries", "kept"]);
const PATIENCE = 3_000; // milliseconds, for a browser that may never answer
const RETRY_AFTER = 5_000;
const STEP = 2 ** -11; // seconds

/** @returns {Store} */
export function openStore() {
  try {
    return new Store(indexedDB);
  } catch {
    return new Store(null); // forbidden
  }
}

export class Store {
  /** @type {Record<Kind, Map<Key, Item>>} */
  #mirror = { entries: new Map(), kept: new Map() };

  /** @type {Record<Kind, Map<Key, Unwritten>>} */
  #unwritten = { entries: new Map(), kept: new Map() };

  /** @type {?IDBDatabase} */
  #database = null;

  /** Whether it could not be opened: nobody waits for it then, it is tried again later. */
  #isAway = false;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;

  /** @type {Promise<unknown>} the last one of those who read and write in turn */
  #turn = Promise.resolve();

  #last = 0;

  /** Called after each retry that has opened the database. */
  onRecovered = () => {};

  /** @param {?IDBFactory} [factory] none: everything is in memory */
  constructor(factory) {
    this.factory = factory;
  }

  /** @param {Kind} kind @param {Key} key whether it is lost when the page is closed */
  isInMemory(kind, key) {
    return this.#unwritten[kind].has(key);
  }

  /**
   * @param {Kind} kind
   * @param {Item} item replaces the one with its key, unless another page has changed that since it was read here
   * @returns {Promise<Item>} as kept
   */
  put(kind, item) {
    return this.#inTurn(async () => {
      const keyed = { [KEY[kind]]: this.nextOrder(), ...item };
      const key = keyed[KEY[kind]];
      const before = JSON.stringify(this.#mirror[kind].get(key));
      await this.#write(kind, key, (now) => (JSON.stringify(now) === before ? keyed : now));
      return keyed;
    });
  }

  /** @param {Kind} kind @returns {Promise<Item[]>} */
  all(kind) {
    return this.#inTurn(async () => {
      const mirror = this.#mirror[kind];
      try {
        const items = await this.#do(kind, "readonly", (stored) => answerOf(stored.getAll()));
        mirror.clear();
        for (const item of items) mirror.set(item[KEY[kind]], item);
        for (const key of this.#unwritten[kind].keys()) this.#reflect(kind, key, mirror.get(key));
      } catch { /* the mirror has what was there */ }
      if (kind === "entries") this.#last = Math.max(this.#last, .../** @type {number[]} */ ([...mirror.keys()]));
      return [...mirror.values()];
    });
  }

  /** @param {string} name @returns {Promise<Found>} of the kept things */
  get(name) {
    return this.#inTurn(async () => {
      try {
        this.#reflect("kept", name, await this.#do("kept", "readonly", (stored) => answerOf(stored.get(name))));
      } catch { /* the mirror has what was there */ }
      return this.#mirror.kept.get(name);
    });
  }

  /**
   * Changes a kept thing at once: what another page of this phone keeps meanwhile comes before it or after it.
   *
   * @param {string} name
   * @param {(before: Found) => Item} change
   * @returns {Promise<Found>} what was kept there before
   */
  async change(name, change) {
    /** @type {Found} */
    let before;
    await this.#inTurn(() => this.#write("kept", name, (now) => {
      before = now;
      return change(now);
    }));
    return before;
  }

  /** @param {Kind} kind @param {Key} key */
  remove(kind, key) {
    return this.#inTurn(() => this.#write(kind, key, () => undefined));
  }

  /** Opens the database if it is lost, and writes down what is in memory only. */
  recover() {
    return this.#inTurn(async () => {
      this.#isAway = false;
      if (this.#database) await this.#restore(this.#database);
      else await this.#open();
      this.onRecovered();
    }).catch(() => {}); // a later retry may
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #inTurn(work) {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** By the clock, after all that this page has seen, and another one than any other page gives. */
  nextOrder() {
    this.#last = Math.max(this.#last, Date.now() / 1_000) + STEP * (1 + Math.random());
    return this.#last;
  }

  /** @param {Kind} kind @param {Key} key @param {Found} stored with what is not written down yet */
  #reflect(kind, key, stored) {
    const unwritten = this.#unwritten[kind].get(key);
    this.#setMirror(kind, key, unwritten ? itemAfter(unwritten, stored) : stored);
  }

  /** @param {Kind} kind @param {Key} key @param {Found} item */
  #setMirror(kind, key, item) {
    if (item) this.#mirror[kind].set(key, item);
    else this.#mirror[kind].delete(key);
  }

  /** @param {Kind} kind @param {Key} key @param {Change} change stays in memory if it cannot be written down */
  async #write(kind, key, change) {
    const now = this.#mirror[kind].get(key);
    const { before, changes } = this.#unwritten[kind].get(key) ?? { before: now, changes: [] };
    const unwritten = { before, changes: [...changes, change] };
    try {
      const item = await this.#do(kind, "readwrite", (stored) => writeDown(stored, key, unwritten));
      this.#unwritten[kind].delete(key);
      this.#setMirror(kind, key, item);
    } catch {
      this.#unwritten[kind].set(key, unwritten);
      this.#setMirror(kind, key, change(now));
      this.#retryLater();
    }
  }

  /**
   * @template T
   * @param {Kind} kind
   * @param {IDBTransactionMode} mode
   * @param {(stored: IDBObjectStore) => Promise<T>} ask
   * @returns {Promise<T>}
   */
  async #do(kind, mode, ask) {
    const database = this.#database ?? await this.#open();
    try {
      return await transact(database, kind, mode, ask);
    } catch {
      this.#lose(database);
      return transact(await this.#open(), kind, mode, ask);
    }
  }

  /** @returns {Promise<IDBDatabase>} with all that was in memory, if there is room for it */
  async #open() {
    if (this.#isAway) throw new Error("it is tried again later");
    try {
      this.#database = await open(this.factory);
    } catch (error) {
      this.#isAway = true;
      this.#retryLater();
      throw error;
    }
    const database = this.#database;
    database.onclose = database.onversionchange = () => {
      this.#lose(database);
      this.recover();
    };
    await this.#restore(database);
    return database;
  }

  /** @param {IDBDatabase} database */
  #lose(database) {
    database.close();
    if (this.#database === database) this.#database = null;
  }

  /**
   * Writes down what is in memory only: also what the disk had and has no more, for it may have been wiped. If another
   * page removed that, it is kept for longer than it had to be.
   *
   * @param {IDBDatabase} database
   */
  async #restore(database) {
    for (const kind of KINDS) {
      try {
        await this.#restoreKind(database, kind);
      } catch {
        this.#retryLater();
      }
    }
  }

  /** @param {IDBDatabase} database @param {Kind} kind */
  async #restoreKind(database, kind) {
    const [mirror, unwritten] = [this.#mirror[kind], this.#unwritten[kind]];
    if (!mirror.size && !unwritten.size) return;
    const written = await transact(database, kind, "readwrite", async (stored) => {
      const there = new Set(await answerOf(stored.getAllKeys()));
      for (const [key, before] of mirror) {
        if (!there.has(key) && !unwritten.has(key)) unwritten.set(key, { before, changes: [] });
      }
      const items = /** @type {Map<Key, Found>} */ (new Map());
      for (const [key, each] of unwritten) items.set(key, await writeDown(stored, key, each));
      return items;
    });
    unwritten.clear();
    for (const [key, item] of written) this.#setMirror(kind, key, item);
  }

  #retryLater() {
    if (!this.factory) return;
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.recover();
    }, RETRY_AFTER);
  }
}

/** @param {Unwritten} unwritten @param {Found} stored as it may have been changed by another page @returns {Found} */
function itemAfter({ before, changes }, stored) {
  return changes.reduce((item, change) => change(item), stored ?? before);
}

/** @param {IDBObjectStore} stored @param {Key} key @param {Unwritten} unwritten @returns {Promise<Found>} what is there now */
async function writeDown(stored, key, unwritten) {
  const before = await answerOf(stored.get(key));
  const item = itemAfter(unwritten, before);
  if (!item) stored.delete(key);
  else if (item !== before) stored.put(item);
  return item;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answerOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @param {?IDBFactory} [factory]
 * @returns {Promise<IDBDatabase>} one that comes when nobody waits for it any more is closed, so that it is in nobody's way
 */
function open(factory) {
  return new Promise((resolve, reject) => {
    if (!factory) throw new Error("there is none");
    const request = factory.open(NAME, VERSION);
    let isLate = false;
    const giveUp = () => {
      isLate = true;
      clearTimeout(timer);
      reject(new Error("it cannot be opened"));
    };
    const timer = setTimeout(giveUp, PATIENCE);
    request.onupgradeneeded = () => {
      for (const kind of KINDS) request.result.createObjectStore(kind, { keyPath: KEY[kind] });
    };
    request.onerror = giveUp;
    request.onblocked = giveUp;
    request.onsuccess = () => {
      clearTimeout(timer);
      if (isLate) request.result.close();
      else resolve(request.result);
    };
  });
}

/**
 * @template T
 * @param {IDBDatabase} database
 * @param {Kind} kind
 * @param {IDBTransactionMode} mode
 * @param {(stored: IDBObjectStore) => Promise<T>} ask
 * @returns {Promise<T>} once it is on the disk, not only promised by the browser
 */
function transact(database, kind, mode, ask) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(kind, mode, { durability: "strict" });
    const abort = (/** @type {unknown} */ error) => {
      reject(error);
      try {
        transaction.abort();
      } catch { /* it has ended */ }
    };
    const timer = setTimeout(() => abort(new Error("no answer")), PATIENCE);
    const asked = ask(transaction.objectStore(kind));
    asked.catch(abort);
    transaction.oncomplete = () => {
      clearTimeout(timer);
      resolve(asked);
    };
    transaction.onabort = () => {
      clearTimeout(timer);
      reject(transaction.error);
    };
  });
}
