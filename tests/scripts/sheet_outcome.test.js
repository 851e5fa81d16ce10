import assert from "node:assert/strict";
import test from "node:test";

import { outcomeOf } from "./sheet_outcome.js";

const TARGET = 100;
const outcome = (a, b, winner) => outcomeOf({ points_a: a, points_b: b, winner }, TARGET);

test("the side that has reached the target wins", () => {
  assert.equal(outcome("100", "99"), "A");
  assert.equal(outcome("35", " 104 "), "B");
});

test("neither wins below the target, but by a Charlemagne", () => {
  assert.equal(outcome("99", "0"), "neither");
  assert.equal(outcome("99", "0", ""), "neither");
  assert.equal(outcome("99", "0", "B"), "B");
});

test("both cannot have reached the target", () => {
  assert.equal(outcome("100", "120"), "both");
  assert.equal(outcome("100", "120", "A"), "both");
});

test("nothing is said while a total is still to type, or is no number", () => {
  for (const points of ["", " ", "-5", "1e2", "9.5", undefined]) {
    assert.equal(outcome(points, "100"), "");
    assert.equal(outcome("100", points, "A"), "");
  }
});
