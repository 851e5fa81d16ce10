import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { asksFirst, place, readLog } from "./table/log.js";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf-8"));

/** Worked out by hand, and the systems as an event keeps them. */
const rulesets = read("rulesets.json");
const match = { ruleset: rulesets.canadian, match_format: { games_to_win: 1 }, first_dealer: 0, is_closed: false };

const refusalOf = (call) => {
  try {
    return call();
  } catch ({ code, field, details }) {
    return { refused: code, field, ...(Object.keys(details).length && { details }) };
  }
};

for (const { name, ruleset, format, closed_after = Infinity, marks, after } of read("logs.json")) {
  test(`log: ${name}`, () => {
    const terms = { ruleset: rulesets[ruleset], match_format: format, first_dealer: 0 };
    const keyOf = (step) => step && `key ${step}`;
    let log = readLog([]);
    for (const [before, { expected, again, supersedes = null, ...step }] of marks.entries()) {
      const mark = { ...step, key: keyOf(again ?? before + 1), supersedes: keyOf(supersedes) };
      const became = refusalOf(() => place(log, mark, { ...terms, is_closed: before >= closed_after }));
      assert.deepEqual(became.status ?? became, expected, `mark ${before + 1}`);
      log = became.log ?? log;
    }
    assert.deepEqual({
      statuses: log.marks.map((mark) => mark.status),
      counts: log.places.map(([number]) => number).sort(),
      waits: [...log.rivals.keys()],
      free: [...log.undone.keys()],
      next: log.next_number,
    }, after);
  });
}

const UNDONE = { kind: "undone" };
const VALUES = [["A", "6", "made"], ["A", "7", "made"], ["B", "5", "failed"]].map(([side, contract, outcome]) =>
  ({ kind: "hand", side, contract, outcome }));

/** Numbers below `sides`, the same ones for the same seed. */
const dice = (seed) => (sides) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * sides);
};

/** What a phone says of a place, one after the other: nobody marks anew what it shows already. */
const someTaps = (die) => {
  const taps = [UNDONE];
  for (let left = 1 + die(4); left > 0; left--) {
    const others = [...VALUES, UNDONE].filter((each) => each !== taps[taps.length - 1]);
    taps.push(others[die(others.length)]);
  }
  return taps.slice(1);
};

/** The log once all have been heard, each phone in its order, and in the order that the dice say among them; a phone
 * knows only what it said itself. */
const heard = (die, phones) => {
  const said = phones.map(() => 0);
  let log = readLog([]);
  for (let left = phones.flat().length; left > 0; left--) {
    const speaking = phones.map((_, phone) => phone).filter((phone) => said[phone] < phones[phone].length);
    const phone = speaking[die(speaking.length)];
    const count = said[phone]++;
    const supersedes = count ? `${phone}/${count - 1}` : null;
    const mark = { key: `${phone}/${count}`, number: 1, record: phones[phone][count], supersedes, saw_only: true };
    ({ log } = place(log, mark, match));
  }
  return log;
};

const standing = (log) => log.marksAt(1).map(({ record }) => JSON.stringify(record)).sort();

test("what phones say of a place stands alike in whatever order they are heard", () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const die = dice(seed);
    const phones = Array.from({ length: 2 + die(3) }, () => someTaps(die));
    const hands = standing(heard(die, phones));
    assert.deepEqual(standing(heard(die, phones)), hands, `seed ${seed}`);
    const last = phones.map((taps) => taps[taps.length - 1]).filter((record) => record !== UNDONE);
    assert.ok(last.every((record) => hands.includes(JSON.stringify(record))), `seed ${seed}: a last word is lost`);
  }
});

test("a hand that ends a game or moves much is asked about once; an undo never", () => {
  const asks = (record, confirmed = false) => asksFirst(match, readLog([]), { number: 1, record, confirmed });
  const dear = { kind: "hand", side: "A", contract: "gros_charlemagne", outcome: "made" };
  assert.deepEqual([asks(dear), asks(dear, true), asks(VALUES[0]), asks(UNDONE)], [true, false, false, false]);
});
