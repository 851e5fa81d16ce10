/** Simulates IndexedDB on a phone that may be full, be wiped, or close the databases of open pages. */

const waitForTask = () => new Promise((resolve) => { setImmediate(resolve); });

export class Disk {
  /** @type {Map<string, Map<any, object>>} by the name of the object store */
  stores = new Map();
  version = 0;
  isFull = false;
  isRefused = false;
  isSilent = false;
  isBlocked = false;
  #blocked = [];
  connections = new Set();
  #queue = Promise.resolve();

  open(_, version, page) {
    const request = {};
    this.enqueue(async () => {
      await waitForTask();
      if (this.isSilent || page?.isClosed) return;
      if (this.isRefused || version < this.version) return request.onerror();
      if (this.isBlocked) {
        this.#blocked.push(request);
        return request.onblocked();
      }
      request.result = new Connection(this, page);
      if (!this.version) request.onupgradeneeded();
      this.version = version;
      request.onsuccess();
    });
    return request;
  }

  /** @returns {{open: Function}} the factory of a page with the newest version of the program */
  createFactory(page) {
    const newest = this.version;
    return { open: (name, version) => this.open(name, Math.max(newest, version), page) };
  }

  /** @returns {object[]} the items of an object store */
  listItems(kind) {
    return [...this.stores.get(kind)?.values() ?? []];
  }

  enqueue(work) {
    this.#queue = this.#queue.then(work);
    return this.#queue;
  }

  /** Simulates that a page of an older version, which blocked the database, is closed. */
  unblock() {
    this.isBlocked = false;
    for (const request of this.#blocked.splice(0)) {
      request.result = new Connection(this);
      request.onsuccess();
    }
  }

  /** Closes all connections, as WebKit does for pages in the background. */
  close(firesEvent = true) {
    for (const connection of this.connections) {
      connection.close();
      connection.isBroken = true;
      if (firesEvent) queueMicrotask(() => connection.onclose());
    }
  }

  /** Clears the site's data. */
  wipe() {
    this.stores = new Map();
    this.version = 0;
    this.close();
  }

  /** Simulates a page with a newer version of the program; version 0 deletes the database. */
  upgrade(version) {
    for (const connection of this.connections) connection.onversionchange();
    if (!version) this.stores = new Map();
    this.version = version;
  }
}

class Connection {
  isClosed = false;
  isBroken = false;

  get isGone() { return this.isBroken || Boolean(this.page?.isClosed); }

  constructor(disk, page) {
    this.disk = disk;
    this.page = page;
    disk.connections.add(this);
  }

  createObjectStore(kind, { keyPath }) {
    this.disk.stores.set(kind, Object.assign(new Map(), { keyPath }));
  }

  close() {
    this.isClosed = true;
    this.disk.connections.delete(this);
  }

  transaction(kind, mode) {
    if (this.isClosed) throw new DOMException("closing", "InvalidStateError");
    return new Transaction(this, kind, mode);
  }
}

/** Runs its requests one after the other, and ends without further ones. */
class Transaction {
  #requests = [];
  #isAborted = false;

  constructor(connection, kind, mode) {
    Object.assign(this, { connection, kind, mode });
    connection.disk.enqueue(() => this.#run());
  }

  abort() {
    this.#isAborted = true;
  }

  objectStore() {
    const ask = (work) => {
      const request = {};
      this.#requests.push(() => {
        request.result = structuredClone(work());
        request.onsuccess?.();
      });
      return request;
    };
    const sorted = () => [...this.items.keys()].sort((one, other) => (one < other ? -1 : 1));
    return {
      get: (key) => ask(() => this.items.get(key)),
      getAll: () => ask(() => sorted().map((key) => this.items.get(key))),
      getAllKeys: () => ask(sorted),
      delete: (key) => ask(() => void this.items.delete(key)),
      put: (item) => {
        const copy = structuredClone(item);
        return ask(() => {
          if (this.connection.disk.isFull) this.error = new DOMException("no room", "QuotaExceededError");
          this.items.set(copy[this.keyPath], copy);
        });
      },
    };
  }

  async #run() {
    const { disk } = this.connection;
    const stored = disk.stores.get(this.kind);
    this.keyPath = stored?.keyPath;
    this.items = new Map(stored);
    while (this.#requests.length && !this.#isAborted && !this.connection.isGone && !disk.isSilent) {
      this.#requests.shift()();
      await waitForTask();
    }
    if (disk.isSilent) return;
    if (this.#isAborted || this.connection.isGone || this.error) return this.onabort();
    if (this.mode === "readwrite") disk.stores.set(this.kind, Object.assign(this.items, { keyPath: this.keyPath }));
    this.oncomplete();
  }
}

/** Replaces the clock and the timers of this process, which tests advance. */
export class Timers {
  #now = Date.now();
  #timers = new Map();
  #lastTimer = 0;

  constructor() {
    Date.now = () => this.#now;
    globalThis.setTimeout = (ring, after) => {
      this.#lastTimer += 1;
      this.#timers.set(this.#lastTimer, { ring, at: this.#now + after });
      return this.#lastTimer;
    };
    globalThis.clearTimeout = (timer) => this.#timers.delete(timer);
  }

  /** Removes all timers. */
  clear() {
    this.#timers.clear();
  }

  /** Advances the time until a promise is settled, as for a browser that does not answer. */
  async runUntil(done) {
    let isDone = false;
    const finished = done.finally(() => { isDone = true; });
    finished.catch(() => {});
    for (let task = 1; !isDone; task += 1) {
      await waitForTask();
      if (task % 300 === 0) this.advance(3_000);
    }
    return finished;
  }

  advance(milliseconds) {
    this.#now += milliseconds;
    for (const [timer, { ring, at }] of this.#timers) {
      if (at > this.#now) continue;
      this.#timers.delete(timer);
      ring();
    }
  }
}
