/**
 * The ruling page, where scripts run: the same form and the same sentences, answered on the phone at once, so
 * that it works without a network. scoring/rulings/question.py takes the same steps where they do not.
 */

import { TRAYS, applyTap, capacityOf, tapOf } from "./ruling_question.js";
import { mayPlay, suitOf, winner } from "./rules.js";

/** @typedef {import("./ruling_question.js").Question} Question */

/**
 * @typedef {object} Terms
 * @property {number} seats
 * @property {Record<string, import("./rules.js").Order>} orders of the cards, by what is trump
 * @property {Record<string, string>} suits their names
 * @property {Record<string, string>} sentences
 */

/** @type {Record<string, string>} */
const ICONS = { S: "spade", H: "heart", D: "diamond", C: "club" };

const form = /** @type {HTMLFormElement} */ (document.getElementById("ruling"));
/** @type {Terms} */
const { seats, orders, suits, sentences } = JSON.parse(document.getElementById("terms")?.textContent ?? "");
/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = form.querySelectorAll("[name=tap]");
const keys = new Map([...buttons].map((key) => [key.value, key]));

/** @param {string} key @param {Record<string, string | number>} [values] @returns {string} with its values */
function sentenceOf(key, values = {}) {
  return sentences[key].replace(/%\((\w+)\)s/g, (_, /** @type {string} */ name) => `${values[name]}`);
}

/** @param {HTMLButtonElement | null} key the one that was pressed @returns {Question} what the form asks then */
function readQuestion(key) {
  const data = new FormData(form);
  if (key?.name) data.set(key.name, key.value);
  return applyTap(tapOf(/** @type {Record<string, string>} */ (Object.fromEntries(data))), seats);
}

/** @param {Question} question @returns {{text: string, wins?: number, legal?: string[]}} the ruling */
function ruleOn({ trump, ask, trick, hand }) {
  const order = orders[trump];
  if (!order) return { text: sentenceOf("choose") };
  const led = trick.length ? suits[suitOf(order, trick[0])] : "";
  if (ask === "winner") {
    if (!trick.length) return { text: sentenceOf("no_trick") };
    const { place, by } = winner(order, trick);
    return { text: sentenceOf(by, { place: place + 1, card: nameOf(trick[place]), led }), wins: place };
  }
  if (trick.length >= seats) return { text: sentenceOf("trick_full") };
  if (!hand.length) return { text: sentenceOf("no_hand") };
  const { by, cards } = mayPlay(order, trick, hand);
  return { text: sentenceOf(by, { led }), legal: cards };
}

/** @param {string} card @returns {string} */
function nameOf(card) {
  return keys.get(card)?.querySelector(".unseen")?.textContent ?? "";
}

/** @param {string} trump says on jacks and Jokers which suit they belong to */
function showSuits(trump) {
  for (const [card, key] of keys) {
    const badge = key.querySelector(".counts-as");
    const suit = orders[trump] ? suitOf(orders[trump], card) : "";
    const isAnother = suit in suits && !card.endsWith(suit);
    badge?.toggleAttribute("hidden", !isAnother);
    badge?.querySelector("use")?.setAttribute("href", isAnother ? `#i-${ICONS[suit]}` : "");
    badge?.querySelector(".unseen")?.replaceChildren(isAnother ? sentenceOf("counts_as", { suit: suits[suit] }) : "");
  }
}

/** @param {string} card @param {string} kind wins, may, may-not or nothing @returns {HTMLLIElement} */
function itemOf(card, kind) {
  const item = document.createElement("li");
  item.className = kind;
  item.append(keys.get(card)?.firstElementChild?.cloneNode(true) ?? card);
  if (kind) {
    const word = document.createElement(kind === "wins" ? "b" : "span");
    if (kind !== "wins") word.className = "unseen";
    word.textContent = sentenceOf(kind.replace("-", "_"));
    item.append(word);
  }
  return item;
}

/** @param {string} name @param {string} value */
function setField(name, value) {
  const field = /** @type {HTMLInputElement} */ (form.querySelector(`input[name=${name}]`));
  field.value = value;
}

/** @param {Question} question */
function show(question) {
  const { text, wins, legal } = ruleOn(question);
  showSuits(question.trump);
  for (const name of /** @type {const} */ (["trump", "ask", "tray"])) {
    setField(name, question[name]);
    for (const key of form.querySelectorAll(`button[name=${name}]`)) {
      key.setAttribute("aria-pressed", String(key.getAttribute("value") === question[name]));
    }
  }
  for (const tray of TRAYS) {
    setField(tray, question[tray].join("-"));
    form.querySelector(`.${tray} ol`)?.replaceChildren(...question[tray].map((card, place) => {
      if (tray === "trick") return itemOf(card, place === wins ? "wins" : "");
      return itemOf(card, legal ? (legal.includes(card) ? "may" : "may-not") : "");
    }));
  }
  const isFull = question[question.tray].length >= capacityOf(question, seats);
  for (const [card, key] of keys) {
    const isUsed = question.trick.includes(card) || question.hand.includes(card);
    key.setAttribute("aria-pressed", String(isUsed));
    if (isFull && !isUsed) key.setAttribute("aria-disabled", "true");
    else key.removeAttribute("aria-disabled");
  }
  for (const note of form.querySelectorAll(".note")) {
    note.toggleAttribute("hidden", note.getAttribute("data-trump") !== question.trump);
  }
  form.querySelector(".trays")?.setAttribute("data-ask", question.ask);
  document.getElementById("full")?.toggleAttribute("hidden", !isFull);
  document.getElementById("answer")?.replaceChildren(text);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  show(readQuestion(/** @type {HTMLButtonElement | null} */ (event.submitter)));
  // The address keeps the question: to be reloaded, sent to somebody, or read in the other language.
  const fields = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
  const question = String(new URLSearchParams(fields));
  const address = `${location.pathname}?${question}`;
  history.replaceState(null, "", address);
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll("a[hreflang]");
  for (const link of links) link.search = question;
  /** @type {HTMLInputElement | null} */
  const next = document.querySelector("input[name=next]");
  if (next) next.value = address;
});
