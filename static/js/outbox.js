/**
 * Hands that are on their way: each is kept on this phone, under its table and its key, until the server has
 * said what became of that key. Its `entry_key` lets the server record it once, however often it arrives.
 *
 *     const outbox = new Outbox({ storage: localStorage, installation, fetch, token });
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
 * @property {Object<string, string>} values of the form; `entry_key` is one of them
 * @property {number} [order] of marking
 * @property {boolean} [isAsked] whether its own page is to show a question about it
 * @property {string} [reason] why it was refused
 *
 * @typedef {object} Answer
 * @property {Hand} hand
 * @property {import("./answers.js").Receipt} receipt
 * @property {Response} response its body is still to be read
 *
 * @typedef {object} Options
 * @property {Storage} [storage] without it, or where it is full or forbidden, hands are kept in memory
 * @property {string} installation the id of the installation whose page this is
 * @property {typeof fetch} fetch
 * @property {() => string} token for forms, as the browser has it now; "" where it has none
 * @property {(answer: Answer) => void | Promise<void>} [onAnswer] for each hand that the server knows of now
 */

import { isOurs, receiptOf } from "./answers.js";

const PREFIX = "hand";
const PATIENCE = 8_000;

export class Outbox {
  /** @type {Map<string, Hand>} those that the storage would not take */
  #inMemory = new Map();
  /** @type {?Promise<void>} */
  #sending = null;

  /** @param {Options} options */
  constructor({ storage, installation, fetch, token, onAnswer = () => {} }) {
    this.storage = storage;
    this.installation = installation;
    this.fetch = fetch;
    this.token = token;
    this.onAnswer = onAnswer;
  }

  /** @returns {boolean} whether some hand is kept only as long as its page is open */
  get isForgetful() {
    return this.#inMemory.size > 0;
  }

  /** @param {Hand} hand one more; where its key waits already, it is the same hand, which stands as it is unless it was asked about */
  add(hand) {
    const hands = this.#hands();
    const same = hands.find((each) => placeOf(each) === placeOf(hand));
    if (same && !same.isAsked && !same.reason) return;
    const order = same?.order ?? 1 + Math.max(0, ...hands.map((each) => each.order));
    this.#put({ ...hand, order });
  }

  /** @param {string} [path] @returns {Hand[]} those that wait, in the order of marking: at that table, or at all */
  all(path) {
    return this.#hands().filter((hand) => !hand.reason && (path === undefined || hand.path === path));
  }

  /** @returns {Hand[]} those that were refused and not yet dropped, each with its reason */
  refused() {
    return this.#hands().filter((hand) => hand.reason);
  }

  /** @param {Hand} hand is forgotten */
  drop(hand) {
    const place = this.#placeOf(hand);
    this.#inMemory.delete(place);
    try {
      this.storage?.removeItem(place);
    } catch { /* nothing was kept there */ }
  }

  /**
   * @param {string} [here] the path of the page that shows questions: hands that were asked about go again there
   * @returns {Promise<void>} once all that wait have been sent, or their tables had no answer
   */
  flush(here) {
    this.#sending ??= this.#sendAll(here).finally(() => { this.#sending = null; });
    return this.#sending;
  }

  /** @param {string} [here] */
  async #sendAll(here) {
    const silent = new Set();
    const isNext = (hand) => !silent.has(hand.path) && (!hand.isAsked || hand.path === here);
    for (let hand = this.all().find(isNext); hand; hand = this.all().find(isNext)) {
      const answer = await this.#send(hand);
      if (!answer || answer.receipt.outcome === "asked") silent.add(hand.path);
      if (answer) await this.#hear(answer);
    }
  }

  /** @param {Answer} answer */
  async #hear(answer) {
    const { hand, receipt: { outcome, reason } } = answer;
    if (outcome === "recorded") this.drop(hand);
    else this.#put(outcome === "refused" ? { ...hand, reason: reason || "?" } : { ...hand, isAsked: true });
    await this.onAnswer(answer);
  }

  /** @param {Hand} hand @returns {Promise<?Answer>} null: no answer of ours about this hand */
  async #send(hand) {
    try {
      if (!this.token()) await this.#ask(hand.path); // which brings one
      const values = { ...hand.values, csrfmiddlewaretoken: this.token() };
      const response = await this.#ask(hand.path, { method: "POST", body: new URLSearchParams(values) });
      const receipt = receiptOf(response.headers, this.installation, hand.values.entry_key);
      return receipt && { hand, receipt, response };
    } catch {
      return null;
    }
  }

  /** @param {string} path @param {RequestInit} [more] @returns {Promise<Response>} as a page that swaps parts asks */
  async #ask(path, more) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE);
    try {
      const { fetch } = this;
      const headers = { "HX-Request": "true" };
      return await fetch(path, { ...more, headers, cache: "no-store", signal: patience.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  /** @returns {Hand[]} all of this installation, in the order of marking */
  #hands() {
    const kept = this.#places().map((place) => JSON.parse(this.storage.getItem(place)));
    return [...kept, ...this.#inMemory.values()].sort((one, other) => one.order - other.order);
  }

  /** @returns {string[]} */
  #places() {
    try {
      const names = Array.from({ length: this.storage?.length ?? 0 }, (_, place) => this.storage.key(place));
      return names.filter((name) => name.startsWith(`${PREFIX} ${this.installation} `));
    } catch {
      return [];
    }
  }

  /** @param {Hand} hand */
  #put(hand) {
    const place = this.#placeOf(hand);
    try {
      this.storage.setItem(place, JSON.stringify(hand));
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

/** @param {Hand} hand @returns {string} */
function placeOf(hand) {
  return `${hand.path} ${hand.values.entry_key}`;
}
