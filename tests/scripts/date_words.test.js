import assert from "node:assert/strict";
import test from "node:test";

import { formatDate } from "./date_words.js";

const formatDay = (value, locale) => formatDate({ type: "date", value }, locale);
/** Browsers differ in their spaces. */
const formatHour = (value, locale) => formatDate({ type: "time", value }, locale).replaceAll("\u00a0", " ");

test("a date has its weekday, and “1er” in French", () => {
  assert.equal(formatDay("2026-11-21", "fr-CA"), "samedi 21 novembre 2026");
  assert.equal(formatDay("2026-12-01", "fr-CA"), "mardi 1er décembre 2026");
  assert.equal(formatDay("2026-12-11", "fr-CA"), "vendredi 11 décembre 2026");
  assert.equal(formatDay("2026-12-01", "en"), "Tuesday, December 1, 2026");
});

test("a time has no leading zero and no zero minutes in French", () => {
  assert.equal(formatHour("19:30", "fr-CA"), "19 h 30");
  assert.equal(formatHour("19:00", "fr-CA"), "19 h");
  assert.equal(formatHour("09:05", "fr-CA"), "9 h 05");
  assert.equal(formatHour("19:30", "en"), "7:30 PM");
});

test("an invalid date or time has no words", () => {
  for (const locale of ["fr-CA", "en"]) {
    assert.deepEqual([formatDay("", locale), formatDay("2026-13-01", locale), formatHour("", locale)], ["", "", ""]);
  }
});
