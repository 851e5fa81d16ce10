import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { nextPlaceFor } from "./table/match.js";

const { canadian } = JSON.parse(readFileSync(new URL("rulesets.json", import.meta.url), "utf-8"));
const TABLE = "/t/123456";
const known = {
  url: TABLE, match: { pk: 7, closed_at: null }, ruleset: canadian, match_format: { games_to_win: 2 }, first_dealer: 0,
  marks: [], agreements: [], device: "",
};

function hand(number, more = {}) {
  const entry_key = `${number}0000000-0000-4000-8000-000000000000`;
  return { path: TABLE, state: "refused", values: { match: "7", entry_key, number: String(number), said: "A-6-7", ...more } };
}

test("a hand that was refused since it did not come next has another place", () => {
  const waiting = { ...hand(1), state: "kept" };
  assert.equal(nextPlaceFor(known, [waiting, hand(3)], hand(3)), 2);
});

test("what would mean something else there, or has its place, has none", () => {
  for (const [entry, of] of [
    [hand(1), known], [hand(3, { supersedes: "a" }), known], [hand(3, { kind: "undone" }), known], [hand(3, { match: "6" }), known],
    [{ ...hand(3), path: `${TABLE}/agree` }, known], [hand(3), { ...known, match: { pk: 7, closed_at: "now" } }],
  ]) assert.equal(nextPlaceFor(of, [entry], entry), null);
});
