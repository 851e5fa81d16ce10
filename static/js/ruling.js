/**
 * Answers questions of the ruling page on the phone, with the same form and sentences, so that it works without a network.
 * Without scripts, scoring/rulings/question.py takes the same steps.
 */

import { TRAYS, applyTap, getCapacity, parseTap } from "./ruling_question.js";
import { findSuit, findWinner, listPlayableCards } from "./rules.js";

/** @typedef {import("./ruling_question.js").Question} Question */

/**
 * @typedef {object} RulingTerms
 * @property {number} seats
 * @property {Record<string, import("./rules.js").CardOrder>} orders of the cards, by trump
 * @property {Record<string, string>} suits their names
 * @property {Record<string, string>} sentences
 */

/** @type {Record<string, string>} */
const ICONS = { S: "spade", H: "heart", D: "diamond", C: "club" };

const form = /** @type {HTMLFormElement} */ (document.getElementById("ruling"));
/** @type {RulingTerms} */
const { seats, orders, suits, sentences } = JSON.parse(document.getElementById("terms")?.textContent ?? "");
/** @type {NodeListOf<HTMLButtonElement>} */
const tapButtons = form.querySelectorAll("[name=tap]");
const cardButtons = new Map([...tapButtons].map((key) => [key.value, key]));

/** @param {string} key @param {Record<string, string | number>} [values] @returns {string} the sentence with its values */
function formatSentence(key, values = {}) {
  return sentences[key].replace(/%\((\w+)\)s/g, (_, /** @type {string} */ name) => `${values[name]}`);
}

/** @param {HTMLButtonElement | null} key that was pressed @returns {Question} the question of the form */
function readQuestion(key) {
  const data = new FormData(form);
  if (key?.name) data.set(key.name, key.value);
  return applyTap(parseTap(/** @type {Record<string, string>} */ (Object.fromEntries(data))), seats);
}

/** @param {Question} question @returns {{text: string, wins?: number, legal?: string[]}} the ruling */
function decideRuling({ trump, ask, trick, hand }) {
  const order = orders[trump];
  if (!order) return { text: formatSentence("choose") };
  const ledSuit = trick.length ? suits[findSuit(order, trick[0])] : "";
  if (ask === "winner") {
    if (!trick.length) return { text: formatSentence("no_trick") };
    const { place, by } = findWinner(order, trick);
    return { text: formatSentence(by, { place: place + 1, card: getCardName(trick[place]), led: ledSuit }), wins: place };
  }
  if (trick.length >= seats) return { text: formatSentence("trick_full") };
  if (!hand.length) return { text: formatSentence("no_hand") };
  const { by, cards } = listPlayableCards(order, trick, hand);
  return { text: formatSentence(by, { led: ledSuit }), legal: cards };
}

/** @param {string} card @returns {string} */
function getCardName(card) {
  return cardButtons.get(card)?.querySelector(".visually-hidden")?.textContent ?? "";
}

/** @param {string} trump shows on jacks and Jokers which suit they belong to */
function showSuits(trump) {
  for (const [card, key] of cardButtons) {
    const badge = key.querySelector(".assigned-suit");
    const suit = orders[trump] ? findSuit(orders[trump], card) : "";
    const isAnother = suit in suits && !card.endsWith(suit);
    badge?.toggleAttribute("hidden", !isAnother);
    badge?.querySelector("use")?.setAttribute("href", isAnother ? `#i-${ICONS[suit]}` : "");
    badge?.querySelector(".visually-hidden")?.replaceChildren(isAnother ? formatSentence("counts_as", { suit: suits[suit] }) : "");
  }
}

/** @param {string} card @param {string} kind wins, may, may-not or nothing @returns {HTMLLIElement} */
function createCardItem(card, kind) {
  const item = document.createElement("li");
  item.className = kind;
  item.append(cardButtons.get(card)?.firstElementChild?.cloneNode(true) ?? card);
  if (kind) {
    const word = document.createElement(kind === "wins" ? "b" : "span");
    if (kind !== "wins") word.className = "visually-hidden";
    word.textContent = formatSentence(kind.replace("-", "_"));
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
function showQuestion(question) {
  const { text, wins, legal } = decideRuling(question);
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
      if (tray === "trick") return createCardItem(card, place === wins ? "wins" : "");
      return createCardItem(card, legal ? (legal.includes(card) ? "may" : "may-not") : "");
    }));
  }
  const isFull = question[question.tray].length >= getCapacity(question, seats);
  for (const [card, key] of cardButtons) {
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
  showQuestion(readQuestion(/** @type {HTMLButtonElement | null} */ (event.submitter)));
  // The address has the question, so that it can be reloaded, shared, or read in the other language.
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
