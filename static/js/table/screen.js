/**
 * What the table screen shows, as values: scoring/presenters, on a phone without a network. The names are those that
 * the templates ask for. No page: node imports this module as browsers do.
 *
 * @typedef {import("./match.js").Table} Table
 * @typedef {import("./known.js").Mark} Mark
 * @typedef {import("./log.js").Log} Log
 * @typedef {import("./fold.js").MatchState} MatchState
 * @typedef {import("./records.js").Plain} Plain
 * @typedef {import("./rulesets.js").Contract} Contract
 *
 * @typedef {ReturnType<typeof sideView>} SideView
 * @typedef {ReturnType<typeof handLine>} HandLine
 */

import { handPoints } from "./fold.js";
import { lastHandOf } from "./last_hand.js";
import { foldMatch } from "./log.js";
import { matchOf } from "./match.js";
import { SIDES, TRICKS, otherSide, viewOf } from "./records.js";
import { contractOf, isMadeWith, mayStopInAGame, playedIn } from "./rulesets.js";

/** The screen for marking the next hand, or for correcting the hand of that number.
 *
 * @param {Table} table @param {number | null} [correctedNumber]
 */
export function tableScreen(table, correctedNumber = null) {
  const { known, log, state } = table;
  const number = correctedNumber ?? log.next_number;
  const before = correctedNumber === null
    ? state
    : foldMatch(matchOf(known), log.places.filter((place) => place[0] < number));
  const { dealer } = log.rivals.size > 0 // which give no points, but were dealt
    ? foldMatch(matchOf(known), log.deals.filter((place) => place[0] < number))
    : before;
  const sides = sideViews(known, before, dealer);
  const lines = handLines(log, state, sides);
  const game = finishedGame(known, state, sides);
  const lastEnd = Math.max(0, ...lines.filter(({ line }) => line?.ends_game).map((line) => line.number));
  const { match_format, ruleset } = known;
  const played = playedIn(ruleset);
  const last_hand = lastHandOf(table);
  return {
    state,
    number,
    sides,
    lines,
    correcting: lines.find((line) => line.number === correctedNumber) ?? null,
    undone: undoneLine(log, sides, ruleset),
    finished_game: game,
    last_hand,
    ruleset: { ...ruleset, playable: played },
    dealer: sides.flatMap(({ players }) => players).find(({ deals }) => deals),
    last: lines[lines.length - 1] ?? null,
    game_lines: lines.filter((line) => line.number > lastEnd).reverse(),
    contested: lines.filter(({ rivals }) => rivals.length),
    steps: sides.flatMap((side, place) => played.map((contract) => step(sides, place, contract, ruleset))),
    suits: ["S", "H", "D", "C"],
    winner: state.winner === null ? null : sides[SIDES.indexOf(state.winner)],
    counts_games: match_format.games_to_win !== 1,
    may_stop_in_a_game: mayStopInAGame(match_format),
    may_call_time: match_format.minutes != null && last_hand !== "extra",
    may_end_by_charlemagne: played.some((contract) => contract.ends_game),
    may_be_passed_out: ruleset.all_pass !== "dealer_must_bid",
  };
}

/**
 * @param {import("./known.js").Known} known @param {MatchState} state
 * @param {number} dealer who deals, also where a hand waits to be chosen
 */
export function sideViews(known, state, dealer) {
  return known.sides.map((_, side) => sideView(known, state, side, dealer));
}

/** One side: who they are, and where they stand in the running game.
 *
 * @param {import("./known.js").Known} known @param {MatchState} state @param {number} side
 * @param {number} dealer who deals, also where a hand waits to be chosen
 */
function sideView({ sides }, state, side, dealer) {
  const players = sides[side].players.map((player) => ({ ...player, deals: player.seat === dealer }));
  return { ...sides[side], players, total: state.game.points[side], games_won: state.games_won[side] };
}

/** What a record says, and who gets what by it.
 *
 * @param {number} number @param {Plain} plain @param {SideView[]} sides
 * @param {import("./rulesets.js").Ruleset} ruleset @param {?Mark} [mark]
 */
export function handLine(number, plain, sides, ruleset, mark = null) {
  const record = viewOf(plain);
  const bidder = record.kind === "hand" && record.side ? record.side : null;
  const gainer = bidder && (record.made ? bidder : otherSide(bidder));
  return {
    number,
    record,
    bidder: bidder && sides[SIDES.indexOf(bidder)],
    gainer: gainer && sides[SIDES.indexOf(gainer)],
    awarded_to: record.awarded && record.winner ? sides[SIDES.indexOf(record.winner)] : null,
    gained: Math.max(...handPoints(ruleset, record)),
    ends_game: record.kind === "hand" && contractOf(ruleset, record.contract ?? "").ends_game,
    mark: mark && markView(mark),
  };
}

/** @param {Mark} mark */
function markView(mark) {
  return { ...mark, entry_key: mark.key, record_data: mark.record };
}

/** @param {Log} log @param {MatchState} state @param {SideView[]} sides */
function handLines(log, state, sides) {
  const folded = new Map(state.lines.map((line) => [line.number, line]));
  const corrected = new Set(log.marks.filter(({ status }) => status === "superseded").map(({ number }) => number));
  return [...log.standing.keys()].sort((one, other) => one - other).map((number) => {
    const marks = /** @type {Mark[]} */ (log.marksAt(number));
    const [first, ...rivals] = marks.map((mark) => handLine(number, mark.record, sides, state.ruleset, mark));
    const newest = marks.reduce((one, other) => log.marks.indexOf(one) < log.marks.indexOf(other) ? other : one);
    const line = {
      ...first, line: folded.get(number) ?? null, is_corrected: corrected.has(number), rivals,
      newest: markView(newest),
    };
    const choices = [line, ...rivals];
    return { ...line, choices, differs: differing(choices) };
  });
}

/** @param {HandLine[]} choices @returns {string[]} what of side, contract and outcome is not the same in all of them */
function differing(choices) {
  const records = choices.map(({ record }) => record).filter(({ kind }) => kind === "hand");
  const said = {
    side: records.map(({ side }) => side),
    contract: records.map(({ contract }) => contract),
    outcome: records.map(({ made, tricks }) => `${made} ${tricks}`),
  };
  return Object.entries(said).filter(([, values]) => new Set(values).size > 1).map(([name]) => name);
}

/** What "Put back" would put back: the mark that the last undo took away.
 *
 * @param {Log} log @param {SideView[]} sides @param {import("./rulesets.js").Ruleset} ruleset
 */
function undoneLine(log, sides, ruleset) {
  const undo = log.undone.get(log.next_number);
  const before = /** @type {Mark | undefined} */ (log.marks.find(({ key }) => undo && key === undo.supersedes));
  return before ? handLine(before.number, before.record, sides, ruleset, before) : null;
}

/** The game that the last line ended, while nothing of the next one is marked.
 *
 * @param {import("./known.js").Known} known @param {MatchState} state @param {SideView[]} sides
 */
function finishedGame({ agreements }, state, sides) {
  const lines = state.lines.filter((line) => !line.is_surplus);
  if (!lines.length || !lines[lines.length - 1].ends_game) return null;
  const game = state.games[state.games.length - 1];
  const text = `${game.points.join("-")} ${game.winner} ${game.by}`;
  const given = sides.map((side) => {
    const said = agreements.filter((each) => each.game === game.number && each.agreed_to === text);
    return /** @type {const} */ ([side, said.find((each) => each.side === side.letter)?.created_at ?? null]);
  });
  const to_agree = given.filter(([, moment]) => moment === null).map(([side]) => side);
  const winner = sides[SIDES.indexOf(/** @type {"A" | "B"} */ (game.winner))];
  const beyond_points = Math.max(...state.worthBeyondPoints(game));
  const result = game.winner === "A" ? game.points : [...game.points].reverse();
  return { game, winner, result, beyond_points, text, agreements: given, to_agree, is_agreed: !to_agree.length };
}

/** The second tap: this side in this contract, and what every outcome would do.
 *
 * @param {SideView[]} sides @param {number} declarers @param {Contract} contract
 * @param {import("./rulesets.js").Ruleset} ruleset
 */
function step(sides, declarers, contract, ruleset) {
  const all = Array.from({ length: TRICKS + 1 }, (_, tricks) => tricks);
  const made = all.filter((tricks) => isMadeWith(contract, tricks));
  const failed = all.filter((tricks) => !isMadeWith(contract, tricks));
  const boxes = [box(sides, declarers, contract, made), box(sides, 1 - declarers, contract, failed, false)];
  const counted = boxes.filter(({ tricks }) => tricks.length > 1);
  return {
    id: `${sides[declarers].letter}-${contract.key}`,
    side: sides[declarers],
    contract,
    boxes,
    tricks: all.flatMap((number) => counted.filter(({ tricks }) => tricks.includes(number)).map((each) => [number, each])),
    asks_trump: contract.trump === "named",
    asks_mode: contract.modes.length > 1,
  };
}

/** One outcome of a step: who gets how much, and the numbers of tricks that say it.
 *
 * @param {SideView[]} sides @param {number} gainer @param {Contract} contract @param {number[]} tricks
 */
function box(sides, gainer, contract, tricks, made = true) {
  const side = sides[gainer];
  const gained = made ? contract.made : contract.failed;
  const { ends_game } = contract;
  const result = tricks.length === 1 ? String(tricks[0]) : made ? "made" : "failed";
  return { made, side, gained, ends_game, tricks, after: side.total + gained, result };
}
