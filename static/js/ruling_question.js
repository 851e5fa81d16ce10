/**
 * What is asked on the ruling page, and what the next tap makes of it: scoring/rulings/question.py takes the
 * same steps. No page, no words: values in, values out.
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

const HAND = 8;

/** @type {Tray[]} */
export const TRAYS = ["trick", "hand"];

/** @param {Question} question @param {number} seats @returns {number} how many cards the tray takes */
export function capacityOf({ ask, tray }, seats) {
  return tray === "hand" ? HAND : seats - Number(ask === "play");
}

/** @param {Tap} tapped @param {number} seats @returns {Question} */
export function applyTap({ tap, undo, clear, ...question }, seats) {
  const { tray, trick, hand } = question;
  if (clear) return { ...question, trick: [], hand: [], tray: "trick" };
  if (undo) return { ...question, [tray]: question[tray].slice(0, -1) };
  if (!tap) return question;
  /** @param {string[]} cards */
  const without = (cards) => cards.filter((card) => card !== tap); // a second tap takes it back
  if (trick.includes(tap) || hand.includes(tap)) return { ...question, trick: without(trick), hand: without(hand) };
  if (question[tray].length >= capacityOf(question, seats)) return question;
  return { ...question, [tray]: [...question[tray], tap] };
}

/** @param {Record<string, string>} fields of the form, and the key that was pressed @returns {Tap} */
export function tapOf({ trump = "", ask = "", tray, trick, hand, ...pressed }) {
  /** @param {string} [cards] */
  const split = (cards) => (cards ? cards.split("-") : []);
  const isHand = ask === "play" && tray === "hand";
  return { ...pressed, trump, ask, tray: isHand ? "hand" : "trick", trick: split(trick), hand: split(hand) };
}
