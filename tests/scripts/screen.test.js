import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { tableWith } from "./table/match.js";
import { tableScreen } from "./table/screen.js";

const { canadian } = JSON.parse(readFileSync(new URL("rulesets.json", import.meta.url), "utf-8"));
const sides = ["A", "B"].map((letter, side) => ({
  letter, players: [side, side + 2].map((seat) => ({ seat, name: `${letter}${seat}` })),
}));

/** @param {[number, string, string][]} written the place, the contract that side A made, and whether it counts */
function dealerAfter(...written) {
  const marks = written.map(([number, contract, status], place) => ({
    key: String(place), number, status, supersedes: null, record: { kind: "hand", side: "A", contract, outcome: "made" },
  }));
  const known = {
    url: "/t/1", match: { pk: 1, closed_at: null }, ruleset: canadian, match_format: { games_to_win: 2 },
    first_dealer: 0, sides, marks, agreements: [], device: "",
  };
  const screen = tableScreen(tableWith(known, []));
  return [screen.number, screen.dealer.seat];
}

test("screen: the deal goes on while two marks of a hand wait to be chosen", () => {
  assert.deepEqual(dealerAfter([1, "6", "current"]), [2, 1]);
  assert.deepEqual(dealerAfter([1, "6", "current"], [1, "7", "rival"]), [2, 1]);
  assert.deepEqual(dealerAfter([1, "6", "current"], [1, "7", "rival"], [2, "6", "current"]), [3, 2]);
});

test("screen: a win adds to the points where points decide, and nothing where games do", () => {
  /** @param {object} match_format */
  const beyondPoints = (match_format) => {
    const record = { kind: "totals", points_a: 10, points_b: 3, winner: "A", awarded: true };
    const known = {
      url: "/t/1", match: { pk: 1, closed_at: null }, ruleset: canadian, match_format, first_dealer: 0, sides,
      marks: [{ key: "1", number: 1, status: "current", supersedes: null, record }], agreements: [], device: "",
    };
    return tableScreen(tableWith(known, [])).finished_game.beyond_points;
  };
  assert.equal(beyondPoints({ hands: 3, decided_by: "points" }), 22);
  assert.equal(beyondPoints({ games_to_win: 2 }), 0);
});

test("screen: a contract that is made gives its points to who declared it, one that fails to the others", () => {
  /** @param {string} outcome */
  const screenAfter = (outcome) => {
    const record = { kind: "hand", side: "A", contract: "6", outcome };
    const known = {
      url: "/t/1", match: { pk: 1, closed_at: null }, ruleset: canadian, match_format: { games_to_win: 2 },
      first_dealer: 0, sides: sides.map((side) => ({ ...side, short: `short ${side.letter}` })),
      marks: [{ key: "1", number: 1, status: "current", supersedes: null, record }], agreements: [], device: "",
    };
    return tableScreen(tableWith(known, []));
  };
  const { made: points, failed: lost } = canadian.contracts.find(({ key }) => key === "6");
  for (const [outcome, gainer, gained] of [["made", "short A", points], ["failed", "short B", lost]]) {
    const { last } = screenAfter(outcome);
    assert.deepEqual([last.bidder.short, last.gainer.short, last.gained], ["short A", gainer, gained]);
  }
  const offered = screenAfter("made").steps.find(({ id }) => id === "A-6").boxes;
  assert.deepEqual(
    offered.map(({ made, side, gained, after }) => [made, side.short, gained, after]),
    [[true, "short A", points, 2 * points], [false, "short B", lost, lost]],
  );
});
