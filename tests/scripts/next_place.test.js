import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { findNextPlace } from "./table/match.js";

const { canadian } = JSON.parse(readFileSync(new URL("rulesets.json", import.meta.url), "utf-8"));
const TABLE = "/t/123456";
const known = {
  url: TABLE, match: { pk: 7, closed_at: null }, ruleset: canadian, match_format: { games_to_win: 2 }, first_dealer: 0,
  marks: [], agreements: [], device: "",
};

function createEntry(number, more = {}) {
  const entry_key = `${number}0000000-0000-4000-8000-000000000000`;
  return { path: TABLE, state: "refused", values: { match: "7", entry_key, number: String(number), said: "A-6-7", ...more } };
}

test("a hand refused for its number gets the next one", () => {
  const waiting = { ...createEntry(1), state: "kept" };
  assert.equal(findNextPlace(known, [waiting, createEntry(3)], createEntry(3)), 2);
});

test("a correction, an undo or a hand of a closed match gets no other number", () => {
  for (const [entry, of] of [
    [createEntry(1), known], [createEntry(3, { supersedes: "a" }), known], [createEntry(3, { kind: "undone" }), known], [createEntry(3, { match: "6" }), known],
    [{ ...createEntry(3), path: `${TABLE}/agree` }, known], [createEntry(3), { ...known, match: { pk: 7, closed_at: "now" } }],
  ]) assert.equal(findNextPlace(of, [entry], entry), null);
});
