/**
 * Points of a hand, games and the match: rules/folds.py, on a phone without a network. Both fold
 * tests/vectors/matches.json. The names are those of the classes there, since the same templates show either.
 *
 * Sides are "A" and "B", also as winners; in pairs, side A is first. A record comes in its plain form, and a line has
 * it as `plain`, and as `record` for a page.
 *
 * @typedef {import("./records.js").Pair} Pair
 * @typedef {import("./records.js").Plain} Plain
 * @typedef {import("./records.js").Rec} Rec
 * @typedef {import("./records.js").Side} Side
 * @typedef {import("./rulesets.js").MatchFormat} MatchFormat
 * @typedef {import("./rulesets.js").Ruleset} Ruleset
 *
 * @typedef {object} Game its number from 1, the two totals, and once it is over who won it, and how
 * @property {number} number
 * @property {Pair} points
 * @property {Side | null} winner
 * @property {"points" | "charlemagne" | "awarded" | null} by
 *
 * @typedef {object} Line one place of the record with what it did: points gained, the game after it, who dealt
 * @property {number} number
 * @property {Plain} plain
 * @property {Rec} record
 * @property {number} dealer
 * @property {Pair} gained
 * @property {Game} game
 * @property {boolean} is_surplus
 * @property {boolean} ends_game
 */

import { SIDES, isDeal, otherSide, viewOf } from "./records.js";
import { contractOf } from "./rulesets.js";

/** A hand that moves this many points, or ends a game or the match, is read aloud before it counts. */
const READ_ALOUD_FROM = 15;

/** @type {Pair} */
const NOTHING = [0, 0];

/** A match as its record has it so far. `games` are the finished ones; `game` is the running one. */
export class MatchState {
  /** @type {Game} */
  game = newGame(1);
  /** @type {readonly Game[]} */
  games = [];
  /** @type {readonly Line[]} */
  lines = [];
  deals = 0;
  is_over = false;
  isCalled = false;
  /** @type {Side | null} the side that was last ahead, where a tie rule needs it */
  wasAhead = null;

  /** @param {Ruleset} ruleset @param {MatchFormat} match_format @param {number} dealer */
  constructor(ruleset, match_format, dealer) {
    this.ruleset = ruleset;
    this.match_format = match_format;
    this.dealer = dealer;
  }

  /**
   * The state once this place is written. Never refuses a record that its ruleset knows: a correction of an old hand
   * may leave later ones beyond the end of the match, and those are kept, as surplus, without effect.
   *
   * @param {number} number @param {Plain} plain
   */
  after(number, plain) {
    const record = viewOf(plain);
    const dealer = record.dealer ?? this.dealer;
    const gained = this.is_over ? NOTHING : handPoints(this.ruleset, record);
    const game = this.is_over ? this.game : gameAfter(this.game, record, gained, this.ruleset);
    const ends_game = game.winner !== null;
    const line = { number, plain, record, dealer, gained, game, is_surplus: this.is_over, ends_game };
    const state = this.with({ lines: [...this.lines, line] });
    if (this.is_over) return state;
    const passes = passesDeal(record, this.ruleset);
    state.dealer = passes ? (dealer + 1) % this.ruleset.seats : dealer;
    state.deals += Number(passes);
    state.games = ends_game ? [...this.games, game] : this.games;
    state.game = ends_game ? newGame(game.number + 1) : game;
    state.isCalled ||= record.kind === "time_called";
    const { tie } = this.match_format;
    const ahead = tie ? state.leader : null;
    state.wasAhead = ahead ?? this.wasAhead;
    state.is_over = (state.has_games_to_win || state.isOutOfHands || state.isCalled) && (tie !== "extra_hand" || ahead !== null);
    return state;
  }

  /** @param {Partial<MatchState>} changes @returns {MatchState} */
  with(changes) {
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
    const worth = this.games.map((game) => this.worthBeyondPoints(game));
    return [...scored, ...worth].reduce(plus, NOTHING);
  }

  /**
   * What winning the game adds to its points, where points decide: what the winners lacked to the target, unless the
   * format has a worth of its own for a Charlemagne.
   *
   * @param {Game} game a finished one
   */
  worthBeyondPoints({ points, winner, by }) {
    if (winner === null || this.match_format.decided_by !== "points") return NOTHING;
    const lacking = Math.max(0, this.ruleset.target - points[SIDES.indexOf(winner)]);
    return pairOf(winner, by === "charlemagne" ? this.match_format.charlemagne_points ?? lacking : lacking);
  }

  /** @returns {Side | null} null while it goes on, and where everything that decides it is equal, even its tie rule */
  get winner() {
    if (!this.is_over) return null;
    const { tie, favored } = this.match_format;
    return this.leader ?? (tie === "last_to_lead" ? this.wasAhead : null) ?? (tie ? SIDES[favored ?? -1] : null) ?? null;
  }

  /** @returns {Side | null} who wins if the match ends as it stands; null where everything that decides it is equal */
  get leader() {
    const byGames = this.has_games_to_win || this.match_format.decided_by !== "points";
    const deciding = byGames ? [this.games_won, this.points] : [this.points];
    const [a, b] = deciding.find((pair) => pair[0] !== pair[1]) ?? NOTHING;
    return a === b ? null : a > b ? "A" : "B";
  }
}

/**
 * The match after these places, in the order of their numbers.
 *
 * @param {Ruleset} ruleset
 * @param {MatchFormat} match_format
 * @param {Iterable<[number, Plain]>} places
 * @param {number} [first_dealer]
 */
export function fold(ruleset, match_format, places, first_dealer = 0) {
  let state = new MatchState(ruleset, match_format, first_dealer);
  for (const [number, plain] of [...places].sort(([one], [other]) => one - other)) state = state.after(number, plain);
  return state;
}

/** Points that one record moves, to side A and to side B.
 *
 * @param {Ruleset} ruleset @param {Rec} record @returns {Pair}
 */
export function handPoints(ruleset, { kind, side, contract: key = "", made }) {
  if (kind !== "hand" || !side) return NOTHING;
  const contract = contractOf(ruleset, key);
  return made ? pairOf(side, contract.made) : pairOf(otherSide(side), contract.failed);
}

/** Whether the last record is to be read aloud first: it ends a game or the match, or moves many points.
 *
 * @param {MatchState} before @param {MatchState} after
 */
export function isReadAloud(before, after) {
  const endsSomething = after.games.length > before.games.length || (after.is_over && !before.is_over);
  return endsSomething || Math.max(...after.lines[after.lines.length - 1].gained) >= READ_ALOUD_FROM;
}

/** @param {number} number @returns {Game} */
function newGame(number) {
  return { number, points: NOTHING, winner: null, by: null };
}

/** @param {Side} side @param {number} points @returns {Pair} */
function pairOf(side, points) {
  return side === "A" ? [points, 0] : [0, points];
}

/** @param {Pair} one @param {Pair} other @returns {Pair} */
function plus(one, other) {
  return [one[0] + other[0], one[1] + other[1]];
}

/** @param {Game} game @param {Rec} record @param {Pair} gained @param {Ruleset} ruleset @returns {Game} */
function gameAfter({ number, points: before }, record, gained, ruleset) {
  const points = record.kind === "totals" && record.points ? record.points : plus(before, gained);
  if (record.awarded && record.winner) return { number, points, winner: record.winner, by: "awarded" };
  const reached = SIDES.find((_, side) => points[side] >= ruleset.target);
  if (reached) return { number, points, winner: reached, by: "points" };
  const winner = record.winner ?? winnerOfTheGame(record, ruleset);
  return { number, points, winner, by: winner && "charlemagne" };
}

/** @param {Rec} record @param {Ruleset} ruleset @returns {Side | null} who wins the game by this hand alone */
function winnerOfTheGame({ kind, side, contract = "", made }, ruleset) {
  if (kind !== "hand" || !side || !contractOf(ruleset, contract).ends_game) return null;
  return made ? side : otherSide(side);
}

/** Whether the deal moves on; a deal that moves on is one of a fixed number of hands.
 *
 * @param {Rec} record @param {Ruleset} ruleset
 */
function passesDeal({ kind }, ruleset) {
  return kind === "hand" || (kind === "passed_out" && ruleset.all_pass === "next_dealer");
}
