import assert from "node:assert/strict";
import test from "node:test";

import { applyTap, capacityOf, tapOf } from "./ruling_question.js";

const SEATS = 4;

/** What a question is after a tap, by the fields of its form. */
function after(fields) {
  const { trick, hand, tray } = applyTap(tapOf({ trump: "H", ask: "winner", tray: "trick", ...fields }), SEATS);
  return { trick: trick.join("-"), hand: hand.join("-"), tray };
}

const PLAY = { ask: "play", tray: "hand", trick: "AH", hand: "7D-8D" };

test("a form without cards asks about empty trays", () => {
  assert.deepEqual(tapOf({}), { trump: "", ask: "", tray: "trick", trick: [], hand: [] });
});

test("a card goes to the end of the tray that is being filled", () => {
  assert.deepEqual(after({ trick: "AH", tap: "10H" }), { trick: "AH-10H", hand: "", tray: "trick" });
  assert.deepEqual(after({ ...PLAY, tap: "9D" }), { trick: "AH", hand: "7D-8D-9D", tray: "hand" });
});

test("who asks for a winner fills the trick, whatever was filled before", () => {
  assert.deepEqual(after({ ...PLAY, ask: "winner", tap: "9D" }), { trick: "AH-9D", hand: "7D-8D", tray: "trick" });
});

test("a second tap takes a card back, wherever it lies", () => {
  assert.deepEqual(after({ ...PLAY, tap: "AH" }), { trick: "", hand: "7D-8D", tray: "hand" });
  assert.deepEqual(after({ ...PLAY, tap: "7D" }), { trick: "AH", hand: "8D", tray: "hand" });
});

test("the last card of its tray is taken back, and clearing empties both", () => {
  assert.deepEqual(after({ ...PLAY, undo: "1" }), { trick: "AH", hand: "7D", tray: "hand" });
  assert.deepEqual(after({ ...PLAY, clear: "1" }), { trick: "", hand: "", tray: "trick" });
});

test("a trick takes a card a seat, or one less if one is still to play; a hand takes eight", () => {
  assert.equal(capacityOf({ ask: "winner", tray: "trick" }, SEATS), 4);
  assert.equal(capacityOf({ ask: "play", tray: "trick" }, SEATS), 3);
  assert.equal(capacityOf({ ask: "play", tray: "hand" }, SEATS), 8);
});

test("a full tray takes no other card", () => {
  const full = { trick: "AH-KH-QH-9H", hand: "", tray: "trick" };
  assert.deepEqual(after({ trick: full.trick, tap: "10H" }), full);
});
