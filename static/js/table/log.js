/**
 * Places new marks in the log of a match on a phone without a network, like scoring/logs.py and scoring/services/marks.py.
 * Both are tested by tests/vectors/logs.json.
 *
 * A phone identifies a mark by its entry key, the server by its row. Only the server knows the directors; here a table
 * cannot replace the mark of a director.
 *
 * @typedef {import("./records.js").RecordData} RecordData
 * @typedef {import("./rulesets.js").MatchFormat} MatchFormat
 * @typedef {import("./rulesets.js").Ruleset} Ruleset
 * @typedef {"current" | "superseded" | "echo" | "rival"} Status
 *
 * @typedef {object} NewMark
 * @property {string} key
 * @property {number} number of the hand
 * @property {RecordData} record
 * @property {string | null} supersedes the key of the newest mark that its writer saw there
 * @property {boolean} [saw_only] whether its writer saw no other mark there: a phone that replaces its own
 * @property {boolean} [is_directors]
 *
 * @typedef {NewMark & {status: Status}} Mark
 *
 * @typedef {object} Placement the status of a new mark, the marks that it replaces, and those that stay beside it
 * @property {Status} status
 * @property {Mark[]} replaced
 * @property {Mark[]} stay
 *
 * @typedef {object} MatchTerms the terms by which marks are checked
 * @property {Ruleset} ruleset
 * @property {MatchFormat} match_format
 * @property {number} first_dealer
 * @property {boolean} is_closed
 */

import { fold, needsConfirming } from "./fold.js";
import { isSame } from "./records.js";
import { Refusal } from "./refusals.js";
import { canStopWithinGame } from "./rulesets.js";

/** @type {Status[]} */
const STANDING_STATUSES = ["current", "rival"];

/**
 * The marks of a match by number, without replaced ones. `standing` marks count, unless the number has `rivals`: then it
 * waits until the table has chosen. `undone` numbers are free again. `echoes` repeat an earlier mark.
 */
export class Log {
  /** @type {Map<number, Mark>} */
  standing = new Map();
  /** @type {Map<number, Mark>} */
  undone = new Map();
  /** @type {Map<number, Mark[]>} */
  rivals = new Map();
  /** @type {Map<number, Mark[]>} */
  echoes = new Map();

  /** @param {readonly Mark[]} marks in the order in which they were made; at most one of each number is current */
  constructor(marks) {
    this.marks = marks;
    for (const mark of marks) if (mark.status === "echo") appendMark(this.echoes, mark);
    for (const mark of sortUndosLast(marks.filter(({ status }) => STANDING_STATUSES.includes(status)))) {
      const isTaken = this.standing.has(mark.number) || this.undone.has(mark.number);
      if (isTaken) appendMark(this.rivals, mark);
      else (isUndo(mark) ? this.undone : this.standing).set(mark.number, mark);
    }
  }

  /** The highest number in use; 0 on an empty sheet. */
  get last_number() {
    return Math.max(0, ...this.standing.keys());
  }

  get next_number() {
    return this.last_number + 1;
  }

  /** @param {number} number @returns {Mark[]} its mark, or its rival marks; the first one counts */
  listMarksAt(number) {
    const first = this.standing.get(number) ?? this.undone.get(number);
    return [...(first ? [first] : []), ...(this.rivals.get(number) ?? [])];
  }

  /** @returns {[number, RecordData][]} the records that count, for the fold */
  get places() {
    const counting = [...this.standing.values()].filter(({ number }) => !this.rivals.has(number));
    return counting.map(({ number, record }) => [number, record]);
  }

  /** @returns {[number, RecordData][]} the same with the first of rival marks: their cards were dealt */
  get deals() {
    return [...this.standing.values()].map(({ number, record }) => [number, record]);
  }
}

/** Sorts undos last: an undo beside a hand is one of the choices, and frees the number only alone.
 *
 * @param {Mark[]} marks
 */
function sortUndosLast(marks) {
  return [...marks.filter((mark) => !isUndo(mark)), ...marks.filter(isUndo)];
}

/** @param {Map<number, Mark[]>} places @param {Mark} mark */
function appendMark(places, mark) {
  places.set(mark.number, [...(places.get(mark.number) ?? []), mark]);
}

/** @param {NewMark} mark */
function isUndo({ record }) {
  return record.kind === "undone";
}

/** @param {readonly Mark[]} marks in the order in which they were made */
export function readLog(marks) {
  return new Log(marks);
}

/** @param {MatchTerms} match @param {Iterable<[number, RecordData]>} places by number */
export function foldMatch({ ruleset, match_format, first_dealer }, places) {
  return fold(ruleset, match_format, places, first_dealer);
}

/**
 * Folds the match before and after this hand, without the hands that follow it.
 *
 * @param {MatchTerms} match @param {Log} log @param {number} number @param {RecordData} record
 */
export function foldAroundHand(match, log, number, record) {
  const before = foldMatch(match, log.places.filter((place) => place[0] < number));
  return { before, after: before.addRecord(number, record) };
}

/** Checks whether a hand must be confirmed first: it ends a game or moves many points, and is not confirmed yet.
 *
 * @param {MatchTerms} match @param {Log} log @param {{number: number, record: RecordData, confirmed: boolean}} posted
 */
export function needsConfirmation(match, log, { number, record, confirmed }) {
  if (confirmed || record.kind === "undone") return false;
  const { before, after } = foldAroundHand(match, log, number, record);
  return needsConfirming(before, after);
}

/**
 * Places a new mark, and returns its status and the new log. A mark whose key is in the log changes nothing.
 *
 * Throws: entry_key_reused, no_such_mark, not_last_hand, director_only, match_closed, number_skips, match_over.
 *
 * @param {Log} log @param {NewMark} mark @param {MatchTerms} match
 * @returns {{status: Status, log: Log}}
 */
export function placeMark(log, mark, match) {
  const repeated = log.marks.find((each) => each.key === mark.key);
  if (repeated) return { status: checkSameMark(repeated, mark).status, log };
  const placement = findPlacement(log, mark, findSeenMark(log, mark));
  const { status, replaced } = placement;
  const changesPlace = status !== "echo" || replaced.length > 0;
  if (changesPlace && !mark.is_directors) checkTableCanWrite(mark.record, replaced, match);
  if (status !== "echo") checkNumber(log, mark, match);
  const changed = computeStatuses(placement);
  const marks = log.marks.map((each) => ({ ...each, status: changed.get(each) ?? each.status }));
  return { status, log: readLog([...marks, { ...mark, status }]) };
}

/** @param {Placement} placement @returns {Map<Mark, Status>} the new statuses of the earlier marks */
function computeStatuses({ status, replaced, stay }) {
  const first = status === "current" ? undefined : stay[0];
  return new Map([
    ...replaced.map((mark) => /** @type {const} */ ([mark, "superseded"])),
    ...stay.map((mark) => /** @type {const} */ ([mark, mark === first ? "current" : "rival"])),
  ]);
}

/** @param {Mark} before @param {NewMark} mark with the same key */
function checkSameMark(before, { number, record, supersedes }) {
  const isRepeated = before.number === number && before.supersedes === supersedes && isSame(before.record, record);
  if (!isRepeated) throw new Refusal("entry_key_reused", "entry_key");
  return before;
}

/** @param {Log} log @param {NewMark} mark @returns {Mark | undefined} the mark that its writer saw there */
function findSeenMark(log, { number, supersedes }) {
  const seen = log.marks.find((each) => each.key === supersedes && each.number === number);
  if (supersedes !== null && !seen) throw new Refusal("no_such_mark", "supersedes");
  return seen;
}

/**
 * Finds the placement of a new mark: it replaces the marks that its writer saw; others stay, and the table chooses
 * (docs/decisions/0001-keep-two-conflicting-marks.md). If a phone undoes its own mark only, marks of others stay.
 *
 * @param {Log} log @param {NewMark} mark @param {Mark | undefined} seen @returns {Placement}
 */
function findPlacement(log, mark, seen) {
  const { number, record, saw_only = false } = mark;
  const placeMarks = log.listMarksAt(number);
  if (!log.standing.has(number)) return findFreePlacement(placeMarks, mark);
  if (placeMarks.length === 1 && hasRecord(placeMarks, record)) return { status: "echo", replaced: [], stay: [] };
  const [replaced, stay] = splitSeenMarks(log, mark, seen);
  const isFirst = stay.every(isUndo);
  const isEcho = hasRecord(stay, record) || (isUndo(mark) && saw_only && !isFirst);
  const freesPlace = isUndo(mark) && (isFirst || !isEcho);
  if (freesPlace && number !== log.last_number) {
    throw new Refusal("not_last_hand", "number", { last: log.last_number });
  }
  return { status: isEcho ? "echo" : isFirst ? "current" : "rival", replaced, stay };
}

/** Finds the placement at a free number: a second undo changes nothing, any other mark takes the number.
 *
 * @param {Mark[]} placeMarks @param {NewMark} mark @returns {Placement}
 */
function findFreePlacement(placeMarks, mark) {
  if (!isUndo(mark)) return { status: "current", replaced: placeMarks, stay: [] };
  if (placeMarks.length > 0) return { status: "echo", replaced: [], stay: [] };
  throw new Refusal("no_such_mark", "number");
}

/** Splits the marks of a number into those that the writer of the new mark saw, and the others. A page shows all marks
 * written until then. If others came since, the new mark may still choose one of them; else it is a rival of all.
 *
 * @param {Log} log @param {NewMark} mark @param {Mark | undefined} seen @returns {[Mark[], Mark[]]}
 */
function splitSeenMarks(log, { number, record, saw_only }, seen) {
  const placeMarks = log.listMarksAt(number);
  if (!seen) return [[], placeMarks];
  if (saw_only) return splitOwnMark(log, seen);
  const before = log.marks.slice(0, log.marks.indexOf(seen) + 1);
  const shown = placeMarks.filter((mark) => before.includes(mark) || isSame(mark.record, seen.record));
  const isChoice = shown.length === placeMarks.length || hasRecord(placeMarks, record);
  return isChoice ? [shown, placeMarks.filter((mark) => !shown.includes(mark))] : [[], placeMarks];
}

/** Splits them where a phone replaces its own mark: an echo of it by another phone stays.
 *
 * @param {Log} log @param {Mark} own @returns {[Mark[], Mark[]]}
 */
function splitOwnMark(log, own) {
  const placeMarks = log.listMarksAt(own.number);
  const later = log.marks.slice(log.marks.indexOf(own));
  const echoes = log.echoes.get(own.number) ?? [];
  const echo = placeMarks.includes(own) && echoes.find((each) => later.includes(each) && isSame(each.record, own.record));
  const stay = log.marks.filter((each) => each === echo || (each !== own && placeMarks.includes(each)));
  return [own.status === "superseded" ? [] : [own], sortUndosLast(stay)];
}

/** @param {Mark[]} marks @param {RecordData} record @returns {boolean} whether one of them has it */
function hasRecord(marks, record) {
  return marks.some((mark) => isSame(mark.record, record));
}

/** @param {RecordData} record @param {MatchFormat} match_format @returns {boolean} whether only a director may record it */
function isRuling(record, match_format) {
  return Boolean(record.awarded) || (record.kind === "time_called" && !canStopWithinGame(match_format));
}

/** @param {RecordData} record @param {Mark[]} replaced @param {MatchTerms} match */
function checkTableCanWrite(record, replaced, { match_format, is_closed }) {
  const isRuled = replaced.some((mark) => mark.is_directors && mark.record.kind !== "undone");
  if (isRuled || isRuling(record, match_format)) throw new Refusal("director_only", "kind");
  if (is_closed) throw new Refusal("match_closed", "hand");
}

/** Checks that numbers follow one another without a gap until the match is over.
 *
 * @param {Log} log @param {NewMark} mark @param {MatchTerms} match
 */
function checkNumber(log, { number }, match) {
  if (log.standing.has(number)) return;
  if (number !== log.next_number) throw new Refusal("number_skips", "number", { expected: log.next_number });
  if (foldMatch(match, log.places).is_over) throw new Refusal("match_over", "hand");
}
