/**
 * What a browser keeps of this site, in IndexedDB: it outlasts the page, the browser and an empty battery. Where it is
 * forbidden, full or wiped, things are kept in memory, as long as their page is open.
 *
 *     const store = await openStore();
 *     await store.put("entries", { … }); // is there, once this is done, also after the battery was empty
 *
 * @typedef {"entries" | "kept"} Kind `entries` have their `order`, given when they are put; `kept` things have a `name`
 * @typedef {Record<string, any>} Item
 */

const NAME = "charlemagne";
const VERSION = 1;
const PLACE = /** @type {const} */ ({ entries: "order", kept: "name" });
const AFTER_ALL_OTHERS = 2 ** 30;
const STEP = 2 ** -11; // so that what is in memory comes before what the database will number next

/** @param {IDBFactory} [factory] @returns {Promise<Store>} */
export async function openStore(factory) {
  try {
    return new Store(await open(factory ?? indexedDB));
  } catch {
    return new Store(null);
  }
}

/** @param {IDBFactory} factory @returns {Promise<IDBDatabase>} */
function open(factory) {
  const request = factory.open(NAME, VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("entries", { keyPath: PLACE.entries, autoIncrement: true });
    request.result.createObjectStore("kept", { keyPath: PLACE.kept });
  };
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another version is open"));
  });
}

export class Store {
  /** @type {Record<Kind, Map<any, Item>>} */
  #inMemory = { entries: new Map(), kept: new Map() };

  /** The highest order that this page has seen; where nothing can be read, there may be any. */
  #last = AFTER_ALL_OTHERS;

  /** @param {?IDBDatabase} database */
  constructor(database) {
    this.database = database;
  }

  /** @param {Kind} kind @param {string | number} place whether what is there goes when its page is closed */
  isInMemory(kind, place) {
    return this.#inMemory[kind].has(place);
  }

  /** @param {Kind} kind @param {Item} item takes the place of the one in its place @returns {Promise<Item>} as kept */
  async put(kind, item) {
    const place = PLACE[kind];
    try {
      const key = await this.#do("readwrite", kind, (items) => items.put(item));
      this.#inMemory[kind].delete(item[place]);
      return { ...item, [place]: key };
    } catch {
      const inMemory = { [place]: this.#nextInMemory(), ...item };
      this.#inMemory[kind].set(inMemory[place], inMemory);
      return inMemory;
    }
  }

  /** @param {Kind} kind @returns {Promise<Item[]>} by their places */
  async all(kind) {
    /** @type {Item[]} */
    let items = [];
    try {
      items = await this.#do("readonly", kind, (each) => each.getAll());
      const orders = [...items, ...this.#inMemory.entries.values()].map(({ order }) => order);
      if (kind === "entries") this.#last = Math.max(0, ...orders);
    } catch { /* what is in memory is all there is */ }
    const inMemory = this.#inMemory[kind];
    return [...items.filter((item) => !inMemory.has(item[PLACE[kind]])), ...inMemory.values()];
  }

  /** An order after all that was seen, and another one than any other page gives: both may be written down later. */
  #nextInMemory() {
    this.#last += STEP * (1 + Math.random());
    return this.#last;
  }

  /** @param {string} name @returns {Promise<Item | undefined>} of the kept things */
  async get(name) {
    try {
      return this.#inMemory.kept.get(name) ?? await this.#do("readonly", "kept", (items) => items.get(name));
    } catch {
      return undefined;
    }
  }

  /**
   * Changes a kept thing at once: what another page of this phone keeps meanwhile comes before it or after it.
   *
   * @param {string} name
   * @param {(before: Item | undefined) => Item} change
   * @returns {Promise<Item | undefined>} what was kept there before
   */
  async change(name, change) {
    /** @type {Item | undefined} */
    let before;
    try {
      await this.#do("readwrite", "kept", (items) => {
        const request = items.get(name);
        request.onsuccess = () => {
          before = this.#inMemory.kept.get(name) ?? request.result;
          items.put(change(before));
        };
        return request;
      });
      this.#inMemory.kept.delete(name);
    } catch {
      const stored = await this.get(name);
      before = this.#inMemory.kept.get(name) ?? stored;
      this.#inMemory.kept.set(name, change(before));
    }
    return before;
  }

  /** @param {Kind} kind @param {string | number} place */
  async remove(kind, place) {
    this.#inMemory[kind].delete(place);
    try {
      await this.#do("readwrite", kind, (items) => items.delete(place));
    } catch { /* nothing was kept there */ }
  }

  /**
   * @param {IDBTransactionMode} mode
   * @param {Kind} kind
   * @param {(items: IDBObjectStore) => IDBRequest} ask
   * @returns {Promise<any>} once it is on the disk, not only promised by the browser
   */
  #do(mode, kind, ask) {
    return new Promise((resolve, reject) => {
      if (!this.database) throw new Error("nothing is kept here");
      const transaction = this.database.transaction(kind, mode, { durability: "strict" });
      const request = ask(transaction.objectStore(kind));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }
}
