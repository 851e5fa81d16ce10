import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { findSuit, findWinner, listPlayableCards } from "./rules.js";

const readVectors = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf-8"));

/** Rulings worked out by hand, and the card orders of pages. */
const { winners, plays } = readVectors("rulings.json");
const orders = readVectors("orders.json");
const getOrder = ({ ruleset, trump }) => orders[ruleset][trump];

for (const { name, trick, place, by, ...terms } of winners) {
  test(`${terms.ruleset} ${terms.trump}: ${name}`, () => {
    assert.deepEqual(findWinner(getOrder(terms), trick), { place, by });
  });
}

for (const { name, trick, hand, legal, by, ...terms } of plays) {
  test(`${terms.ruleset} ${terms.trump}: ${name}`, () => {
    assert.deepEqual(listPlayableCards(getOrder(terms), trick, hand), { by, cards: legal });
  });
}

test("each card of an order has a suit, others have none", () => {
  for (const order of Object.values(orders).flatMap(Object.values)) {
    for (const [suit, cards] of Object.entries(order.suits)) {
      for (const card of cards) assert.equal(findSuit(order, card), suit);
    }
    assert.equal(findSuit(order, "1H"), "");
  }
});
