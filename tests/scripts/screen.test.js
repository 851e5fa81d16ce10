import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { buildTable } from "./table/match.js";
import { buildTableScreen } from "./table/screen.js";

const { canadian } = JSON.parse(readFileSync(new URL("rulesets.json", import.meta.url), "utf-8"));
const sides = ["A", "B"].map((letter, side) => ({
  letter, players: [side, side + 2].map((seat) => ({ seat, name: `${letter}${seat}` })),
}));

/** @param {[number, string, string][]} written the number, the contract that side A made, and the status */
function findDealer(...written) {
  const marks = written.map(([number, contract, status], place) => ({
    key: String(place), number, status, supersedes: null, record: { kind: "hand", side: "A", contract, outcome: "made" },
  }));
  const known = {
    url: "/t/1", match: { pk: 1, closed_at: null }, ruleset: canadian, match_format: { games_to_win: 2 },
    first_dealer: 0, sides, marks, agreements: [], device: "",
  };
  const screen = buildTableScreen(buildTable(known, []));
  return [screen.number, screen.dealer.seat];
}

test("screen: the deal passes on while rival marks wait for a choice", () => {
  assert.deepEqual(findDealer([1, "6", "current"]), [2, 1]);
  assert.deepEqual(findDealer([1, "6", "current"], [1, "7", "rival"]), [2, 1]);
  assert.deepEqual(findDealer([1, "6", "current"], [1, "7", "rival"], [2, "6", "current"]), [3, 2]);
});

test("screen: a win has a bonus only if points decide", () => {
  /** @param {object} match_format */
  const getWinBonus = (match_format) => {
    const record = { kind: "totals", points_a: 10, points_b: 3, winner: "A", awarded: true };
    const known = {
      url: "/t/1", match: { pk: 1, closed_at: null }, ruleset: canadian, match_format, first_dealer: 0, sides,
      marks: [{ key: "1", number: 1, status: "current", supersedes: null, record }], agreements: [], device: "",
    };
    return buildTableScreen(buildTable(known, [])).finished_game.bonus_points;
  };
  assert.equal(getWinBonus({ hands: 3, decided_by: "points" }), 22);
  assert.equal(getWinBonus({ games_to_win: 2 }), 0);
});

test("screen: a made contract gives points to its declarers, a failed one to the others", () => {
  /** @param {string} outcome */
  const buildScreen = (outcome) => {
    const record = { kind: "hand", side: "A", contract: "6", outcome };
    const known = {
      url: "/t/1", match: { pk: 1, closed_at: null }, ruleset: canadian, match_format: { games_to_win: 2 },
      first_dealer: 0, sides: sides.map((side) => ({ ...side, short: `short ${side.letter}` })),
      marks: [{ key: "1", number: 1, status: "current", supersedes: null, record }], agreements: [], device: "",
    };
    return buildTableScreen(buildTable(known, []));
  };
  const { made: points, failed: lost } = canadian.contracts.find(({ key }) => key === "6");
  for (const [outcome, gainer, gained] of [["made", "short A", points], ["failed", "short B", lost]]) {
    const { last } = buildScreen(outcome);
    assert.deepEqual([last.bidder.short, last.gainer.short, last.gained], ["short A", gainer, gained]);
  }
  const offered = buildScreen("made").steps.find(({ id }) => id === "A-6").boxes;
  assert.deepEqual(
    offered.map(({ made, side, gained, after }) => [made, side.short, gained, after]),
    [[true, "short A", points, 2 * points], [false, "short B", lost, lost]],
  );
});
