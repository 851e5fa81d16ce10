/**
 * Stores the data of this site in IndexedDB, which survives the page, the browser and an empty battery. But browsers
 * close the database of an open page, wipe it, run out of room, or stop answering. So a store mirrors in memory what it
 * has read and written. A failed transaction is repeated once, in a reopened database. If that fails too, its change
 * stays in memory, and the store tries to write it every few seconds as long as the page is open.
 *
 *     const store = openStore();
 *     await store.put("entries", { … }); // on disk now, unless store.isInMemory says otherwise
 *
 * @typedef {"entries" | "kept"} Kind an object store: `entries` get their `order` when they are put; `kept` items have a `name`
 * @typedef {string | number} Key an order or a name
 * @typedef {Record<string, any>} Item
 * @typedef {Item | undefined} MaybeItem
 * @typedef {(item: MaybeItem) => MaybeItem} Change applied to an item that another page may have changed; it may be applied twice
 * @typedef {{before: MaybeItem, changes: Change[]}} PendingChanges `before`: the item on disk when this page last read it
 */

const DATABASE_NAME = "charlemagne";
const DATABASE_VERSION = 1;
const KEY_PATHS = /** @type {const} */ ({ entries: "order", kept: "name" });
const KINDS = /** @type {const} */ (["entries", "kept"]);
const TIMEOUT = 3_000; // milliseconds: a browser may never answer
const RETRY_DELAY = 5_000;
const ORDER_STEP = 2 ** -11; // seconds

/** @returns {Store} */
export function openStore() {
  try {
    return new Store(indexedDB);
  } catch {
    return new Store(null); // storage is forbidden
  }
}

export class Store {
  /** @type {Record<Kind, Map<Key, Item>>} */
  #mirror = { entries: new Map(), kept: new Map() };

  /** @type {Record<Kind, Map<Key, PendingChanges>>} */
  #pending = { entries: new Map(), kept: new Map() };

  /** @type {?IDBDatabase} */
  #database = null;

  /** Whether the database could not be opened: it is retried later, and no call waits for it. */
  #isUnavailable = false;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retryTimer;

  /** @type {Promise<unknown>} the last task of the queue of reads and writes */
  #queue = Promise.resolve();

  #lastOrder = 0;

  /** Called after each retry that has opened the database. */
  onRecovered = () => {};

  /** @param {?IDBFactory} [factory] null: everything stays in memory */
  constructor(factory) {
    this.factory = factory;
  }

  /** @param {Kind} kind @param {Key} key @returns {boolean} whether the item is lost when the page is closed */
  isInMemory(kind, key) {
    return this.#pending[kind].has(key);
  }

  /**
   * @param {Kind} kind
   * @param {Item} item replaces the item with its key, unless another page has changed that since it was read here
   * @returns {Promise<Item>} as stored
   */
  put(kind, item) {
    return this.#enqueue(async () => {
      const keyed = { [KEY_PATHS[kind]]: this.generateOrder(), ...item };
      const key = keyed[KEY_PATHS[kind]];
      const before = JSON.stringify(this.#mirror[kind].get(key));
      await this.#write(kind, key, (now) => (JSON.stringify(now) === before ? keyed : now));
      return keyed;
    });
  }

  /** @param {Kind} kind @returns {Promise<Item[]>} */
  list(kind) {
    return this.#enqueue(async () => {
      const mirror = this.#mirror[kind];
      try {
        const items = await this.#transact(kind, "readonly", (objectStore) => awaitResult(objectStore.getAll()));
        mirror.clear();
        for (const item of items) mirror.set(item[KEY_PATHS[kind]], item);
        for (const key of this.#pending[kind].keys()) this.#updateMirror(kind, key, mirror.get(key));
      } catch { /* the mirror has what was there */ }
      if (kind === "entries") this.#lastOrder = Math.max(this.#lastOrder, .../** @type {number[]} */ ([...mirror.keys()]));
      return [...mirror.values()];
    });
  }

  /** @param {string} name @returns {Promise<MaybeItem>} the `kept` item of that name */
  get(name) {
    return this.#enqueue(async () => {
      try {
        const item = await this.#transact("kept", "readonly", (objectStore) => awaitResult(objectStore.get(name)));
        this.#updateMirror("kept", name, item);
      } catch { /* the mirror has what was there */ }
      return this.#mirror.kept.get(name);
    });
  }

  /**
   * Changes a `kept` item in one transaction: a change by another page comes before or after it.
   *
   * @param {string} name
   * @param {(before: MaybeItem) => Item} change
   * @returns {Promise<MaybeItem>} the item before the change
   */
  async update(name, change) {
    /** @type {MaybeItem} */
    let before;
    await this.#enqueue(() => this.#write("kept", name, (now) => {
      before = now;
      return change(now);
    }));
    return before;
  }

  /** @param {Kind} kind @param {Key} key */
  remove(kind, key) {
    return this.#enqueue(() => this.#write(kind, key, () => undefined));
  }

  /** Reopens a lost database, and writes the items that are only in memory. */
  recover() {
    return this.#enqueue(async () => {
      this.#isUnavailable = false;
      if (this.#database) await this.#writePending(this.#database);
      else await this.#open();
      this.onRecovered();
    }).catch(() => {}); // a later retry may succeed
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #enqueue(work) {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }

  /** Returns an order by the clock, after all that this page has seen, and unlike those of other pages. */
  generateOrder() {
    this.#lastOrder = Math.max(this.#lastOrder, Date.now() / 1_000) + ORDER_STEP * (1 + Math.random());
    return this.#lastOrder;
  }

  /** @param {Kind} kind @param {Key} key @param {MaybeItem} stored without the pending changes */
  #updateMirror(kind, key, stored) {
    const pending = this.#pending[kind].get(key);
    this.#setMirror(kind, key, pending ? applyChanges(pending, stored) : stored);
  }

  /** @param {Kind} kind @param {Key} key @param {MaybeItem} item */
  #setMirror(kind, key, item) {
    if (item) this.#mirror[kind].set(key, item);
    else this.#mirror[kind].delete(key);
  }

  /** @param {Kind} kind @param {Key} key @param {Change} change stays in memory if it cannot be written */
  async #write(kind, key, change) {
    const now = this.#mirror[kind].get(key);
    const { before, changes } = this.#pending[kind].get(key) ?? { before: now, changes: [] };
    const pending = { before, changes: [...changes, change] };
    try {
      const item = await this.#transact(kind, "readwrite", (objectStore) => writeItem(objectStore, key, pending));
      this.#pending[kind].delete(key);
      this.#setMirror(kind, key, item);
    } catch {
      this.#pending[kind].set(key, pending);
      this.#setMirror(kind, key, change(now));
      this.#scheduleRetry();
    }
  }

  /**
   * @template T
   * @param {Kind} kind
   * @param {IDBTransactionMode} mode
   * @param {(objectStore: IDBObjectStore) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #transact(kind, mode, work) {
    const database = this.#database ?? await this.#open();
    try {
      return await runTransaction(database, kind, mode, work);
    } catch {
      this.#closeDatabase(database);
      return runTransaction(await this.#open(), kind, mode, work);
    }
  }

  /** @returns {Promise<IDBDatabase>} with all pending changes, if there is room */
  async #open() {
    if (this.#isUnavailable) throw new Error("the database is retried later");
    try {
      this.#database = await openDatabase(this.factory);
    } catch (error) {
      this.#isUnavailable = true;
      this.#scheduleRetry();
      throw error;
    }
    const database = this.#database;
    database.onclose = database.onversionchange = () => {
      this.#closeDatabase(database);
      this.recover();
    };
    await this.#writePending(database);
    return database;
  }

  /** @param {IDBDatabase} database */
  #closeDatabase(database) {
    database.close();
    if (this.#database === database) this.#database = null;
  }

  /**
   * Writes what is only in memory, including items that the disk has lost: it may have been wiped. An item that another
   * page removed then stays longer than needed.
   *
   * @param {IDBDatabase} database
   */
  async #writePending(database) {
    for (const kind of KINDS) {
      try {
        await this.#writePendingKind(database, kind);
      } catch {
        this.#scheduleRetry();
      }
    }
  }

  /** @param {IDBDatabase} database @param {Kind} kind */
  async #writePendingKind(database, kind) {
    const [mirror, pending] = [this.#mirror[kind], this.#pending[kind]];
    if (!mirror.size && !pending.size) return;
    const written = await runTransaction(database, kind, "readwrite", async (objectStore) => {
      const storedKeys = new Set(await awaitResult(objectStore.getAllKeys()));
      for (const [key, before] of mirror) {
        if (!storedKeys.has(key) && !pending.has(key)) pending.set(key, { before, changes: [] });
      }
      const items = /** @type {Map<Key, MaybeItem>} */ (new Map());
      for (const [key, changes] of pending) items.set(key, await writeItem(objectStore, key, changes));
      return items;
    });
    pending.clear();
    for (const [key, item] of written) this.#setMirror(kind, key, item);
  }

  #scheduleRetry() {
    if (!this.factory) return;
    this.#retryTimer ??= setTimeout(() => {
      this.#retryTimer = undefined;
      this.recover();
    }, RETRY_DELAY);
  }
}

/** @param {PendingChanges} pending @param {MaybeItem} stored possibly changed by another page @returns {MaybeItem} */
function applyChanges({ before, changes }, stored) {
  return changes.reduce((item, change) => change(item), stored ?? before);
}

/**
 * @param {IDBObjectStore} objectStore @param {Key} key @param {PendingChanges} pending
 * @returns {Promise<MaybeItem>} the item written
 */
async function writeItem(objectStore, key, pending) {
  const before = await awaitResult(objectStore.get(key));
  const item = applyChanges(pending, before);
  if (!item) objectStore.delete(key);
  else if (item !== before) objectStore.put(item);
  return item;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function awaitResult(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @param {?IDBFactory} [factory]
 * @returns {Promise<IDBDatabase>} closed at once if it opens after the timeout, so that it blocks no other page
 */
function openDatabase(factory) {
  return new Promise((resolve, reject) => {
    if (!factory) throw new Error("no IndexedDB");
    const request = factory.open(DATABASE_NAME, DATABASE_VERSION);
    let isLate = false;
    const giveUp = () => {
      isLate = true;
      clearTimeout(timer);
      reject(new Error("the database cannot be opened"));
    };
    const timer = setTimeout(giveUp, TIMEOUT);
    request.onupgradeneeded = () => {
      for (const kind of KINDS) request.result.createObjectStore(kind, { keyPath: KEY_PATHS[kind] });
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
 * @param {(objectStore: IDBObjectStore) => Promise<T>} work
 * @returns {Promise<T>} once it is on disk, not only promised by the browser
 */
function runTransaction(database, kind, mode, work) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(kind, mode, { durability: "strict" });
    const abort = (/** @type {unknown} */ error) => {
      reject(error);
      try {
        transaction.abort();
      } catch { /* it has already ended */ }
    };
    const timer = setTimeout(() => abort(new Error("no answer")), TIMEOUT);
    const result = work(transaction.objectStore(kind));
    result.catch(abort);
    transaction.oncomplete = () => {
      clearTimeout(timer);
      resolve(result);
    };
    transaction.onabort = () => {
      clearTimeout(timer);
      reject(transaction.error);
    };
  });
}
