/**
 * Hands that are on their way: each is kept on this phone, under its table and its key, until the server has
 * said what became of that key. Its `entry_key` lets the server record it once, however often it arrives.
 *
 *     const outbox = new Outbox({ storage: localStorage, installation, fetch, token, page: "/t/123456" });
 *     outbox.add({ path: "/t/123456", table: "4", values: { entry_key, … } }); // as its form would send them
 *     await outbox.flush();
 *
 * `flush` sends what waits: table by table, in the order of marking, one at a time. A hand without an answer of
 * ours stays, and those after it at its table wait with it, until the next flush. A hand that was recorded is
 * gone. One that was refused waits no more, and is in `refused` with its reason until it is dropped. One that is
 * asked about stays, but goes again only from its own page, where the question can be seen: that page drops it
 * as it shows the question, or adds it again with the answer.
 *
 * No page in here: node imports this module as browsers do.
 *
 * @typedef {object} Hand
 * @property {string} path where its form goes to
 * @property {string} table its number, for people
 * @property {Record<string, string>} values of the form; `entry_key` is one of them
 * @property {number} order of marking
 * @property {boolean} [isAsked] whether its own page is to show a question about it
 * @property {string} [reason] why it was refused
 *
 * @typedef {object} Answer
 * @property {Hand} hand
 * @property {import("./answers.js").Receipt} receipt
 * @property {Response} response
 * @property {string} text of it
 *
 * @typedef {object} Options
 * @property {Storage} [storage] without it, or where it is full or forbidden, hands are kept in memory
 * @property {string} installation the id of the installation whose page this is
 * @property {typeof fetch} fetch
 * @property {() => string} token for forms, as the browser has it now; "" where it has none
 * @property {string} [page] the path of the page that this is, where hands that were asked about go again
 * @property {(answer: Answer) => void | Promise<void>} [onAnswer] for each hand that the server knows of now
 */

import { receiptOf } from "./answers.js";

const PREFIX = "hand";
const PATIENCE = 8_000;

export class Outbox {
  /** @type {Map<string, Hand>} those that the storage would not take */
  #inMemory = new Map();
  /** @type {?Promise<void>} */
  #sending = null;

  /** @param {Options} options */
  constructor({ storage, installation, fetch, token, page, onAnswer = () => {} }) {
    this.storage = storage;
    this.installation = installation;
    this.fetch = fetch;
    this.token = token;
    this.page = page;
    this.onAnswer = onAnswer;
  }

  /** @returns {boolean} whether some hand is kept only as long as its page is open */
  get isForgetful() {
    return this.#inMemory.size > 0;
  }

  /**
   * One more hand. Where its key waits already it is the same hand, which stands as it is, unless it was asked
   * about or refused: then this is its next form.
   *
   * @param {Omit<Hand, "order">} hand
   */
  add(hand) {
    const hands = this.#hands();
    const same = hands.find((each) => placeOf(each) === placeOf(hand));
    if (same && !same.isAsked && !isRefused(same)) return;
    const order = same?.order ?? 1 + Math.max(0, ...hands.map((each) => each.order));
    this.#put({ ...hand, order });
  }

  /** @param {string} [path] @returns {Hand[]} those that wait, in the order of marking: at that table, or at all */
  all(path) {
    return this.#hands().filter((hand) => !isRefused(hand) && (path === undefined || hand.path === path));
  }

  /** @returns {Hand[]} those that were refused and not yet dropped, each with its reason */
  refused() {
    return this.#hands().filter(isRefused);
  }

  /** @param {Hand} hand is forgotten */
  drop(hand) {
    const place = this.#placeOf(hand);
    this.#inMemory.delete(place);
    try {
      this.storage?.removeItem(place);
    } catch { /* nothing was kept there */ }
  }

  /** @returns {Promise<void>} once each that waits has been sent, or its table had no answer */
  flush() {
    this.#sending ??= this.#sendAll().finally(() => { this.#sending = null; });
    return this.#sending;
  }

  async #sendAll() {
    const tried = new Set();
    for (let hand = this.#next(tried); hand; hand = this.#next(tried)) {
      tried.add(placeOf(hand));
      const answer = await this.#send(hand);
      if (answer) await this.#hear(answer);
    }
  }

  /** @param {Set<string>} tried @returns {Hand | undefined} the first one of some table */
  #next(tried) {
    const firsts = new Map();
    for (const hand of this.all()) if (!firsts.has(hand.path)) firsts.set(hand.path, hand);
    return [...firsts.values()].find((hand) => !tried.has(placeOf(hand))
      && (!hand.isAsked || hand.path === this.page));
  }

  /** @param {Answer} answer */
  async #hear(answer) {
    const { hand, receipt: { outcome, reason } } = answer;
    const isDropped = !this.#hands().some((each) => placeOf(each) === placeOf(hand));
    if (outcome === "recorded") this.drop(hand);
    else if (isDropped) return;
    else this.#put(outcome === "refused" ? { ...hand, reason } : { ...hand, isAsked: true });
    await this.onAnswer(answer);
  }

  /** @param {Hand} hand @returns {Promise<?Answer>} null: no answer of ours about this hand, or not all of it: without
   * the screen that comes with it, the next tap would be meant for a place that is taken */
  async #send(hand) {
    try {
      if (!this.token()) await this.#ask(hand.path); // which brings one
      const body = new URLSearchParams({ ...hand.values, csrfmiddlewaretoken: this.token() });
      const { response, text } = await this.#ask(hand.path, { method: "POST", body });
      const receipt = receiptOf(response.headers, this.installation, hand.values.entry_key);
      return receipt && { hand, receipt, response, text };
    } catch {
      return null;
    }
  }

  /** @param {string} path @param {RequestInit} [more] as a page asks that swaps parts */
  async #ask(path, more) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE);
    try {
      const { fetch } = this; // as a method of this, a browser's refuses
      const headers = { "HX-Request": "true" };
      const response = await fetch(path, { ...more, headers, cache: "no-store", signal: patience.signal });
      return { response, text: await response.text() };
    } finally {
      clearTimeout(timer);
    }
  }

  /** @returns {Hand[]} all of this installation, in the order of marking */
  #hands() {
    /** @type {[string, Hand][]} */
    const kept = this.#places().map((place) => [place, JSON.parse(this.storage?.getItem(place) ?? "null")]);
    const hands = new Map([...kept, ...this.#inMemory]);
    return [...hands.values()].sort((one, other) => one.order - other.order);
  }

  /** @returns {string[]} */
  #places() {
    try {
      const names = Array.from({ length: this.storage?.length ?? 0 }, (_, place) => this.storage?.key(place) ?? "");
      return names.filter((name) => name.startsWith(`${PREFIX} ${this.installation} `));
    } catch {
      return [];
    }
  }

  /** @param {Hand} hand */
  #put(hand) {
    const place = this.#placeOf(hand);
    try {
      /** @type {Storage} */ (this.storage).setItem(place, JSON.stringify(hand));
      this.#inMemory.delete(place);
    } catch {
      this.#inMemory.set(place, hand);
    }
  }

  /** @param {Hand} hand */
  #placeOf(hand) {
    return `${PREFIX} ${this.installation} ${placeOf(hand)}`;
  }
}

/** @param {Hand} hand @returns {boolean} */
function isRefused(hand) {
  return hand.reason !== undefined;
}

/** @param {Omit<Hand, "order">} hand @returns {string} where it goes, and its key */
function placeOf(hand) {
  return `${hand.path} ${hand.values.entry_key}`;
}
