/**
 * Applies taps to the question of the ruling page, like scoring/rulings/question.py. Uses no page: values in, values out.
 *
 * @typedef {"trick" | "hand"} Tray
 *
 * @typedef {object} Question
 * @property {string} trump key of an order of the cards, or empty
 * @property {string} ask winner or play
 * @property {Tray} tray where the next card goes
 * @property {string[]} trick its cards
 * @property {string[]} hand its cards
 *
 * @typedef {Question & {tap?: string, undo?: string, clear?: string}} Tap a question, and the key that was pressed
 */

const HAND_SIZE = 8;

/** @type {Tray[]} */
export const TRAYS = ["trick", "hand"];

/** @param {Question} question @param {number} seats @returns {number} how many cards the tray can have */
export function getCapacity({ ask, tray }, seats) {
  return tray === "hand" ? HAND_SIZE : seats - Number(ask === "play");
}

/** @param {Tap} tapped @param {number} seats @returns {Question} */
export function applyTap({ tap, undo, clear, ...question }, seats) {
  const { tray, trick, hand } = question;
  if (clear) return { ...question, trick: [], hand: [], tray: "trick" };
  if (undo) return { ...question, [tray]: question[tray].slice(0, -1) };
  if (!tap) return question;
  /** @param {string[]} cards */
  const removeTapped = (cards) => cards.filter((card) => card !== tap); // a second tap removes it
  if (trick.includes(tap) || hand.includes(tap)) return { ...question, trick: removeTapped(trick), hand: removeTapped(hand) };
  if (question[tray].length >= getCapacity(question, seats)) return question;
  return { ...question, [tray]: [...question[tray], tap] };
}

/** @param {Record<string, string>} fields of the form, and the key that was pressed @returns {Tap} */
export function parseTap({ trump = "", ask = "", tray, trick, hand, ...button }) {
  /** @param {string} [cards] */
  const splitCards = (cards) => (cards ? cards.split("-") : []);
  const isHand = ask === "play" && tray === "hand";
  return { ...button, trump, ask, tray: isHand ? "hand" : "trick", trick: splitCards(trick), hand: splitCards(hand) };
}
