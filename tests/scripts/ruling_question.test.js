import assert from "node:assert/strict";
import test from "node:test";

import { applyTap, getCapacity, parseTap } from "./ruling_question.js";

const SEATS = 4;

/** Returns the question after a tap, by the fields of its form. */
function applyFields(fields) {
  const { trick, hand, tray } = applyTap(parseTap({ trump: "H", ask: "winner", tray: "trick", ...fields }), SEATS);
  return { trick: trick.join("-"), hand: hand.join("-"), tray };
}

const PLAY = { ask: "play", tray: "hand", trick: "AH", hand: "7D-8D" };

test("a form without cards asks about empty trays", () => {
  assert.deepEqual(parseTap({}), { trump: "", ask: "", tray: "trick", trick: [], hand: [] });
});

test("a card goes to the end of the tray that is being filled", () => {
  assert.deepEqual(applyFields({ trick: "AH", tap: "10H" }), { trick: "AH-10H", hand: "", tray: "trick" });
  assert.deepEqual(applyFields({ ...PLAY, tap: "9D" }), { trick: "AH", hand: "7D-8D-9D", tray: "hand" });
});

test("a question for the winner fills the trick", () => {
  assert.deepEqual(applyFields({ ...PLAY, ask: "winner", tap: "9D" }), { trick: "AH-9D", hand: "7D-8D", tray: "trick" });
});

test("a second tap removes a card from either tray", () => {
  assert.deepEqual(applyFields({ ...PLAY, tap: "AH" }), { trick: "", hand: "7D-8D", tray: "hand" });
  assert.deepEqual(applyFields({ ...PLAY, tap: "7D" }), { trick: "AH", hand: "8D", tray: "hand" });
});

test("undo removes the last card of the tray, and clearing empties both", () => {
  assert.deepEqual(applyFields({ ...PLAY, undo: "1" }), { trick: "AH", hand: "7D", tray: "hand" });
  assert.deepEqual(applyFields({ ...PLAY, clear: "1" }), { trick: "", hand: "", tray: "trick" });
});

test("a trick has one card per seat, or one less before a play; a hand has eight", () => {
  assert.equal(getCapacity({ ask: "winner", tray: "trick" }, SEATS), 4);
  assert.equal(getCapacity({ ask: "play", tray: "trick" }, SEATS), 3);
  assert.equal(getCapacity({ ask: "play", tray: "hand" }, SEATS), 8);
});

test("a full tray takes no other card", () => {
  const full = { trick: "AH-KH-QH-9H", hand: "", tray: "trick" };
  assert.deepEqual(applyFields({ trick: full.trick, tap: "10H" }), full);
});
