import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { fold } from "./table/fold.js";
import { parsePostedMark, readRecord, toMatchRecord } from "./table/records.js";

const readVectors = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf-8"));

/** Results worked out by hand, and rulesets as events store them. */
const rulesets = readVectors("rulesets.json");
const { canadian } = rulesets;
const KEY = "0f0e8f7e-52a4-4ac3-9bd8-8c2a15b4a4b0";

const summarizeMatch = (match) => ({
  totals: match.lines.map((line) => line.game.points),
  game: match.game.points,
  games: match.games.map(({ points, winner, by }) => ({ points, winner, by })),
  games_won: match.games_won,
  points: match.points,
  is_over: match.is_over,
  winner: match.winner,
  dealer: match.dealer,
  surplus: match.lines.filter((line) => line.is_surplus).map((line) => line.number),
});

for (const { name, ruleset, format, first_dealer, hands, expected } of readVectors("matches.json")) {
  test(`${ruleset}: ${name}`, () => {
    const records = hands.map((hand) => readRecord(rulesets[ruleset], hand));
    const places = records.map((record, before) => [before + 1, record]);
    assert.deepEqual(records, hands, "the vectors are record data");
    assert.deepEqual(summarizeMatch(fold(rulesets[ruleset], format, places, first_dealer)), expected);
  });
}

const hiddenFields = { match: "4", entry_key: KEY, number: "3" };

test("a button has its hand in one value, with the details of that button", () => {
  const form = { ...hiddenFields, said: "B-6-7", "trump.B-6": "H", "declarer.B-6": "", "trump.B-5": "S", supersedes: KEY };
  const hand = { side: "B", contract: "6", tricks: "7", trump: "H" };
  assert.deepEqual(parsePostedMark(form), {
    match: 4, key: KEY, number: 3, hand, supersedes: KEY, saw_only: false, reason: "", confirmed: false,
  });
  const data = { kind: "hand", side: "B", contract: "6", outcome: "made", tricks: 7, trump: "H" };
  assert.deepEqual(readRecord(canadian, hand), data);
  assert.deepEqual(parsePostedMark({ ...hiddenFields, said: "A-gros_mulot-failed" }).hand, {
    side: "A", contract: "gros_mulot", outcome: "failed",
  });
});

test("a form has its record by field, and empty fields are left out", () => {
  const { hand } = parsePostedMark({ ...hiddenFields, kind: "totals", points_a: " 34 ", points_b: "27", winner: "", course: "x" });
  assert.deepEqual(hand, { kind: "totals", points_a: " 34 ", points_b: "27" });
  assert.deepEqual(readRecord(canadian, hand), { kind: "totals", points_a: 34, points_b: 27 });
});

test("a form without a key or with an invalid number is refused", () => {
  assert.throws(() => parsePostedMark({ ...hiddenFields, entry_key: "" }), { code: "no_such_key", field: "entry_key" });
  assert.throws(() => parsePostedMark({ ...hiddenFields, number: "3a" }), { code: "not_a_number", field: "number" });
});

test("a record for a page has the properties of its kind, null if not given", () => {
  assert.deepEqual(toMatchRecord({ kind: "hand", side: "A", contract: "6", outcome: "failed" }), {
    kind: "hand", side: "A", contract: "6", made: false, tricks: null, trump: null, declarer: null, mode: null,
    awarded: false, dealer: null, course: null,
  });
  assert.deepEqual(toMatchRecord({ kind: "totals", points_a: 3, points_b: 4, winner: "B" }), {
    kind: "totals", points: [3, 4], winner: "B", awarded: false,
  });
  assert.deepEqual(toMatchRecord({ kind: "undone" }), { kind: "undone" });
});

test("a course from the server is unchanged", () => {
  const hand = { kind: "hand", side: "A", contract: "6", outcome: "made", dealer: 1, course: "deal 1\n" };
  assert.deepEqual(readRecord(canadian, hand), hand);
});

const playedHand = { side: "A", contract: "6", outcome: "made" };

for (const [values, code, field] of [
  [{ ...playedHand, side: "" }, "side_required", "side"],
  [{ ...playedHand, outcome: "" }, "result_required", "tricks"],
  [{ ...playedHand, tricks: "-1" }, "tricks_out_of_range", "tricks"],
  [{ ...playedHand, tricks: "5" }, "tricks_contradict_outcome", "tricks"],
  [{ ...playedHand, contract: "4" }, "below_minimum", "contract"],
  [{ ...playedHand, contract: "petite" }, "no_such_bid", "contract"],
  [{ ...playedHand, contract: "mulot", trump: "H" }, "trump_not_allowed", "trump"],
  [{ ...playedHand, mode: "alone" }, "no_such_mode", "mode"],
  [{ ...playedHand, declarer: "1" }, "declarer_of_other_side", "declarer"],
  [{ ...playedHand, dealer: "4" }, "no_such_seat", "dealer"],
  [{ ...playedHand, awarded: "yes" }, "not_yes_or_no", "awarded"],
  [{ kind: "totals", points_a: "3" }, "totals_required", "points_b"],
  [{ kind: "totals", points_a: "64", points_b: "3" }, "totals_out_of_range", "points_a"],
  [{ kind: "totals", points_a: "3", points_b: "4", winner: "A" }, "totals_game_not_finished", "winner"],
  [{ kind: "totals", points_a: "3", points_b: "4", awarded: "on" }, "totals_winner_required", "winner"],
  [{ kind: "redeal" }, "no_such_kind", "kind"],
]) {
  test(`refused record: ${code}`, () => assert.throws(() => readRecord(canadian, values), { code, field }));
}
