/**
 * Parses the form of a table into record data on a phone without a network, like scoring/parsing.py and rules/record_reader.py.
 * Record data is stored, sent and compared; `toMatchRecord` converts it for a page.
 *
 * A course, which is never typed at a table, is stored as the server wrote it.
 *
 * @typedef {import("./rulesets.js").Ruleset} Ruleset
 * @typedef {"A" | "B"} Side its index in pairs is that in `SIDES`
 * @typedef {[number, number]} Pair
 * @typedef {Readonly<Record<string, string | number | boolean>>} RecordData `kind`, and the other values of the record
 *
 * @typedef {object} MatchRecord a record as in rules/records.py, with the properties of its kind; null if not given
 * @property {string} kind
 * @property {Side} [side]
 * @property {string} [contract]
 * @property {boolean} [made]
 * @property {number | null} [tricks]
 * @property {string | null} [trump]
 * @property {number | null} [declarer]
 * @property {string | null} [mode]
 * @property {boolean} [awarded]
 * @property {number | null} [dealer]
 * @property {string | null} [course]
 * @property {Pair} [points]
 * @property {Side | null} [winner]
 *
 * @typedef {object} PostedMark
 * @property {number} match
 * @property {string} key
 * @property {number} number
 * @property {Record<string, unknown>} hand
 * @property {string | null} supersedes the key of the mark that its writer saw there
 * @property {boolean} saw_only whether no other mark was seen there
 * @property {string} reason
 * @property {boolean} confirmed whether the table has confirmed it
 */

import { Refusal } from "./refusals.js";
import { findContract, isMadeWith, listPlayedContracts } from "./rulesets.js";

/** @type {readonly [Side, Side]} */
export const SIDES = ["A", "B"];
export const TRICKS = 8;

const KINDS = ["hand", "passed_out", "misdeal", "void", "undone", "totals", "time_called"];
const DEAL_KINDS = ["hand", "passed_out", "misdeal", "void"];
const DETAIL_FIELDS = ["declarer", "trump", "mode"];
const HAND_FIELDS = [
  ...["kind", "side", "contract", "tricks", "outcome", "trump", "declarer", "mode", "dealer"],
  ...["points_a", "points_b", "winner", "awarded"],
];
const KEY_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NUMBER_PATTERN = /^-?[0-9]{1,9}$/;

/** @type {Map<string, Side>} */
const SIDE_CHOICES = new Map(SIDES.map((side) => [side, side]));
const SUIT_CHOICES = new Map(["S", "H", "D", "C"].map((suit) => [suit, suit]));
const OUTCOME_CHOICES = new Map([["made", true], ["failed", false]]);
const SWITCH_CHOICES = new Map([
  ...["true", "True", "on", "1"].map((text) => /** @type {const} */ ([text, true])),
  ...["false", "False", "0"].map((text) => /** @type {const} */ ([text, false])),
]);

/** @param {MatchRecord} record @returns {boolean} whether cards were dealt, so that it may have a dealer */
export function isDeal({ kind }) {
  return DEAL_KINDS.includes(kind);
}

/** @param {Side} side @returns {Side} */
export function getOtherSide(side) {
  return side === "A" ? "B" : "A";
}

/** @param {RecordData} one @param {RecordData} other @returns {boolean} whether they are equal */
export function isSame(one, other) {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/**
 * Parses the mark of a form. Throws: no_such_key, not_a_number.
 *
 * @param {Record<string, string | undefined>} values
 * @returns {PostedMark}
 */
export function parsePostedMark(values) {
  const key = (values.entry_key ?? "").toLowerCase();
  if (!KEY_PATTERN.test(key)) throw new Refusal("no_such_key", "entry_key");
  return {
    match: parseNumber(values, "match"),
    key,
    number: parseNumber(values, "number"),
    hand: Object.fromEntries(Object.entries(parseHand(values)).filter(([, value]) => value)),
    supersedes: values.supersedes || null,
    saw_only: Boolean(values.saw_only),
    reason: values.reason ?? "",
    confirmed: Boolean(values.confirmed),
  };
}

/** Parses the hand of a form; a button has one value, `B-6-made`, and its details under names such as `trump.B-6`.
 *
 * @param {Record<string, string | undefined>} values
 */
function parseHand(values) {
  const [, side, handText] = /^([^-]*)-?([^]*)$/.exec(values.said ?? "") ?? [];
  if (!handText) return Object.fromEntries(HAND_FIELDS.map((name) => [name, values[name]]));
  const [, contract = "", result] = /^(?:([^]*)-)?([^-]*)$/.exec(handText) ?? [];
  const details = DETAIL_FIELDS.map((name) => [name, values[`${name}.${side}-${contract}`]]);
  const outcome = OUTCOME_CHOICES.has(result) ? "outcome" : "tricks";
  return { side, contract, [outcome]: result, ...Object.fromEntries(details) };
}

/** @param {Record<string, string | undefined>} values @param {string} name */
function parseNumber(values, name) {
  const value = values[name] ?? "";
  if (!/^[0-9]{1,15}$/.test(value)) throw new Refusal("not_a_number", name, { value });
  return Number(value);
}

/**
 * Reads record data from values, checked against the ruleset. Throws the first refusal of `read_record`.
 *
 * @param {Ruleset} ruleset
 * @param {Readonly<Record<string, unknown>>} values of a form, or record data
 * @returns {RecordData}
 */
export function readRecord(ruleset, values) {
  const record = parseRecord(ruleset, new FieldReader(values));
  if (isDeal(record)) checkSeat(ruleset, "dealer", record.dealer);
  if (record.kind === "hand") checkHand(ruleset, record);
  if (record.kind === "totals") checkTotals(ruleset, record);
  if (record.kind === "passed_out" && ruleset.all_pass === "dealer_must_bid") {
    throw new Refusal("cannot_be_passed_out", "kind", { minimum: ruleset.forced_bid });
  }
  return serializeRecord(record);
}

/** @param {MatchRecord} record @returns {RecordData} without empty values: the inverse of `toMatchRecord` */
function serializeRecord({ made, points, awarded, ...record }) {
  const data = {
    ...record,
    outcome: made === undefined ? null : made ? "made" : "failed",
    points_a: points?.[0],
    points_b: points?.[1],
    awarded: awarded || null,
  };
  return /** @type {RecordData} */ (Object.fromEntries(Object.entries(data).filter(([, value]) => value != null)));
}

/** @param {RecordData} data @returns {MatchRecord} what a page shows of it */
export function toMatchRecord(data) {
  const { kind, dealer = null, course = null, awarded = false } = data;
  const { side, contract, outcome, tricks = null, trump = null, declarer = null, mode = null } = data;
  const { points_a, points_b, winner = null } = data;
  /** @type {Record<string, object>} */
  const views = {
    hand: {
      side, contract, made: outcome === "made", tricks, trump, declarer, mode, awarded, dealer, course,
    },
    passed_out: { dealer, course },
    misdeal: { dealer },
    void: { dealer },
    totals: { points: [points_a, points_b], winner, awarded },
  };
  return { kind: String(kind), ...views[String(kind)] };
}

/** Reads values by name: a valid one, null if there is none, or a refusal. */
class FieldReader {
  /** @param {Readonly<Record<string, unknown>>} values */
  constructor(values) {
    this.values = values;
  }

  /** @param {string} name @returns {string | null} */
  getText(name) {
    return String(this.values[name] ?? "").trim() || null;
  }

  /** @param {string} name @param {string} code of the refusal if there is none */
  requireText(name, code) {
    const value = this.getText(name);
    if (value === null) throw new Refusal(code, name);
    return value;
  }

  /** @param {string} name @returns {number | null} */
  getNumber(name) {
    const value = this.getText(name);
    if (value !== null && !NUMBER_PATTERN.test(value)) throw new Refusal("not_a_number", name, { value });
    return value === null ? null : Number(value);
  }

  /** @template T @param {string} name @param {Map<string, T>} choices @param {string} code @returns {T | null} */
  getChoice(name, choices, code) {
    const value = this.getText(name);
    if (value === null) return null;
    const choice = choices.get(value);
    if (choice === undefined) throw new Refusal(code, name, { value, choices: [...choices.keys()] });
    return choice;
  }

  /** @param {string} name */
  getSwitch(name) {
    return this.getChoice(name, SWITCH_CHOICES, "not_yes_or_no") ?? false;
  }

  get course() {
    return typeof this.values.course === "string" ? this.values.course : null;
  }
}

/** @param {Ruleset} ruleset @param {FieldReader} fields @returns {MatchRecord} */
function parseRecord(ruleset, fields) {
  const kind = fields.getText("kind") ?? "hand";
  if (kind === "hand") return parsePlayedHand(ruleset, fields);
  if (kind === "totals") return parseTotals(fields);
  if (!KINDS.includes(kind)) throw new Refusal("no_such_kind", "kind", { value: kind, choices: KINDS });
  if (!isDeal({ kind })) return { kind };
  const record = { kind, dealer: fields.getNumber("dealer") };
  return kind === "passed_out" ? { ...record, course: fields.course } : record;
}

/** @param {Ruleset} ruleset @param {FieldReader} fields @returns {MatchRecord} */
function parsePlayedHand(ruleset, fields) {
  fields.requireText("side", "side_required");
  const side = fields.getChoice("side", SIDE_CHOICES, "no_such_side") ?? undefined;
  const contract = fields.requireText("contract", "contract_required");
  const tricks = fields.getNumber("tricks");
  const made = fields.getChoice("outcome", OUTCOME_CHOICES, "no_such_outcome") ?? isContractMade(ruleset, contract, tricks);
  return {
    kind: "hand",
    side,
    contract,
    made,
    tricks,
    declarer: fields.getNumber("declarer"),
    trump: fields.getChoice("trump", SUIT_CHOICES, "no_such_suit"),
    awarded: fields.getSwitch("awarded"),
    dealer: fields.getNumber("dealer"),
    mode: fields.getText("mode"),
    course: fields.course,
  };
}

/** Checks whether so many tricks make the contract; one that is not played is refused later.
 *
 * @param {Ruleset} ruleset @param {string} key @param {number | null} tricks
 */
function isContractMade(ruleset, key, tricks) {
  if (tricks === null) throw new Refusal("result_required", "tricks");
  const contract = listPlayedContracts(ruleset).find((each) => each.key === key);
  return contract !== undefined && isMadeWith(contract, tricks);
}

/** @param {FieldReader} fields @returns {MatchRecord} */
function parseTotals(fields) {
  for (const name of ["points_a", "points_b"]) fields.requireText(name, "totals_required");
  return {
    kind: "totals",
    points: [Number(fields.getNumber("points_a")), Number(fields.getNumber("points_b"))],
    winner: fields.getChoice("winner", SIDE_CHOICES, "no_such_side"),
    awarded: fields.getSwitch("awarded"),
  };
}

/** @param {Ruleset} ruleset @param {string} field @param {number | null} [seat] */
function checkSeat({ seats }, field, seat = null) {
  if (seat !== null && !(0 <= seat && seat < seats)) throw new Refusal("no_such_seat", field, { seats });
}

/** @param {Ruleset} ruleset @param {MatchRecord} hand */
function checkHand(ruleset, { side, contract: key = "", made, tricks = null, trump, declarer, mode, awarded }) {
  const isCounted = tricks !== null;
  const isOutside = isCounted && (tricks < 0 || tricks > TRICKS);
  if (isOutside) throw new Refusal("tricks_out_of_range", "tricks", { most: TRICKS });
  const contract = findContract(ruleset, key);
  if (trump && contract.trump !== "named") throw new Refusal("trump_not_allowed", "trump", { contract: key });
  if (mode && !contract.modes.includes(mode)) {
    throw new Refusal("no_such_mode", "mode", { contract: key, modes: contract.modes });
  }
  // A director may award a result against the tricks taken.
  if (isCounted && !awarded && isMadeWith(contract, tricks) !== made) {
    throw new Refusal("tricks_contradict_outcome", "tricks", { contract: key, tricks });
  }
  checkSeat(ruleset, "declarer", declarer);
  if (declarer != null && SIDES[declarer % 2] !== side) throw new Refusal("declarer_of_other_side", "declarer");
}

/** Checks the totals of a game: it ends as soon as a side reaches the target, so the other side is below it, and no total
 * exceeds the target by more than the highest contract gives.
 *
 * @param {Ruleset} ruleset @param {MatchRecord} totals
 */
function checkTotals(ruleset, { points = [0, 0], winner, awarded }) {
  const { target } = ruleset;
  const played = listPlayedContracts(ruleset);
  const most = target - 1 + Math.max(...played.flatMap(({ made, failed }) => [made, failed]));
  const outside = ["points_a", "points_b"].find((_, side) => !(0 <= points[side] && points[side] <= most));
  if (outside) throw new Refusal("totals_out_of_range", outside, { most });
  const reached = SIDES.filter((_, side) => points[side] >= target);
  if (reached.length === 2) throw new Refusal("totals_both_reach_target", "points_b", { target });
  const hasReached = reached.length === 1;
  if (awarded && !winner && !hasReached) throw new Refusal("totals_winner_required", "winner");
  if (awarded || !winner) return;
  if (hasReached && winner !== reached[0]) throw new Refusal("totals_winner_contradicts", "winner", { target });
  if (!hasReached && !played.some((contract) => contract.ends_game)) {
    throw new Refusal("totals_game_not_finished", "winner", { target });
  }
}
