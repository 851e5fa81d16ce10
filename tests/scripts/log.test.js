import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { needsConfirmation, placeMark, readLog } from "./table/log.js";

const readVectors = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf-8"));

/** Results worked out by hand, and rulesets as events store them. */
const rulesets = readVectors("rulesets.json");
const match = { ruleset: rulesets.canadian, match_format: { games_to_win: 1 }, first_dealer: 0, is_closed: false };

const tryPlacing = (call) => {
  try {
    return call();
  } catch ({ code, field, details }) {
    return { refused: code, field, ...(Object.keys(details).length && { details }) };
  }
};

for (const { name, ruleset, format, closed_after = Infinity, marks, after } of readVectors("logs.json")) {
  test(`log: ${name}`, () => {
    const terms = { ruleset: rulesets[ruleset], match_format: format, first_dealer: 0 };
    const formatKey = (step) => step && `key ${step}`;
    let log = readLog([]);
    for (const [before, { expected, again, supersedes = null, ...step }] of marks.entries()) {
      const mark = { ...step, key: formatKey(again ?? before + 1), supersedes: formatKey(supersedes) };
      const outcome = tryPlacing(() => placeMark(log, mark, { ...terms, is_closed: before >= closed_after }));
      assert.deepEqual(outcome.status ?? outcome, expected, `mark ${before + 1}`);
      log = outcome.log ?? log;
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

/** Creates a generator of numbers below `sides`, the same ones for the same seed. */
const createDie = (seed) => (sides) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * sides);
};

/** Generates the taps of one phone for a number, none equal to the one before. */
const generateTaps = (die) => {
  const taps = [UNDONE];
  for (let left = 1 + die(4); left > 0; left--) {
    const others = [...VALUES, UNDONE].filter((each) => each !== taps[taps.length - 1]);
    taps.push(others[die(others.length)]);
  }
  return taps.slice(1);
};

/** Merges the taps of all phones into a log, each phone in its order, mixed by the die; a phone saw only its own marks. */
const mergeTaps = (die, phones) => {
  const markCounts = phones.map(() => 0);
  let log = readLog([]);
  for (let left = phones.flat().length; left > 0; left--) {
    const waitingPhones = phones.map((_, phone) => phone).filter((phone) => markCounts[phone] < phones[phone].length);
    const phone = waitingPhones[die(waitingPhones.length)];
    const count = markCounts[phone]++;
    const supersedes = count ? `${phone}/${count - 1}` : null;
    const mark = { key: `${phone}/${count}`, number: 1, record: phones[phone][count], supersedes, saw_only: true };
    ({ log } = placeMark(log, mark, match));
  }
  return log;
};

const listRecords = (log) => log.listMarksAt(1).map(({ record }) => JSON.stringify(record)).sort();

test("marks of several phones give the same log in any order", () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const die = createDie(seed);
    const phones = Array.from({ length: 2 + die(3) }, () => generateTaps(die));
    const hands = listRecords(mergeTaps(die, phones));
    assert.deepEqual(listRecords(mergeTaps(die, phones)), hands, `seed ${seed}`);
    const last = phones.map((taps) => taps[taps.length - 1]).filter((record) => record !== UNDONE);
    assert.ok(last.every((record) => hands.includes(JSON.stringify(record))), `seed ${seed}: a last tap is lost`);
  }
});

test("a hand that ends a game or moves many points needs one confirmation; an undo never", () => {
  const needsAnswer = (record, confirmed = false) => needsConfirmation(match, readLog([]), { number: 1, record, confirmed });
  const contract = { kind: "hand", side: "A", contract: "gros_charlemagne", outcome: "made" };
  const answers = [needsAnswer(contract), needsAnswer(contract, true), needsAnswer(VALUES[0]), needsAnswer(UNDONE)];
  assert.deepEqual(answers, [true, false, false, false]);
});
