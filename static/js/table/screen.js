/**
 * Presents the table screen on a phone without a network, like scoring/presenters. Properties have the names that the
 * templates use. Uses no page: node imports this module as browsers do.
 *
 * @typedef {import("./match.js").Table} Table
 * @typedef {import("./snapshot.js").Mark} Mark
 * @typedef {import("./log.js").Log} Log
 * @typedef {import("./fold.js").MatchState} MatchState
 * @typedef {import("./records.js").RecordData} RecordData
 * @typedef {import("./rulesets.js").Contract} Contract
 *
 * @typedef {ReturnType<typeof buildSideView>} SideView
 * @typedef {ReturnType<typeof buildHandLine>} HandLine
 */

import { countHandPoints } from "./fold.js";
import { findLastHand } from "./last_hand.js";
import { foldMatch } from "./log.js";
import { getMatchTerms } from "./match.js";
import { SIDES, TRICKS, getOtherSide, toMatchRecord } from "./records.js";
import { canStopWithinGame, findContract, isMadeWith, listPlayedContracts } from "./rulesets.js";

/** Builds the screen for recording the next hand, or for correcting the hand with that number.
 *
 * @param {Table} table @param {number | null} [correctedNumber]
 */
export function buildTableScreen(table, correctedNumber = null) {
  const { known, log, state } = table;
  const number = correctedNumber ?? log.next_number;
  const before = correctedNumber === null
    ? state
    : foldMatch(getMatchTerms(known), log.places.filter((place) => place[0] < number));
  const { dealer } = log.rivals.size > 0 // rivals give no points, but were dealt
    ? foldMatch(getMatchTerms(known), log.deals.filter((place) => place[0] < number))
    : before;
  const sides = buildSideViews(known, before, dealer);
  const lines = buildHandLines(log, state, sides);
  const game = buildFinishedGame(known, state, sides);
  const lastEnd = Math.max(0, ...lines.filter(({ line }) => line?.ends_game).map((line) => line.number));
  const { match_format, ruleset } = known;
  const played = listPlayedContracts(ruleset);
  const last_hand = findLastHand(table);
  return {
    state,
    number,
    sides,
    lines,
    corrected_line: lines.find((line) => line.number === correctedNumber) ?? null,
    undone: buildUndoneLine(log, sides, ruleset),
    finished_game: game,
    last_hand_state: last_hand,
    ruleset: { ...ruleset, playable: played },
    dealer: sides.flatMap(({ players }) => players).find(({ deals }) => deals),
    last: lines[lines.length - 1] ?? null,
    game_lines: lines.filter((line) => line.number > lastEnd).reverse(),
    contested_lines: lines.filter(({ rivals }) => rivals.length),
    steps: sides.flatMap((side, place) => played.map((contract) => buildStep(sides, place, contract, ruleset))),
    suits: ["S", "H", "D", "C"],
    winner: state.winner === null ? null : sides[SIDES.indexOf(state.winner)],
    counts_games: match_format.games_to_win !== 1,
    may_stop_in_a_game: canStopWithinGame(match_format),
    can_call_time: match_format.minutes != null && last_hand !== "extra",
    can_end_by_charlemagne: played.some((contract) => contract.ends_game),
    can_be_passed_out: ruleset.all_pass !== "dealer_must_bid",
  };
}

/**
 * @param {import("./snapshot.js").TableSnapshot} known @param {MatchState} state
 * @param {number} dealer the seat of the dealer, also while rival marks wait for a choice
 */
export function buildSideViews(known, state, dealer) {
  return known.sides.map((_, side) => buildSideView(known, state, side, dealer));
}

/** Builds the view of one side, with its players and its total in the running game.
 *
 * @param {import("./snapshot.js").TableSnapshot} known @param {MatchState} state @param {number} side
 * @param {number} dealer the seat of the dealer, also while rival marks wait for a choice
 */
function buildSideView({ sides }, state, side, dealer) {
  const players = sides[side].players.map((player) => ({ ...player, deals: player.seat === dealer }));
  return { ...sides[side], players, total: state.game.points[side], games_won: state.games_won[side] };
}

/** Builds the line of a record, with the points that it gives.
 *
 * @param {number} number @param {RecordData} recordData @param {SideView[]} sides
 * @param {import("./rulesets.js").Ruleset} ruleset @param {?Mark} [mark]
 */
export function buildHandLine(number, recordData, sides, ruleset, mark = null) {
  const record = toMatchRecord(recordData);
  const bidder = record.kind === "hand" && record.side ? record.side : null;
  const gainer = bidder && (record.made ? bidder : getOtherSide(bidder));
  return {
    number,
    record,
    bidder: bidder && sides[SIDES.indexOf(bidder)],
    gainer: gainer && sides[SIDES.indexOf(gainer)],
    awarded_to: record.awarded && record.winner ? sides[SIDES.indexOf(record.winner)] : null,
    gained: Math.max(...countHandPoints(ruleset, record)),
    ends_game: record.kind === "hand" && findContract(ruleset, record.contract ?? "").ends_game,
    mark: mark && buildMarkView(mark),
  };
}

/** @param {Mark} mark */
function buildMarkView(mark) {
  return { ...mark, entry_key: mark.key, record_data: mark.record };
}

/** @param {Log} log @param {MatchState} state @param {SideView[]} sides */
function buildHandLines(log, state, sides) {
  const linesByNumber = new Map(state.lines.map((line) => [line.number, line]));
  const corrected = new Set(log.marks.filter(({ status }) => status === "superseded").map(({ number }) => number));
  return [...log.standing.keys()].sort((one, other) => one - other).map((number) => {
    const marks = /** @type {Mark[]} */ (log.listMarksAt(number));
    const [first, ...rivals] = marks.map((mark) => buildHandLine(number, mark.record, sides, state.ruleset, mark));
    const newest = marks.reduce((one, other) => log.marks.indexOf(one) < log.marks.indexOf(other) ? other : one);
    const line = {
      ...first, line: linesByNumber.get(number) ?? null, is_corrected: corrected.has(number), rivals,
      newest: buildMarkView(newest),
    };
    const choices = [line, ...rivals];
    return { ...line, choices, differs: listDifferences(choices) };
  });
}

/** @param {HandLine[]} choices @returns {string[]} which of side, contract and outcome differ between them */
function listDifferences(choices) {
  const records = choices.map(({ record }) => record).filter(({ kind }) => kind === "hand");
  const valuesByField = {
    side: records.map(({ side }) => side),
    contract: records.map(({ contract }) => contract),
    outcome: records.map(({ made, tricks }) => `${made} ${tricks}`),
  };
  return Object.entries(valuesByField).filter(([, values]) => new Set(values).size > 1).map(([name]) => name);
}

/** Builds the line that "Restore" would restore: the mark that the last undo removed.
 *
 * @param {Log} log @param {SideView[]} sides @param {import("./rulesets.js").Ruleset} ruleset
 */
function buildUndoneLine(log, sides, ruleset) {
  const undo = log.undone.get(log.next_number);
  const before = /** @type {Mark | undefined} */ (log.marks.find(({ key }) => undo && key === undo.supersedes));
  return before ? buildHandLine(before.number, before.record, sides, ruleset, before) : null;
}

/** Builds the game that the last line ended, until a hand of the next one is recorded.
 *
 * @param {import("./snapshot.js").TableSnapshot} known @param {MatchState} state @param {SideView[]} sides
 */
function buildFinishedGame({ agreements }, state, sides) {
  const lines = state.lines.filter((line) => !line.is_surplus);
  if (!lines.length || !lines[lines.length - 1].ends_game) return null;
  const game = state.games[state.games.length - 1];
  const text = `${game.points.join("-")} ${game.winner} ${game.by}`;
  const agreementsBySide = sides.map((side) => {
    const gameAgreements = agreements.filter((each) => each.game === game.number && each.agreed_to === text);
    return /** @type {const} */ ([side, gameAgreements.find((each) => each.side === side.letter)?.created_at ?? null]);
  });
  const pending_sides = agreementsBySide.filter(([, moment]) => moment === null).map(([side]) => side);
  const winner = sides[SIDES.indexOf(/** @type {"A" | "B"} */ (game.winner))];
  const bonus_points = Math.max(...state.countWinBonus(game));
  const result = game.winner === "A" ? game.points : [...game.points].reverse();
  return {
    game, winner, result, bonus_points, text, agreements: agreementsBySide, pending_sides,
    is_agreed: !pending_sides.length, is_to_confirm: lines[lines.length - 1].record.kind !== "totals",
  };
}

/** Builds the second step of recording a hand: the outcomes of a side in a contract.
 *
 * @param {SideView[]} sides @param {number} declarers @param {Contract} contract
 * @param {import("./rulesets.js").Ruleset} ruleset
 */
function buildStep(sides, declarers, contract, ruleset) {
  const all = Array.from({ length: TRICKS + 1 }, (_, tricks) => tricks);
  const made = all.filter((tricks) => isMadeWith(contract, tricks));
  const failed = all.filter((tricks) => !isMadeWith(contract, tricks));
  const boxes = [
    buildOutcomeBox(sides, declarers, contract, made), buildOutcomeBox(sides, 1 - declarers, contract, failed, false),
  ];
  const counted = boxes.filter(({ tricks }) => tricks.length > 1);
  return {
    id: `${sides[declarers].letter}-${contract.key}`,
    side: sides[declarers],
    contract,
    boxes,
    tricks: all.flatMap((number) => counted.filter(({ tricks }) => tricks.includes(number)).map((each) => [number, each])),
    is_trump_asked: contract.trump === "named",
    asks_mode: contract.modes.length > 1,
  };
}

/** Builds one outcome of a step: the side that gains, its points, and the tricks that mean it.
 *
 * @param {SideView[]} sides @param {number} gainer @param {Contract} contract @param {number[]} tricks
 */
function buildOutcomeBox(sides, gainer, contract, tricks, made = true) {
  const side = sides[gainer];
  const gained = made ? contract.made : contract.failed;
  const { ends_game } = contract;
  const result = tricks.length === 1 ? String(tricks[0]) : made ? "made" : "failed";
  return { made, side, gained, ends_game, tricks, after: side.total + gained, result };
}
