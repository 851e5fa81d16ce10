/** IndexedDB as browsers have it, on a phone that may fill up, be wiped, or take it away from its open pages. */

const anotherTask = () => new Promise((resolve) => { setImmediate(resolve); });

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
  #turn = Promise.resolve();

  open(_, version, page) {
    const request = {};
    this.inTurn(async () => {
      await anotherTask();
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

  /** @returns {{open: Function}} the factory of a page, of the newest version of the program: what is closed asks nothing */
  of(page) {
    const newest = this.version;
    return { open: (name, version) => this.open(name, Math.max(newest, version), page) };
  }

  /** @returns {object[]} what is written in an object store */
  written(kind) {
    return [...this.stores.get(kind)?.values() ?? []];
  }

  inTurn(work) {
    this.#turn = this.#turn.then(work);
    return this.#turn;
  }

  /** A page of an older version is closed, which kept others from opening the database. */
  unblock() {
    this.isBlocked = false;
    for (const request of this.#blocked.splice(0)) {
      request.result = new Connection(this);
      request.onsuccess();
    }
  }

  /** As WebKit does with a page in a pocket; `isSaid`: by an event. */
  close(isSaid = true) {
    for (const connection of this.connections) {
      connection.close();
      connection.isBroken = true;
      if (isSaid) queueMicrotask(() => connection.onclose());
    }
  }

  /** Somebody clears the site's data. */
  wipe() {
    this.stores = new Map();
    this.version = 0;
    this.close();
  }

  /** A page of a newer version of the program is opened, or one that deletes the database. */
  change(version) {
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

/** One after the other; it ends when nobody asks anything more of it. */
class Transaction {
  #asked = [];
  #isAborted = false;

  constructor(connection, kind, mode) {
    Object.assign(this, { connection, kind, mode });
    connection.disk.inTurn(() => this.#run());
  }

  abort() {
    this.#isAborted = true;
  }

  objectStore() {
    const ask = (work) => {
      const request = {};
      this.#asked.push(() => {
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
    while (this.#asked.length && !this.#isAborted && !this.connection.isGone && !disk.isSilent) {
      this.#asked.shift()();
      await anotherTask();
    }
    if (disk.isSilent) return;
    if (this.#isAborted || this.connection.isGone || this.error) return this.onabort();
    if (this.mode === "readwrite") disk.stores.set(this.kind, Object.assign(this.items, { keyPath: this.keyPath }));
    this.oncomplete();
  }
}

/** The clock of this process, and its timers, go on when a test says so. */
export class Timers {
  #now = Date.now();
  #waiting = new Map();
  #last = 0;

  constructor() {
    Date.now = () => this.#now;
    globalThis.setTimeout = (ring, after) => {
      this.#last += 1;
      this.#waiting.set(this.#last, { ring, at: this.#now + after });
      return this.#last;
    };
    globalThis.clearTimeout = (timer) => this.#waiting.delete(timer);
  }

  /** Those that wait for something that is gone. */
  forget() {
    this.#waiting.clear();
  }

  /** Lets time pass for whoever waits for a browser that does not answer. */
  async until(done) {
    let isDone = false;
    const over = done.finally(() => { isDone = true; });
    over.catch(() => {});
    for (let task = 1; !isDone; task += 1) {
      await anotherTask();
      if (task % 300 === 0) this.pass(3_000);
    }
    return over;
  }

  pass(milliseconds) {
    this.#now += milliseconds;
    for (const [timer, { ring, at }] of this.#waiting) {
      if (at > this.#now) continue;
      this.#waiting.delete(timer);
      ring();
    }
  }
}
