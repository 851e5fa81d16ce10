import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { fold } from "./table/fold.js";
import { postedMark, readRecord, viewOf } from "./table/records.js";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf-8"));

/** Worked out by hand, and the systems as an event keeps them. */
const rulesets = read("rulesets.json");
const { canadian } = rulesets;
const KEY = "0f0e8f7e-52a4-4ac3-9bd8-8c2a15b4a4b0";

const outcome = (match) => ({
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

for (const { name, ruleset, format, first_dealer, hands, expected } of read("matches.json")) {
  test(`${ruleset}: ${name}`, () => {
    const records = hands.map((hand) => readRecord(rulesets[ruleset], hand));
    const places = records.map((record, before) => [before + 1, record]);
    assert.deepEqual(records, hands, "the vectors are written in the plain form");
    assert.deepEqual(outcome(fold(rulesets[ruleset], format, places, first_dealer)), expected);
  });
}

const hidden = { match: "4", entry_key: KEY, number: "3" };

test("a key of the screen says its hand in one value, with the details of that key", () => {
  const said = { ...hidden, said: "B-6-7", "trump.B-6": "H", "declarer.B-6": "", "trump.B-5": "S", supersedes: KEY };
  const hand = { side: "B", contract: "6", tricks: "7", trump: "H" };
  assert.deepEqual(postedMark(said), {
    match: 4, key: KEY, number: 3, hand, supersedes: KEY, saw_only: false, reason: "", confirmed: false,
  });
  const plain = { kind: "hand", side: "B", contract: "6", outcome: "made", tricks: 7, trump: "H" };
  assert.deepEqual(readRecord(canadian, hand), plain);
  assert.deepEqual(postedMark({ ...hidden, said: "A-gros_mulot-failed" }).hand, {
    side: "A", contract: "gros_mulot", outcome: "failed",
  });
});

test("a form says its record field by field, and what is left blank is not said", () => {
  const { hand } = postedMark({ ...hidden, kind: "totals", points_a: " 34 ", points_b: "27", winner: "", course: "x" });
  assert.deepEqual(hand, { kind: "totals", points_a: " 34 ", points_b: "27" });
  assert.deepEqual(readRecord(canadian, hand), { kind: "totals", points_a: 34, points_b: 27 });
});

test("a form without a key or with a place that is none says no mark", () => {
  assert.throws(() => postedMark({ ...hidden, entry_key: "" }), { code: "no_such_key", field: "entry_key" });
  assert.throws(() => postedMark({ ...hidden, number: "3a" }), { code: "not_a_number", field: "number" });
});

test("a page sees of each record what it has, and of what nobody said, null", () => {
  assert.deepEqual(viewOf({ kind: "hand", side: "A", contract: "6", outcome: "failed" }), {
    kind: "hand", side: "A", contract: "6", made: false, tricks: null, trump: null, declarer: null, mode: null,
    awarded: false, dealer: null, course: null,
  });
  assert.deepEqual(viewOf({ kind: "totals", points_a: 3, points_b: 4, winner: "B" }), {
    kind: "totals", points: [3, 4], winner: "B", awarded: false,
  });
  assert.deepEqual(viewOf({ kind: "undone" }), { kind: "undone" });
});

test("a course that the server wrote is kept as it is", () => {
  const hand = { kind: "hand", side: "A", contract: "6", outcome: "made", dealer: 1, course: "deal 1\n" };
  assert.deepEqual(readRecord(canadian, hand), hand);
});

const played = { side: "A", contract: "6", outcome: "made" };

for (const [values, code, field] of [
  [{ ...played, side: "" }, "side_required", "side"],
  [{ ...played, outcome: "" }, "result_required", "tricks"],
  [{ ...played, tricks: "-1" }, "tricks_out_of_range", "tricks"],
  [{ ...played, tricks: "5" }, "tricks_contradict_outcome", "tricks"],
  [{ ...played, contract: "4" }, "below_minimum", "contract"],
  [{ ...played, contract: "petite" }, "no_such_bid", "contract"],
  [{ ...played, contract: "mulot", trump: "H" }, "trump_not_allowed", "trump"],
  [{ ...played, mode: "alone" }, "no_such_mode", "mode"],
  [{ ...played, declarer: "1" }, "declarer_of_other_side", "declarer"],
  [{ ...played, dealer: "4" }, "no_such_seat", "dealer"],
  [{ ...played, awarded: "yes" }, "not_yes_or_no", "awarded"],
  [{ kind: "totals", points_a: "3" }, "totals_required", "points_b"],
  [{ kind: "totals", points_a: "64", points_b: "3" }, "totals_out_of_range", "points_a"],
  [{ kind: "totals", points_a: "3", points_b: "4", winner: "A" }, "totals_game_not_finished", "winner"],
  [{ kind: "totals", points_a: "3", points_b: "4", awarded: "on" }, "totals_winner_required", "winner"],
  [{ kind: "redeal" }, "no_such_kind", "kind"],
]) {
  test(`no record: ${code}`, () => assert.throws(() => readRecord(canadian, values), { code, field }));
}
