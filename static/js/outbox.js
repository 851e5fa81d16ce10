/**
 * What was marked on this device, in order: a log to which everything that is tapped at a table is added before it
 * leaves, and which keeps what became of it. Its `entry_key` lets the server record it once, however often it arrives.
 *
 *     const outbox = new Outbox({ store, installation, fetch, token, page: "/t/123456" });
 *     await outbox.add({ table: "/t/123456", path: "/t/123456", number: "4", values: { entry_key, … } });
 *     await outbox.flush();
 *
 * An entry goes through states, drawn in docs/operating/offline.md:
 *
 *     kept → sending → accepted
 *                    → refused, until somebody has read why → superseded
 *                    → asked: its own page shows a question, and adds it anew with the answer, or drops it → superseded
 *
 * `flush` sends what waits: table by table, in the order of marking, one at a time. Without an answer of ours an
 * entry waits, and those after it at its table wait with it, until the next flush. One that was refused holds nothing
 * up. One that is asked about goes again only from its own page, if that shows the question as the server has it.
 *
 * With whatever it asks, it says what this device holds of that table (`reportOf`), and with each entry for how long it
 * waited here: the server has a clock of its own, so only differences by this device's clock are said.
 *
 * No page in here: node imports this module as browsers do.
 *
 * @typedef {"kept" | "sending" | "asked" | "accepted" | "refused" | "superseded"} State
 *
 * @typedef {object} NewEntry
 * @property {string} table the address of the table's page
 * @property {string} path where its form goes to
 * @property {string} number of the table, for people
 * @property {Record<string, string>} values of the form; `entry_key` is one of them
 * @property {string} [words] the hand that they say, such as `Roy and Dubé, 7 made`: a refusal may come when its match is
 *   no longer on the page
 * @property {number} [order] by which a page and the next one, which finds its tap, keep it once
 *
 * @typedef {NewEntry & {order: number, installation: string, state: State, at: string, reason?: string}} Entry
 * `at` is the moment by the clock of the device, `reason` why it was refused
 *
 * @typedef {object} Answer
 * @property {Entry} entry
 * @property {import("./answers.js").Receipt} receipt
 * @property {Response} response
 * @property {string} text of it
 *
 * @typedef {{match: number, revision: number}} Held the match that a device has, with its log at that revision
 *
 * @typedef {object} Options
 * @property {import("./store.js").Store} store
 * @property {string} installation the id of the installation whose page this is
 * @property {typeof fetch} fetch
 * @property {() => string} token for forms, as the browser has it now; "" where it has none
 * @property {string} [page] the path of a page on which the server's questions are seen: what was asked about goes
 *   again from it
 * @property {(table: string) => ?Held} [held] what the page knows of a table
 * @property {(entry: Entry) => Promise<string>} [digestFor] what was heard of the entry's match, so that a server that
 *   went back does not hold it against less
 * @property {(table: string) => unknown} [onBehind] the server went back, and lacks what is known of that table
 * @property {(answer: Answer) => Promise<boolean>} [learn] keeps what an answer says of its table, before the entry counts
 *   as answered: what is accepted is seen as the server has placed it, also where another hand of it was refused. false:
 *   it was not kept, for the server went back meanwhile, and the entry goes once more
 * @property {(answer: Answer) => void | Promise<void>} [onAnswer] for each entry that the server knows of now
 */

import { isOurs, receiptOf } from "./answers.js";

const PATIENCE = 8_000; // milliseconds
const MOST_PATIENCE = 60_000;
const REMEMBERED = 400;
const UNSENT_AFTER = 10; // seconds: what was just tapped is under way
export const REPORT = "Charlemagne-Phone";
export const DRAWS = "Charlemagne-Draws"; // nothing but what the server knows of the table is wanted of an answer

/** @type {State[]} */
const WAITING = ["kept", "sending", "asked"];

export class Outbox {
  /** @type {?Promise<boolean>} */
  #sending = null;

  /** @type {Entry[]} what waited when the next one was looked for */
  #waiting = [];

  /** for how long an answer is waited for: longer where none came or the last one took long, since a slow server that is
   * asked again and again has more to do, and answers nobody in time */
  #patience = PATIENCE;

  /** whether the last try was answered by this installation, which said that it cannot record now */
  isHindered = false;

  /** @param {Options} options */
  constructor({
    store, installation, fetch, token, page,
    held = () => null, digestFor = async () => "", onBehind = () => {}, learn = async () => true, onAnswer = () => {},
  }) {
    this.store = store;
    this.installation = installation;
    this.fetch = fetch;
    this.token = token;
    this.page = page;
    this.held = held;
    this.digestFor = digestFor;
    this.onBehind = onBehind;
    this.learn = learn;
    this.onAnswer = onAnswer;
  }

  /** @param {Entry[]} entries @returns {boolean} whether one is kept only as long as its page is open */
  isForgetful(entries) {
    return entries.some(({ order }) => this.store.isInMemory("entries", order));
  }

  /**
   * One more entry. Where its key is known already it is the same entry, which stands as it is, unless it was asked
   * about or refused: then this is its next form.
   *
   * @param {NewEntry} entry
   */
  async add(entry) {
    const same = (await this.entries()).find((each) => keyOf(each) === keyOf(entry));
    if (same && ["kept", "sending", "accepted"].includes(same.state)) return;
    const { reason: _, ...before } = same ?? {};
    const order = (same ?? entry).order ?? this.store.nextOrder();
    await this.#put({ at: new Date().toISOString(), ...before, ...entry, order, state: "kept" });
  }

  /** @param {string} [table] @returns {Promise<Entry[]>} all of this installation, or of a table, in order */
  async entries(table) {
    const entries = /** @type {Entry[]} */ (await this.store.all("entries"));
    const ours = entries.filter((each) => each.installation === this.installation);
    return ours.filter((each) => table === undefined || each.table === table).sort((one, other) => one.order - other.order);
  }

  /** @param {string} [table] @returns {Promise<Entry[]>} those that wait for an answer */
  async waiting(table) {
    return (await this.entries(table)).filter(isWaiting);
  }

  /** @param {Entry} entry waits no more, and was not recorded */
  async drop(entry) {
    await this.#put({ ...entry, state: "superseded" });
  }

  /** Forgets what was done with long ago. */
  async tidy() {
    const done = (await this.entries()).filter(({ state }) => state === "accepted" || state === "superseded");
    for (const { order } of done.slice(0, -REMEMBERED)) await this.store.remove("entries", order);
  }

  /** @returns {Promise<boolean>} whether all that could go was answered */
  flush() {
    this.#sending ??= this.#sendAll().finally(() => { this.#sending = null; });
    return this.#sending;
  }

  async #sendAll() {
    const tried = new Set();
    let isAnswered = true;
    for (let entry = await this.#next(tried); entry; entry = await this.#next(tried)) {
      tried.add(keyOf(entry));
      const answer = await this.#send(entry);
      if (answer) await this.#hear(answer);
      else isAnswered = false;
    }
    return isAnswered;
  }

  /** @param {Set<string>} tried @returns {Promise<Entry | undefined>} the first one of some table */
  async #next(tried) {
    this.#waiting = await this.waiting();
    const firsts = new Map();
    for (const entry of this.#waiting) if (!firsts.has(entry.table)) firsts.set(entry.table, entry);
    return [...firsts.values()].find((entry) => !tried.has(keyOf(entry))
      && (entry.state !== "asked" || entry.table === this.page));
  }

  /** @param {Answer} answer */
  async #hear(answer) {
    const { entry, receipt: { outcome, reason } } = answer;
    if (outcome === "behind") return void await this.onBehind(entry.table);
    if (!await this.learn(answer) && outcome === "recorded") return;
    const now = (await this.entries(entry.table)).find((each) => each.order === entry.order);
    const isDropped = !now || !isWaiting(now);
    if (outcome === "recorded") await this.#put({ ...entry, state: "accepted" });
    else if (isDropped) return;
    else await this.#put({ ...entry, ...(outcome === "refused" ? { state: "refused", reason } : { state: "asked" }) });
    await this.onAnswer(answer);
  }

  /** @param {Entry} entry @returns {Promise<?Answer>} null: no answer of ours about it, or not all of it */
  async #send(entry) {
    try {
      if (!this.token()) await this.#ask(entry.table, entry.table); // which brings one
      if (entry.state === "kept") await this.#put({ ...entry, state: "sending" });
      const waited = String(secondsOf(entry));
      const heard = await this.digestFor(entry);
      const body = new URLSearchParams({ ...entry.values, waited, heard, csrfmiddlewaretoken: this.token() });
      const { response, text } = await this.#ask(entry.table, entry.path, { method: "POST", body }, entry);
      const receipt = receiptOf(response.headers, this.installation, entry.values.entry_key);
      const isAnswered = isOurs(response.headers, this.installation);
      this.isHindered = isAnswered && response.status >= 500;
      if (!receipt && isAnswered && !this.isHindered) await this.#ask(entry.table, entry.table); // for another token
      return receipt && { entry, receipt, response, text };
    } catch {
      this.isHindered = false;
      return null;
    }
  }

  /**
   * As a page asks that swaps parts.
   *
   * @param {string} table @param {string} path @param {RequestInit} [more]
   * @param {Entry} [sent] what goes with it: whoever reads what this device says of itself has that
   */
  async #ask(table, path, more, sent) {
    const closed = new AbortController();
    const asked = Date.now();
    const timer = setTimeout(() => {
      this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
      closed.abort();
    }, this.#patience);
    try {
      const { fetch } = this; // as a method of this, a browser's refuses
      const others = this.#waiting.filter((each) => each.table === table && each !== sent);
      const report = reportOf(others, this.held(table));
      const headers = { "HX-Request": "true", [REPORT]: report, [DRAWS]: "1" };
      const response = await fetch(path, { ...more, headers, cache: "no-store", signal: closed.signal });
      const text = await response.text();
      this.#patience = Math.max(PATIENCE, 2 * Math.min(Date.now() - asked, MOST_PATIENCE / 2));
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

/** @returns {string} a key as only this tap has it; `randomUUID` is not there on a plain address of a hall */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

/** @param {Entry} entry @returns {boolean} whether nobody knows yet what became of it */
export function isWaiting({ state }) {
  return WAITING.includes(state);
}

/** @param {NewEntry} entry @returns {string} where it goes, and its key */
function keyOf(entry) {
  return `${entry.table} ${entry.values.entry_key}`;
}

/** @param {Entry} entry @returns {number} for how long it has been here; 0 where the clock was set back meanwhile */
export function secondsOf({ at }) {
  return Math.max(0, Math.floor((Date.now() - Date.parse(at)) / 1_000)) || 0;
}

/**
 * @param {readonly Entry[]} entries of a table @param {?Held} held
 * @returns {string} what this device says of itself there: `scoring/parsing.py`, `phone_report`
 */
export function reportOf(entries, held) {
  const unsent = entries.filter((entry) => isWaiting(entry) && secondsOf(entry) >= UNSENT_AFTER);
  const said = Object.entries({ ...held, waiting: unsent.length });
  return new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
}
