/**
 * Stores every tap at a table on this device before it is sent, in order, with its outcome. The `entry_key` of an entry
 * lets the server record it once, however often it arrives.
 *
 *     const outbox = new Outbox({ store, installation, fetch, getToken, page: "/t/123456" });
 *     await outbox.add({ table: "/t/123456", path: "/t/123456", number: "4", values: { entry_key, … } });
 *     await outbox.flush();
 *
 * An entry goes through states, drawn in docs/operating/offline.md:
 *
 *     kept → sending → accepted
 *                    → refused, until a player has read the reason → superseded
 *                    → asked: its own page shows a question, and adds it again with the answer, or drops it → superseded
 *
 * `flush` sends the waiting entries, table by table, in order, one at a time. Without a response of this installation an
 * entry waits for the next flush, and so do those after it at its table. A refused entry holds nothing up. An entry with
 * an open question is sent again only from its own page, which shows the question.
 *
 * Each request reports which log this device has of the table (`buildReport`), and each entry for how long it waited:
 * a duration, since the clocks of device and server differ.
 *
 * Uses no page: node imports this module as browsers do.
 *
 * @typedef {"kept" | "sending" | "asked" | "accepted" | "refused" | "superseded"} State
 *
 * @typedef {object} NewEntry
 * @property {string} table the address of the table's page
 * @property {string} path the action of its form
 * @property {string} number of the table, as people know it
 * @property {Record<string, string>} values of the form; `entry_key` is one of them
 * @property {string} [words] the hand in words, such as `Roy and Dubé, 7 made`: its match may no longer be on the page when
 *   it is refused
 * @property {number} [order] by which two pages that find the same tap store it once
 *
 * @typedef {NewEntry & {order: number, installation: string, state: State, at: string, reason?: string}} Entry
 * `at` is the time by the clock of the device, `reason` that of a refusal
 *
 * @typedef {object} Answer
 * @property {Entry} entry
 * @property {import("./receipts.js").Receipt} receipt
 * @property {Response} response
 * @property {string} text of the response
 *
 * @typedef {{match: number, revision: number}} HeldMatch the match that a device has, with the revision of its log
 *
 * @typedef {object} OutboxOptions
 * @property {import("./store.js").Store} store
 * @property {string} installation the id of the installation whose page this is
 * @property {typeof fetch} fetch
 * @property {() => string} getToken the CSRF token of the browser; "" if it has none
 * @property {string} [page] the path of a page that shows questions of the server: its entries with an open question
 *   are sent again
 * @property {(table: string) => ?HeldMatch} [getHeldMatch] the match that the page has of a table
 * @property {(entry: Entry) => Promise<string>} [getDigest] the digest of the last known log of its match, so that a
 *   server restored from a backup notices that it lacks marks
 * @property {(table: string) => unknown} [onServerBehind] called if the server lacks marks of that table
 * @property {(answer: Answer) => Promise<boolean>} [saveAnswer] saves the snapshot in an answer before its entry counts as
 *   answered; false: the server was restored meanwhile, and the entry is sent again
 * @property {(answer: Answer) => void | Promise<void>} [onAnswer] called for each entry with a receipt
 */

import { isFromInstallation, readReceipt } from "./receipts.js";

const TIMEOUT = 8_000; // milliseconds
const MAX_TIMEOUT = 60_000;
const MAX_FINISHED = 400;
const MIN_UNSENT_SECONDS = 10; // seconds: a newer tap is on its way
export const REPORT_HEADER = "Charlemagne-Phone";
export const DRAWS_HEADER = "Charlemagne-Draws"; // asks for the snapshot of the table only, without its screen

/** @type {State[]} */
const WAITING_STATES = ["kept", "sending", "asked"];

export class Outbox {
  /** @type {?Promise<boolean>} */
  #flushing = null;

  /** @type {Entry[]} as of the last search for the next entry */
  #waitingEntries = [];

  /** How long to wait for a response: longer after a timeout or a slow response, since repeated requests keep a slow server
   * busy. */
  #timeout = TIMEOUT;

  /** Whether this installation answered the last request with a server error. */
  isHindered = false;

  /** @param {OutboxOptions} options */
  constructor({
    store, installation, fetch, getToken, page, getHeldMatch = () => null, getDigest = async () => "",
    onServerBehind = () => {}, saveAnswer = async () => true, onAnswer = () => {},
  }) {
    this.store = store;
    this.installation = installation;
    this.fetch = fetch;
    this.getToken = getToken;
    this.page = page;
    this.getHeldMatch = getHeldMatch;
    this.getDigest = getDigest;
    this.onServerBehind = onServerBehind;
    this.saveAnswer = saveAnswer;
    this.onAnswer = onAnswer;
  }

  /** @param {Entry[]} entries @returns {boolean} whether one of them is lost when the page is closed */
  hasUnsavedEntries(entries) {
    return entries.some(({ order }) => this.store.isInMemory("entries", order));
  }

  /**
   * Adds an entry. An entry with the same key stays as it is, unless it has an open question or was refused: then this
   * one replaces it.
   *
   * @param {NewEntry} entry
   */
  async add(entry) {
    const same = (await this.listEntries()).find((each) => buildEntryId(each) === buildEntryId(entry));
    if (same && ["kept", "sending", "accepted"].includes(same.state)) return;
    const { reason: _, ...before } = same ?? {};
    const order = (same ?? entry).order ?? this.store.generateOrder();
    await this.#put({ at: new Date().toISOString(), ...before, ...entry, order, state: "kept" });
  }

  /** @param {string} [table] @returns {Promise<Entry[]>} of this installation, or of one table, in order */
  async listEntries(table) {
    const entries = /** @type {Entry[]} */ (await this.store.list("entries"));
    const ours = entries.filter((each) => each.installation === this.installation);
    return ours.filter((each) => table === undefined || each.table === table).sort((one, other) => one.order - other.order);
  }

  /** @param {string} [table] @returns {Promise<Entry[]>} those without a final answer */
  async listWaiting(table) {
    return (await this.listEntries(table)).filter(isWaiting);
  }

  /** @param {Entry} entry given up without being recorded */
  async drop(entry) {
    await this.#put({ ...entry, state: "superseded" });
  }

  /** Deletes all but the latest finished entries. */
  async deleteFinished() {
    const done = (await this.listEntries()).filter(({ state }) => state === "accepted" || state === "superseded");
    for (const { order } of done.slice(0, -MAX_FINISHED)) await this.store.remove("entries", order);
  }

  /** @returns {Promise<boolean>} whether all entries that could be sent were answered */
  flush() {
    this.#flushing ??= this.#sendAll().finally(() => { this.#flushing = null; });
    return this.#flushing;
  }

  async #sendAll() {
    const tried = new Set();
    let isAnswered = true;
    for (let entry = await this.#findNext(tried); entry; entry = await this.#findNext(tried)) {
      tried.add(buildEntryId(entry));
      const answer = await this.#send(entry);
      if (answer) await this.#processAnswer(answer);
      else isAnswered = false;
    }
    return isAnswered;
  }

  /** @param {Set<string>} tried @returns {Promise<Entry | undefined>} the first entry of a table */
  async #findNext(tried) {
    this.#waitingEntries = await this.listWaiting();
    const firsts = new Map();
    for (const entry of this.#waitingEntries) if (!firsts.has(entry.table)) firsts.set(entry.table, entry);
    return [...firsts.values()].find((entry) => !tried.has(buildEntryId(entry))
      && (entry.state !== "asked" || entry.table === this.page));
  }

  /** @param {Answer} answer */
  async #processAnswer(answer) {
    const { entry, receipt: { outcome, reason } } = answer;
    if (outcome === "behind") return void await this.onServerBehind(entry.table);
    if (!await this.saveAnswer(answer) && outcome === "recorded") return;
    const now = (await this.listEntries(entry.table)).find((each) => each.order === entry.order);
    const isDropped = !now || !isWaiting(now);
    if (outcome === "recorded") await this.#put({ ...entry, state: "accepted" });
    else if (isDropped) return;
    else await this.#put({ ...entry, ...(outcome === "refused" ? { state: "refused", reason } : { state: "asked" }) });
    await this.onAnswer(answer);
  }

  /** @param {Entry} entry @returns {Promise<?Answer>} null: no receipt of this installation, or an incomplete response */
  async #send(entry) {
    try {
      if (!this.getToken()) await this.#request(entry.table, entry.table); // its response sets one
      if (entry.state === "kept") await this.#put({ ...entry, state: "sending" });
      const waited = String(countWaitSeconds(entry));
      const digest = await this.getDigest(entry);
      const body = new URLSearchParams({ ...entry.values, waited, heard: digest, csrfmiddlewaretoken: this.getToken() });
      const { response, text } = await this.#request(entry.table, entry.path, { method: "POST", body }, entry);
      const receipt = readReceipt(response.headers, this.installation, entry.values.entry_key);
      const isAnswered = isFromInstallation(response.headers, this.installation);
      this.isHindered = isAnswered && response.status >= 500;
      if (!receipt && isAnswered && !this.isHindered) await this.#request(entry.table, entry.table); // to get a new token
      return receipt && { entry, receipt, response, text };
    } catch {
      this.isHindered = false;
      return null;
    }
  }

  /**
   * Sends a request like those of htmx.
   *
   * @param {string} table @param {string} path @param {RequestInit} [options]
   * @param {Entry} [sent] the entry in the request, which the report does not count as waiting
   */
  async #request(table, path, options, sent) {
    const controller = new AbortController();
    const startedAt = Date.now();
    const timer = setTimeout(() => {
      this.#timeout = Math.min(2 * this.#timeout, MAX_TIMEOUT);
      controller.abort();
    }, this.#timeout);
    try {
      const { fetch } = this; // browsers refuse to call it as a method of this
      const others = this.#waitingEntries.filter((each) => each.table === table && each !== sent);
      const report = buildReport(others, this.getHeldMatch(table));
      const headers = { "HX-Request": "true", [REPORT_HEADER]: report, [DRAWS_HEADER]: "1" };
      const response = await fetch(path, { ...options, headers, cache: "no-store", signal: controller.signal });
      const text = await response.text();
      this.#timeout = Math.max(TIMEOUT, 2 * Math.min(Date.now() - startedAt, MAX_TIMEOUT / 2));
      return { response, text };
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {Partial<Entry>} entry */
  async #put(entry) {
    await this.store.put("entries", { ...entry, installation: this.installation });
  }
}

/** @returns {string} a random key; browsers have no `randomUUID` on pages over HTTP */
export function createKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

/** @param {Entry} entry @returns {boolean} whether its outcome is still open */
export function isWaiting({ state }) {
  return WAITING_STATES.includes(state);
}

/** @param {NewEntry} entry @returns {string} its table and its key */
function buildEntryId(entry) {
  return `${entry.table} ${entry.values.entry_key}`;
}

/** @param {Entry} entry @returns {number} how long it has been stored; 0 if the clock was set back meanwhile */
export function countWaitSeconds({ at }) {
  return Math.max(0, Math.floor((Date.now() - Date.parse(at)) / 1_000)) || 0;
}

/**
 * @param {readonly Entry[]} entries of a table @param {?HeldMatch} heldMatch
 * @returns {string} the report that `phone_report` of `scoring/parsing.py` reads
 */
export function buildReport(entries, heldMatch) {
  const unsent = entries.filter((entry) => isWaiting(entry) && countWaitSeconds(entry) >= MIN_UNSENT_SECONDS);
  const values = Object.entries({ ...heldMatch, waiting: unsent.length });
  return new URLSearchParams(values.map(([name, value]) => [name, String(value)])).toString();
}
