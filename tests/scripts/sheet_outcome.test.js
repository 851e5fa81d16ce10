import assert from "node:assert/strict";
import test from "node:test";

import { computeOutcome } from "./sheet_outcome.js";

const TARGET = 100;
const computeTotals = (a, b, winner) => computeOutcome({ points_a: a, points_b: b, winner }, TARGET);

test("the side that has reached the target wins", () => {
  assert.equal(computeTotals("100", "99"), "A");
  assert.equal(computeTotals("35", " 104 "), "B");
});

test("neither side wins below the target except by a Charlemagne", () => {
  assert.equal(computeTotals("99", "0"), "neither");
  assert.equal(computeTotals("99", "0", ""), "neither");
  assert.equal(computeTotals("99", "0", "B"), "B");
});

test("both sides cannot reach the target", () => {
  assert.equal(computeTotals("100", "120"), "both");
  assert.equal(computeTotals("100", "120", "A"), "both");
});

test("there is no outcome while a total is missing or invalid", () => {
  for (const points of ["", " ", "-5", "1e2", "9.5", undefined]) {
    assert.equal(computeTotals(points, "100"), "");
    assert.equal(computeTotals("100", points, "A"), "");
  }
});
