import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { mayPlay, suitOf, winner } from "./rules.js";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf-8"));

/** Worked out by hand, and the orders of the cards as pages have them. */
const { winners, plays } = read("rulings.json");
const orders = read("orders.json");
const orderOf = ({ ruleset, trump }) => orders[ruleset][trump];

for (const { name, trick, place, by, ...terms } of winners) {
  test(`${terms.ruleset} ${terms.trump}: ${name}`, () => {
    assert.deepEqual(winner(orderOf(terms), trick), { place, by });
  });
}

for (const { name, trick, hand, legal, by, ...terms } of plays) {
  test(`${terms.ruleset} ${terms.trump}: ${name}`, () => {
    assert.deepEqual(mayPlay(orderOf(terms), trick, hand), { by, cards: legal });
  });
}

test("each card of an order has its suit, and another card has none", () => {
  for (const order of Object.values(orders).flatMap(Object.values)) {
    for (const [suit, cards] of Object.entries(order.suits)) {
      for (const card of cards) assert.equal(suitOf(order, card), suit);
    }
    assert.equal(suitOf(order, "1H"), "");
  }
});
