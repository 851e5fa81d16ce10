/**
 * The ruling page, where scripts run: the same form and the same sentences, answered on the phone at once, so
 * that it works without a network. scoring/rulings/question.py takes the same steps where they do not.
 */

import { mayPlay, suitOf, winner } from "./rules.js";

const HAND = 8;
const TRAYS = ["trick", "hand"];
const ICONS = { S: "spade", H: "heart", D: "diamond", C: "club" };

const form = document.getElementById("ruling");
const { seats, orders, suits, sentences } = JSON.parse(document.getElementById("terms").textContent);
const keys = new Map([...form.querySelectorAll("[name=tap]")].map((key) => [key.value, key]));

/** @param {string} key @param {Object<string, *>} [values] @returns {string} a sentence with its values */
function said(key, values = {}) {
  return sentences[key].replace(/%\((\w+)\)s/g, (_, name) => values[name]);
}

/**
 * @typedef {object} Question
 * @property {string} trump @property {string} ask winner or play @property {string} tray trick or hand
 * @property {string[]} trick @property {string[]} hand
 */

/** @param {HTMLButtonElement} [key] the one that was pressed @returns {Question} what the form asks then */
function asked(key) {
  const data = new FormData(form);
  if (key?.name) data.set(key.name, key.value);
  const fields = Object.fromEntries(data);
  for (const tray of TRAYS) fields[tray] = fields[tray] ? fields[tray].split("-") : [];
  if (fields.ask !== "play") fields.tray = "trick";
  return tapped(fields);
}

/** @param {Question} question @returns {number} how many cards the tray takes */
function most({ ask, tray }) {
  return tray === "hand" ? HAND : seats - (ask === "play");
}

/** @param {Question & {tap?: string, undo?: string, clear?: string}} fields @returns {Question} */
function tapped({ tap, undo, clear, ...question }) {
  const { tray, trick, hand } = question;
  if (clear) return { ...question, trick: [], hand: [], tray: "trick" };
  if (undo) return { ...question, [tray]: question[tray].slice(0, -1) };
  if (!tap) return question;
  const left = (cards) => cards.filter((card) => card !== tap); // a second tap takes it back
  if (trick.includes(tap) || hand.includes(tap)) return { ...question, trick: left(trick), hand: left(hand) };
  if (question[tray].length >= most(question)) return question;
  return { ...question, [tray]: [...question[tray], tap] };
}

/** @param {Question} question @returns {{text: string, wins?: number, legal?: string[]}} the ruling */
function ruled({ trump, ask, trick, hand }) {
  const order = orders[trump];
  if (!order) return { text: said("choose") };
  const led = trick.length ? suits[suitOf(order, trick[0])] : "";
  if (ask === "winner") {
    if (!trick.length) return { text: said("no_trick") };
    const { place, by } = winner(order, trick);
    return { text: said(by, { place: place + 1, card: nameOf(trick[place]), led }), wins: place };
  }
  if (trick.length >= seats) return { text: said("trick_full") };
  if (!hand.length) return { text: said("no_hand") };
  const { by, cards } = mayPlay(order, trick, hand);
  return { text: said(by, { led }), legal: cards };
}

/** @param {string} card @returns {string} */
function nameOf(card) {
  return keys.get(card).querySelector(".unseen").textContent;
}

/** @param {?string} trump says on jacks and Jokers which suit they belong to */
function showSuits(trump) {
  for (const [card, key] of keys) {
    const badge = key.querySelector(".counts-as");
    if (!badge) continue;
    const suit = orders[trump] && suitOf(orders[trump], card);
    const isAnother = suit in suits && !card.endsWith(suit);
    badge.hidden = !isAnother;
    badge.querySelector("use").setAttribute("href", isAnother ? `#i-${ICONS[suit]}` : "");
    badge.querySelector(".unseen").textContent = isAnother ? said("counts_as", { suit: suits[suit] }) : "";
  }
}

/** @param {string} card @param {string} kind wins, may, may-not or nothing @returns {HTMLLIElement} */
function laid(card, kind) {
  const item = document.createElement("li");
  item.className = kind;
  item.append(keys.get(card).firstElementChild.cloneNode(true));
  if (kind) {
    const word = document.createElement(kind === "wins" ? "b" : "span");
    if (kind !== "wins") word.className = "unseen";
    word.textContent = said(kind.replace("-", "_"));
    item.append(word);
  }
  return item;
}

/** @param {Question} question */
function show(question) {
  const { text, wins, legal } = ruled(question);
  showSuits(question.trump);
  for (const name of ["trump", "ask", "tray"]) {
    form.querySelector(`input[name=${name}]`).value = question[name];
    for (const key of form.querySelectorAll(`button[name=${name}]`)) {
      key.setAttribute("aria-pressed", String(key.value === question[name]));
    }
  }
  for (const tray of TRAYS) {
    form.querySelector(`input[name=${tray}]`).value = question[tray].join("-");
    form.querySelector(`.${tray} ol`).replaceChildren(...question[tray].map((card, place) => {
      if (tray === "trick") return laid(card, place === wins ? "wins" : "");
      return laid(card, legal ? (legal.includes(card) ? "may" : "may-not") : "");
    }));
  }
  const isFull = question[question.tray].length >= most(question);
  for (const [card, key] of keys) {
    const isUsed = question.trick.includes(card) || question.hand.includes(card);
    key.setAttribute("aria-pressed", String(isUsed));
    if (isFull && !isUsed) key.setAttribute("aria-disabled", "true");
    else key.removeAttribute("aria-disabled");
  }
  for (const note of form.querySelectorAll(".note")) note.hidden = note.dataset.trump !== question.trump;
  form.querySelector(".trays").dataset.ask = question.ask;
  document.getElementById("full").hidden = !isFull;
  document.getElementById("answer").textContent = text;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  show(asked(event.submitter));
  // The address keeps the question: to be reloaded, sent to somebody, or read in the other language.
  const question = new URLSearchParams(new FormData(form));
  const address = `${location.pathname}?${question}`;
  history.replaceState(null, "", address);
  for (const link of document.querySelectorAll("a[hreflang]")) link.search = question;
  const next = document.querySelector("input[name=next]");
  if (next) next.value = address;
});
