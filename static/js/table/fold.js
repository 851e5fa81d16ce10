/**
 * Folds the records of a match into points, games and a result on a phone without a network, like rules/folds.py. Both are
 * tested by tests/vectors/matches.json. Properties have the names of the Python classes, since the same templates show both.
 *
 * Sides are "A" and "B", also as winners; in pairs, side A is first. A line has its record as `data`, and as `record` for
 * a page.
 *
 * @typedef {import("./records.js").Pair} Pair
 * @typedef {import("./records.js").RecordData} RecordData
 * @typedef {import("./records.js").MatchRecord} MatchRecord
 * @typedef {import("./records.js").Side} Side
 * @typedef {import("./rulesets.js").MatchFormat} MatchFormat
 * @typedef {import("./rulesets.js").Ruleset} Ruleset
 *
 * @typedef {object} Game a game, with its winner once it is over
 * @property {number} number
 * @property {Pair} points
 * @property {Side | null} winner
 * @property {"points" | "charlemagne" | "awarded" | null} by
 *
 * @typedef {object} Line a record with its effects: points gained, the game after it, the dealer
 * @property {number} number
 * @property {RecordData} data
 * @property {MatchRecord} record
 * @property {number} dealer
 * @property {Pair} gained
 * @property {Game} game
 * @property {boolean} is_surplus
 * @property {boolean} ends_game
 */

import { SIDES, getOtherSide, isDeal, toMatchRecord } from "./records.js";
import { findContract } from "./rulesets.js";

/** The points from which a hand must be confirmed, as must one that ends a game or the match. */
const CONFIRMED_POINTS = 15;

/** @type {Pair} */
const NO_POINTS = [0, 0];

/** The state of a match so far. `games` are the finished ones; `game` is the running one. */
export class MatchState {
  /** @type {Game} */
  game = createGame(1);
  /** @type {readonly Game[]} */
  games = [];
  /** @type {readonly Line[]} */
  lines = [];
  deals = 0;
  is_over = false;
  isTimeCalled = false;
  /** @type {Side | null} the side that was last ahead, if a tie rule needs it */
  lastAhead = null;

  /** @param {Ruleset} ruleset @param {MatchFormat} match_format @param {number} dealer */
  constructor(ruleset, match_format, dealer) {
    this.ruleset = ruleset;
    this.match_format = match_format;
    this.dealer = dealer;
  }

  /**
   * Returns the state after one more record. Never refuses a record that its ruleset knows: a correction of an old hand
   * may leave later ones beyond the end of the match; they are surplus, without effect.
   *
   * @param {number} number @param {RecordData} data
   */
  addRecord(number, data) {
    const record = toMatchRecord(data);
    const dealer = record.dealer ?? this.dealer;
    const gained = this.is_over ? NO_POINTS : countHandPoints(this.ruleset, record);
    const game = this.is_over ? this.game : advanceGame(this.game, record, gained, this.ruleset);
    const ends_game = game.winner !== null;
    const line = { number, data, record, dealer, gained, game, is_surplus: this.is_over, ends_game };
    const state = this.copyWith({ lines: [...this.lines, line] });
    if (this.is_over) return state;
    const passes = passesDeal(record, this.ruleset);
    state.dealer = passes ? (dealer + 1) % this.ruleset.seats : dealer;
    state.deals += Number(passes);
    state.games = ends_game ? [...this.games, game] : this.games;
    state.game = ends_game ? createGame(game.number + 1) : game;
    state.isTimeCalled ||= record.kind === "time_called";
    const { tie } = this.match_format;
    const ahead = tie ? state.leader : null;
    state.lastAhead = ahead ?? this.lastAhead;
    state.is_over = (state.has_games_to_win || state.isOutOfHands || state.isTimeCalled) && (tie !== "extra_hand" || ahead !== null);
    return state;
  }

  /** @param {Partial<MatchState>} changes @returns {MatchState} */
  copyWith(changes) {
    return Object.assign(Object.create(MatchState.prototype), this, changes);
  }

  /** @returns {Pair} */
  get games_won() {
    const [a, b] = SIDES.map((side) => this.games.filter((game) => game.winner === side).length);
    return [a, b];
  }

  get has_games_to_win() {
    return Math.max(...this.games_won) >= (this.match_format.games_to_win ?? Infinity);
  }

  get isOutOfHands() {
    return this.deals >= (this.match_format.hands ?? Infinity);
  }

  /** @returns {Pair} points of the whole match; the unfinished game counts by its points */
  get points() {
    const scored = [...this.games, this.game].map((game) => game.points);
    const worth = this.games.map((game) => this.countWinBonus(game));
    return [...scored, ...worth].reduce(addPairs, NO_POINTS);
  }

  /**
   * Counts the bonus for winning a game, if points decide: the points that the winners lacked to the target, unless the
   * format sets the points of a Charlemagne.
   *
   * @param {Game} game a finished one
   */
  countWinBonus({ points, winner, by }) {
    if (winner === null || this.match_format.decided_by !== "points") return NO_POINTS;
    const lacking = Math.max(0, this.ruleset.target - points[SIDES.indexOf(winner)]);
    return createPair(winner, by === "charlemagne" ? this.match_format.charlemagne_points ?? lacking : lacking);
  }

  /** @returns {Side | null} null during the match, and if everything that decides it is equal, even its tie rule */
  get winner() {
    if (!this.is_over) return null;
    const { tie, favored } = this.match_format;
    return this.leader ?? (tie === "last_to_lead" ? this.lastAhead : null) ?? (tie ? SIDES[favored ?? -1] : null) ?? null;
  }

  /** @returns {Side | null} who wins if the match ends now; null if everything that decides it is equal */
  get leader() {
    const byGames = this.has_games_to_win || this.match_format.decided_by !== "points";
    const deciding = byGames ? [this.games_won, this.points] : [this.points];
    const [a, b] = deciding.find((pair) => pair[0] !== pair[1]) ?? NO_POINTS;
    return a === b ? null : a > b ? "A" : "B";
  }
}

/**
 * Folds the records of a match, in the order of their numbers.
 *
 * @param {Ruleset} ruleset
 * @param {MatchFormat} match_format
 * @param {Iterable<[number, RecordData]>} places
 * @param {number} [first_dealer]
 */
export function fold(ruleset, match_format, places, first_dealer = 0) {
  let state = new MatchState(ruleset, match_format, first_dealer);
  for (const [number, data] of [...places].sort(([one], [other]) => one - other)) state = state.addRecord(number, data);
  return state;
}

/** Counts the points that one record gives to each side.
 *
 * @param {Ruleset} ruleset @param {MatchRecord} record @returns {Pair}
 */
export function countHandPoints(ruleset, { kind, side, contract: key = "", made }) {
  if (kind !== "hand" || !side) return NO_POINTS;
  const contract = findContract(ruleset, key);
  return made ? createPair(side, contract.made) : createPair(getOtherSide(side), contract.failed);
}

/** Checks whether the last record must be confirmed first: it ends a game or the match, or moves many points.
 *
 * @param {MatchState} before @param {MatchState} after
 */
export function needsConfirming(before, after) {
  const endsSomething = after.games.length > before.games.length || (after.is_over && !before.is_over);
  return endsSomething || Math.max(...after.lines[after.lines.length - 1].gained) >= CONFIRMED_POINTS;
}

/** @param {number} number @returns {Game} */
function createGame(number) {
  return { number, points: NO_POINTS, winner: null, by: null };
}

/** @param {Side} side @param {number} points @returns {Pair} */
function createPair(side, points) {
  return side === "A" ? [points, 0] : [0, points];
}

/** @param {Pair} one @param {Pair} other @returns {Pair} */
function addPairs(one, other) {
  return [one[0] + other[0], one[1] + other[1]];
}

/** @param {Game} game @param {MatchRecord} record @param {Pair} gained @param {Ruleset} ruleset @returns {Game} */
function advanceGame({ number, points: before }, record, gained, ruleset) {
  const points = record.kind === "totals" && record.points ? record.points : addPairs(before, gained);
  if (record.awarded && record.winner) return { number, points, winner: record.winner, by: "awarded" };
  const reached = SIDES.find((_, side) => points[side] >= ruleset.target);
  if (reached) return { number, points, winner: reached, by: "points" };
  const winner = record.winner ?? findGameWinner(record, ruleset);
  return { number, points, winner, by: winner && "charlemagne" };
}

/** @param {MatchRecord} record @param {Ruleset} ruleset @returns {Side | null} who wins the game by this hand alone */
function findGameWinner({ kind, side, contract = "", made }, ruleset) {
  if (kind !== "hand" || !side || !findContract(ruleset, contract).ends_game) return null;
  return made ? side : getOtherSide(side);
}

/** Checks whether the deal passes on; only such a deal counts towards a fixed number of hands.
 *
 * @param {MatchRecord} record @param {Ruleset} ruleset
 */
function passesDeal({ kind }, ruleset) {
  return kind === "hand" || (kind === "passed_out" && ruleset.all_pass === "next_dealer");
}
