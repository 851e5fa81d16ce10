import assert from "node:assert/strict";
import test from "node:test";

import { wordsOf } from "./date_words.js";

const day = (value, locale) => wordsOf({ type: "date", value }, locale);
/** Which space stands where is up to the browser's tables of words. */
const hour = (value, locale) => wordsOf({ type: "time", value }, locale).replaceAll("\u00a0", " ");

test("a day has its weekday, and a French month its first", () => {
  assert.equal(day("2026-11-21", "fr-CA"), "samedi 21 novembre 2026");
  assert.equal(day("2026-12-01", "fr-CA"), "mardi 1er décembre 2026");
  assert.equal(day("2026-12-11", "fr-CA"), "vendredi 11 décembre 2026");
  assert.equal(day("2026-12-01", "en"), "Tuesday, December 1, 2026");
});

test("an hour is said as people say it, without a zero before or two behind", () => {
  assert.equal(hour("19:30", "fr-CA"), "19 h 30");
  assert.equal(hour("19:00", "fr-CA"), "19 h");
  assert.equal(hour("09:05", "fr-CA"), "9 h 05");
  assert.equal(hour("19:30", "en"), "7:30 PM");
});

test("nothing is said of what is no day or hour", () => {
  for (const locale of ["fr-CA", "en"]) {
    assert.deepEqual([day("", locale), day("2026-13-01", locale), hour("", locale)], ["", "", ""]);
  }
});
