/**
 * From what a table's form sends to the plain form of a record: scoring/parsing.py and rules/reading.py, on a phone
 * without a network. The plain form is what is kept, sent and compared; `viewOf` gives what a page shows of it.
 *
 * A course, which nobody types at a table, is kept as the server wrote it.
 *
 * @typedef {import("./rulesets.js").Ruleset} Ruleset
 * @typedef {"A" | "B"} Side its place in every pair is that in `SIDES`
 * @typedef {[number, number]} Pair
 * @typedef {Readonly<Record<string, string | number | boolean>>} Plain `kind`, and what the record has beside it
 *
 * @typedef {object} Rec a record as rules/records.py has it; of each kind its own properties, null where nobody said
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
 * @property {string | null} supersedes the key of the mark that was seen there
 * @property {boolean} saw_only whether no other mark was seen there
 * @property {string} reason
 * @property {boolean} confirmed whether it was read aloud
 */

import { Refusal } from "./refusals.js";
import { contractOf, isMadeWith, playedIn } from "./rulesets.js";

/** @type {readonly [Side, Side]} */
export const SIDES = ["A", "B"];
export const TRICKS = 8;

const KINDS = ["hand", "passed_out", "misdeal", "void", "undone", "totals", "time_called"];
const DEALS = ["hand", "passed_out", "misdeal", "void"];
const DETAILS = ["declarer", "trump", "mode"];
const HAND_FIELDS = [
  ...["kind", "side", "contract", "tricks", "outcome", "trump", "declarer", "mode", "dealer"],
  ...["points_a", "points_b", "winner", "awarded"],
];
const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WHOLE_NUMBER = /^-?[0-9]{1,9}$/;

/** @type {Map<string, Side>} */
const A_SIDE = new Map(SIDES.map((side) => [side, side]));
const A_SUIT = new Map(["S", "H", "D", "C"].map((suit) => [suit, suit]));
const AN_OUTCOME = new Map([["made", true], ["failed", false]]);
const A_SWITCH = new Map([
  ...["true", "True", "on", "1"].map((text) => /** @type {const} */ ([text, true])),
  ...["false", "False", "0"].map((text) => /** @type {const} */ ([text, false])),
]);

/** @param {Rec} record whether it is of a deal, and may say who dealt */
export function isDeal({ kind }) {
  return DEALS.includes(kind);
}

/** @param {Side} side @returns {Side} */
export function otherSide(side) {
  return side === "A" ? "B" : "A";
}

/** @param {Plain} one @param {Plain} other whether they say the same */
export function isSame(one, other) {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/**
 * The mark that a form sends. Throws: no_such_key, not_a_number.
 *
 * @param {Record<string, string | undefined>} values
 * @returns {PostedMark}
 */
export function postedMark(values) {
  const key = (values.entry_key ?? "").toLowerCase();
  if (!KEY.test(key)) throw new Refusal("no_such_key", "entry_key");
  return {
    match: wholeNumber(values, "match"),
    key,
    number: wholeNumber(values, "number"),
    hand: Object.fromEntries(Object.entries(handIn(values)).filter(([, value]) => value)),
    supersedes: values.supersedes || null,
    saw_only: Boolean(values.saw_only),
    reason: values.reason ?? "",
    confirmed: Boolean(values.confirmed),
  };
}

/** A key of the screen says its hand in one value, `B-6-made`, and has its details under names of its own: `trump.B-6`.
 *
 * @param {Record<string, string | undefined>} values
 */
function handIn(values) {
  const [, side, said] = /^([^-]*)-?([^]*)$/.exec(values.said ?? "") ?? [];
  if (!said) return Object.fromEntries(HAND_FIELDS.map((name) => [name, values[name]]));
  const [, contract = "", result] = /^(?:([^]*)-)?([^-]*)$/.exec(said) ?? [];
  const details = DETAILS.map((name) => [name, values[`${name}.${side}-${contract}`]]);
  const outcome = AN_OUTCOME.has(result) ? "outcome" : "tricks";
  return { side, contract, [outcome]: result, ...Object.fromEntries(details) };
}

/** @param {Record<string, string | undefined>} values @param {string} name */
function wholeNumber(values, name) {
  const value = values[name] ?? "";
  if (!/^[0-9]{1,15}$/.test(value)) throw new Refusal("not_a_number", name, { value });
  return Number(value);
}

/**
 * The plain form of the record that these values say, checked against the ruleset. Throws the first of what
 * `read_record` refuses.
 *
 * @param {Ruleset} ruleset
 * @param {Readonly<Record<string, unknown>>} values as forms send them, or a plain record
 * @returns {Plain}
 */
export function readRecord(ruleset, values) {
  const record = recordIn(ruleset, new Fields(values));
  if (isDeal(record)) checkSeat(ruleset, "dealer", record.dealer);
  if (record.kind === "hand") checkHand(ruleset, record);
  if (record.kind === "totals") checkTotals(ruleset, record);
  if (record.kind === "passed_out" && ruleset.all_pass === "dealer_must_bid") {
    throw new Refusal("cannot_be_passed_out", "kind", { minimum: ruleset.forced_bid });
  }
  return plainOf(record);
}

/** @param {Rec} record @returns {Plain} without what it does not have: the inverse of `viewOf` */
function plainOf({ made, points, awarded, ...record }) {
  const plain = {
    ...record,
    outcome: made === undefined ? null : made ? "made" : "failed",
    points_a: points?.[0],
    points_b: points?.[1],
    awarded: awarded || null,
  };
  return /** @type {Plain} */ (Object.fromEntries(Object.entries(plain).filter(([, value]) => value != null)));
}

/** @param {Plain} plain @returns {Rec} what a page shows of it */
export function viewOf(plain) {
  const { kind, dealer = null, course = null, awarded = false } = plain;
  const { side, contract, outcome, tricks = null, trump = null, declarer = null, mode = null } = plain;
  const { points_a, points_b, winner = null } = plain;
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

/** Values taken by name: the right one, null where there is none, or a refusal. */
class Fields {
  /** @param {Readonly<Record<string, unknown>>} values */
  constructor(values) {
    this.values = values;
  }

  /** @param {string} name @returns {string | null} */
  text(name) {
    return String(this.values[name] ?? "").trim() || null;
  }

  /** @param {string} name @param {string} code of the refusal where there is none */
  require(name, code) {
    const value = this.text(name);
    if (value === null) throw new Refusal(code, name);
    return value;
  }

  /** @param {string} name @returns {number | null} */
  number(name) {
    const value = this.text(name);
    if (value !== null && !WHOLE_NUMBER.test(value)) throw new Refusal("not_a_number", name, { value });
    return value === null ? null : Number(value);
  }

  /** @template T @param {string} name @param {Map<string, T>} choices @param {string} code @returns {T | null} */
  oneOf(name, choices, code) {
    const value = this.text(name);
    if (value === null) return null;
    const choice = choices.get(value);
    if (choice === undefined) throw new Refusal(code, name, { value, choices: [...choices.keys()] });
    return choice;
  }

  /** @param {string} name */
  isSet(name) {
    return this.oneOf(name, A_SWITCH, "not_yes_or_no") ?? false;
  }

  get course() {
    return typeof this.values.course === "string" ? this.values.course : null;
  }
}

/** @param {Ruleset} ruleset @param {Fields} fields @returns {Rec} */
function recordIn(ruleset, fields) {
  const kind = fields.text("kind") ?? "hand";
  if (kind === "hand") return playedHand(ruleset, fields);
  if (kind === "totals") return gameTotals(fields);
  if (!KINDS.includes(kind)) throw new Refusal("no_such_kind", "kind", { value: kind, choices: KINDS });
  if (!isDeal({ kind })) return { kind };
  const record = { kind, dealer: fields.number("dealer") };
  return kind === "passed_out" ? { ...record, course: fields.course } : record;
}

/** @param {Ruleset} ruleset @param {Fields} fields @returns {Rec} */
function playedHand(ruleset, fields) {
  fields.require("side", "side_required");
  const side = fields.oneOf("side", A_SIDE, "no_such_side") ?? undefined;
  const contract = fields.require("contract", "contract_required");
  const tricks = fields.number("tricks");
  const made = fields.oneOf("outcome", AN_OUTCOME, "no_such_outcome") ?? makes(ruleset, contract, tricks);
  return {
    kind: "hand",
    side,
    contract,
    made,
    tricks,
    declarer: fields.number("declarer"),
    trump: fields.oneOf("trump", A_SUIT, "no_such_suit"),
    awarded: fields.isSet("awarded"),
    dealer: fields.number("dealer"),
    mode: fields.text("mode"),
    course: fields.course,
  };
}

/** Whether so many tricks make it; of a contract that is not played, that is refused later.
 *
 * @param {Ruleset} ruleset @param {string} key @param {number | null} tricks
 */
function makes(ruleset, key, tricks) {
  if (tricks === null) throw new Refusal("result_required", "tricks");
  const contract = playedIn(ruleset).find((each) => each.key === key);
  return contract !== undefined && isMadeWith(contract, tricks);
}

/** @param {Fields} fields @returns {Rec} */
function gameTotals(fields) {
  for (const name of ["points_a", "points_b"]) fields.require(name, "totals_required");
  return {
    kind: "totals",
    points: [Number(fields.number("points_a")), Number(fields.number("points_b"))],
    winner: fields.oneOf("winner", A_SIDE, "no_such_side"),
    awarded: fields.isSet("awarded"),
  };
}

/** @param {Ruleset} ruleset @param {string} field @param {number | null} [seat] */
function checkSeat({ seats }, field, seat = null) {
  if (seat !== null && !(0 <= seat && seat < seats)) throw new Refusal("no_such_seat", field, { seats });
}

/** @param {Ruleset} ruleset @param {Rec} hand */
function checkHand(ruleset, { side, contract: key = "", made, tricks = null, trump, declarer, mode, awarded }) {
  const isCounted = tricks !== null;
  const isOutside = isCounted && (tricks < 0 || tricks > TRICKS);
  if (isOutside) throw new Refusal("tricks_out_of_range", "tricks", { most: TRICKS });
  const contract = contractOf(ruleset, key);
  if (trump && contract.trump !== "named") throw new Refusal("trump_not_allowed", "trump", { contract: key });
  if (mode && !contract.modes.includes(mode)) {
    throw new Refusal("no_such_mode", "mode", { contract: key, modes: contract.modes });
  }
  // What a director awards may go against the tricks that were taken.
  if (isCounted && !awarded && isMadeWith(contract, tricks) !== made) {
    throw new Refusal("tricks_contradict_outcome", "tricks", { contract: key, tricks });
  }
  checkSeat(ruleset, "declarer", declarer);
  if (declarer != null && SIDES[declarer % 2] !== side) throw new Refusal("declarer_of_other_side", "declarer");
}

/** A game ends as soon as a side reaches the target, so one side is below it, and the other cannot be further above it
 * than the dearest contract takes it from the last total below.
 *
 * @param {Ruleset} ruleset @param {Rec} totals
 */
function checkTotals(ruleset, { points = [0, 0], winner, awarded }) {
  const { target } = ruleset;
  const played = playedIn(ruleset);
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
