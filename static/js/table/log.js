/**
 * A match's log and what becomes of a new mark: scoring/logs.py and scoring/services/marks.py, on a phone without a
 * network. Both answer tests/vectors/logs.json.
 *
 * A phone knows a mark by its entry key, where the server has its row. Who a director is, the server says; here it
 * holds that what a director wrote, a table does not replace.
 *
 * @typedef {import("./records.js").Plain} Plain
 * @typedef {import("./rulesets.js").MatchFormat} MatchFormat
 * @typedef {import("./rulesets.js").Ruleset} Ruleset
 * @typedef {"current" | "superseded" | "echo" | "rival"} Status
 *
 * @typedef {object} NewMark
 * @property {string} key
 * @property {number} number its place
 * @property {Plain} record
 * @property {string | null} supersedes the key of the newest mark that its writer saw in that place
 * @property {boolean} [saw_only] whether its writer saw no other there: a phone that replaces its own mark
 * @property {boolean} [is_directors]
 *
 * @typedef {NewMark & {status: Status}} Mark
 *
 * @typedef {object} Placement what becomes of a new mark: whose place it takes, and what stays beside it
 * @property {Status} status
 * @property {Mark[]} replaced
 * @property {Mark[]} stay
 *
 * @typedef {object} Match what its marks are held against
 * @property {Ruleset} ruleset
 * @property {MatchFormat} match_format
 * @property {number} first_dealer
 * @property {boolean} is_closed
 */

import { fold, isReadAloud } from "./fold.js";
import { isSame } from "./records.js";
import { Refusal } from "./refusals.js";
import { mayStopInAGame } from "./rulesets.js";

/** @type {Status[]} */
const STANDING = ["current", "rival"];

/**
 * The marks of a match by place: what nobody has replaced who had seen it. `standing` ones count, unless the place has
 * `rivals`: then it waits until the table has chosen. `undone` places are free again. `echoes` said the same as a mark
 * before them.
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

  /** @param {readonly Mark[]} marks in the order in which they were made; of a place, one at most is current */
  constructor(marks) {
    this.marks = marks;
    for (const mark of marks) if (mark.status === "echo") append(this.echoes, mark);
    for (const mark of undosLast(marks.filter(({ status }) => STANDING.includes(status)))) {
      const isTaken = this.standing.has(mark.number) || this.undone.has(mark.number);
      if (isTaken) append(this.rivals, mark);
      else (isUndo(mark) ? this.undone : this.standing).set(mark.number, mark);
    }
  }

  /** The highest place that is taken; 0 on an empty sheet. */
  get last_number() {
    return Math.max(0, ...this.standing.keys());
  }

  get next_number() {
    return this.last_number + 1;
  }

  /** @param {number} number @returns {Mark[]} what stands there: one mark, or those that differ; the first counts */
  marksAt(number) {
    const first = this.standing.get(number) ?? this.undone.get(number);
    return [...(first ? [first] : []), ...(this.rivals.get(number) ?? [])];
  }

  /** @returns {[number, Plain][]} what counts, for the fold */
  get places() {
    const counting = [...this.standing.values()].filter(({ number }) => !this.rivals.has(number));
    return counting.map(({ number, record }) => [number, record]);
  }

  /** @returns {[number, Plain][]} the same with the first mark of each place that waits: the cards were dealt */
  get deals() {
    return [...this.standing.values()].map(({ number, record }) => [number, record]);
  }
}

/** An undo beside a hand is the one to be chosen or not: only alone does it free the place.
 *
 * @param {Mark[]} marks
 */
function undosLast(marks) {
  return [...marks.filter((mark) => !isUndo(mark)), ...marks.filter(isUndo)];
}

/** @param {Map<number, Mark[]>} places @param {Mark} mark */
function append(places, mark) {
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

/** @param {Match} match @param {Iterable<[number, Plain]>} places the state of this match if these were its places */
export function foldMatch({ ruleset, match_format, first_dealer }, places) {
  return fold(ruleset, match_format, places, first_dealer);
}

/**
 * The match before and after this hand, as it would be without the hands that follow it.
 *
 * @param {Match} match @param {Log} log @param {number} number @param {Plain} record
 */
export function withHand(match, log, number, record) {
  const before = foldMatch(match, log.places.filter((place) => place[0] < number));
  return { before, after: before.after(number, record) };
}

/** Whether a hand is read aloud before it is marked: it ends a game or moves much, and nobody has said that it was.
 *
 * @param {Match} match @param {Log} log @param {{number: number, record: Plain, confirmed: boolean}} posted
 */
export function asksFirst(match, log, { number, record, confirmed }) {
  if (confirmed || record.kind === "undone") return false;
  const { before, after } = withHand(match, log, number, record);
  return isReadAloud(before, after);
}

/**
 * What becomes of a new mark, and the log after it. A mark whose key is there already changes nothing.
 *
 * Throws: entry_key_reused, no_such_mark, not_last_hand, director_only, match_closed, number_skips, match_over.
 *
 * @param {Log} log @param {NewMark} mark @param {Match} match
 * @returns {{status: Status, log: Log}}
 */
export function place(log, mark, match) {
  const repeated = log.marks.find((each) => each.key === mark.key);
  if (repeated) return { status: sameAsBefore(repeated, mark).status, log };
  const placement = placementIn(log, mark, seenIn(log, mark));
  const { status, replaced } = placement;
  const changesPlace = status !== "echo" || replaced.length > 0;
  if (changesPlace && !mark.is_directors) checkTableMayWrite(mark.record, replaced, match);
  if (status !== "echo") checkFits(log, mark, match);
  const changed = statusesAfter(placement);
  const marks = log.marks.map((each) => ({ ...each, status: changed.get(each) ?? each.status }));
  return { status, log: readLog([...marks, { ...mark, status }]) };
}

/** @param {Placement} placement @returns {Map<Mark, Status>} what the marks that were there are from now on */
function statusesAfter({ status, replaced, stay }) {
  const first = status === "current" ? undefined : stay[0];
  return new Map([
    ...replaced.map((mark) => /** @type {const} */ ([mark, "superseded"])),
    ...stay.map((mark) => /** @type {const} */ ([mark, mark === first ? "current" : "rival"])),
  ]);
}

/** @param {Mark} before @param {NewMark} mark whose key is the same */
function sameAsBefore(before, { number, record, supersedes }) {
  const isRepeated = before.number === number && before.supersedes === supersedes && isSame(before.record, record);
  if (!isRepeated) throw new Refusal("entry_key_reused", "entry_key");
  return before;
}

/** @param {Log} log @param {NewMark} mark @returns {Mark | undefined} the mark that its writer saw in that place */
function seenIn(log, { number, supersedes }) {
  const seen = log.marks.find((each) => each.key === supersedes && each.number === number);
  if (supersedes !== null && !seen) throw new Refusal("no_such_mark", "supersedes");
  return seen;
}

/**
 * A new mark takes the place of what its writer saw there; what nobody who saw it has replaced stays, and the table
 * chooses (docs/decisions/0001-keep-two-conflicting-marks.md). Where a phone takes back its own mark alone, the hand of another stays as
 * it is.
 *
 * @param {Log} log @param {NewMark} mark @param {Mark | undefined} seen @returns {Placement}
 */
function placementIn(log, mark, seen) {
  const { number, record, saw_only = false } = mark;
  const here = log.marksAt(number);
  if (!log.standing.has(number)) return placementOnFree(here, mark);
  if (here.length === 1 && isSaid(here, record)) return { status: "echo", replaced: [], stay: [] };
  const [replaced, stay] = seenAndUnseen(log, mark, seen);
  const isFirst = stay.every(isUndo);
  const isEcho = isSaid(stay, record) || (isUndo(mark) && saw_only && !isFirst);
  const freesPlace = isUndo(mark) && (isFirst || !isEcho);
  if (freesPlace && number !== log.last_number) {
    throw new Refusal("not_last_hand", "number", { last: log.last_number });
  }
  return { status: isEcho ? "echo" : isFirst ? "current" : "rival", replaced, stay };
}

/** An undo of what is undone changes nothing; anything else takes the free place.
 *
 * @param {Mark[]} here @param {NewMark} mark @returns {Placement}
 */
function placementOnFree(here, mark) {
  if (!isUndo(mark)) return { status: "current", replaced: here, stay: [] };
  if (here.length > 0) return { status: "echo", replaced: [], stay: [] };
  throw new Refusal("no_such_mark", "number");
}

/** The marks of a place that the writer of the next one saw, and what stays there without them. Whoever looked at a
 * page saw all that was written until then. Where that is not all that stands, it is still a choice among what was
 * seen; anything else waits beside all of it.
 *
 * @param {Log} log @param {NewMark} mark @param {Mark | undefined} seen @returns {[Mark[], Mark[]]}
 */
function seenAndUnseen(log, { number, record, saw_only }, seen) {
  const here = log.marksAt(number);
  if (!seen) return [[], here];
  if (saw_only) return ownAndOthers(log, seen);
  const before = log.marks.slice(0, log.marks.indexOf(seen) + 1);
  const shown = here.filter((mark) => before.includes(mark) || isSame(mark.record, seen.record));
  const isChoice = shown.length === here.length || isSaid(here, record);
  return isChoice ? [shown, here.filter((mark) => !shown.includes(mark))] : [[], here];
}

/** The same where a phone replaces its own mark: an echo of it from elsewhere stays, as the other one still says so.
 *
 * @param {Log} log @param {Mark} own @returns {[Mark[], Mark[]]}
 */
function ownAndOthers(log, own) {
  const here = log.marksAt(own.number);
  const later = log.marks.slice(log.marks.indexOf(own));
  const echoes = log.echoes.get(own.number) ?? [];
  const echo = here.includes(own) && echoes.find((each) => later.includes(each) && isSame(each.record, own.record));
  const stay = log.marks.filter((each) => each === echo || (each !== own && here.includes(each)));
  return [own.status === "superseded" ? [] : [own], undosLast(stay)];
}

/** @param {Mark[]} marks @param {Plain} record whether one of them says it */
function isSaid(marks, record) {
  return marks.some((mark) => isSame(mark.record, record));
}

/** @param {Plain} record @param {MatchFormat} match_format whether it is for a director to write */
function isRuling(record, match_format) {
  return Boolean(record.awarded) || (record.kind === "time_called" && !mayStopInAGame(match_format));
}

/** @param {Plain} record @param {Mark[]} replaced @param {Match} match */
function checkTableMayWrite(record, replaced, { match_format, is_closed }) {
  const isRuled = replaced.some((mark) => mark.is_directors && mark.record.kind !== "undone");
  if (isRuled || isRuling(record, match_format)) throw new Refusal("director_only", "kind");
  if (is_closed) throw new Refusal("match_closed", "hand");
}

/** Marks follow one another without a gap until the match is over.
 *
 * @param {Log} log @param {NewMark} mark @param {Match} match
 */
function checkFits(log, { number }, match) {
  if (log.standing.has(number)) return;
  if (number !== log.next_number) throw new Refusal("number_skips", "number", { expected: log.next_number });
  if (foldMatch(match, log.places).is_over) throw new Refusal("match_over", "hand");
}
