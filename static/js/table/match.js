/**
 * Computes the match at a table from the last snapshot of the server and the entries of this phone. Uses no page: node
 * imports this module as browsers do.
 *
 * @typedef {import("../outbox.js").Entry} Entry
 * @typedef {import("./records.js").Side} Side
 * @typedef {import("./snapshot.js").TableSnapshot} TableSnapshot
 * @typedef {import("./snapshot.js").Mark} Mark
 * @typedef {import("./snapshot.js").Agreement} Agreement
 *
 * @typedef {object} Table
 * @property {TableSnapshot} known with the entries of this phone
 * @property {import("./log.js").Log} log
 * @property {import("./fold.js").MatchState} state
 */

import { foldMatch, placeMark, readLog } from "./log.js";
import { parsePostedMark, readRecord } from "./records.js";
import { Refusal } from "./refusals.js";

/**
 * Builds the table from a snapshot and the entries that it does not include yet. Marks that do not fit are left out: the
 * server will refuse them. The first dealer has no key in the log: once the entry is accepted, the snapshot counts, since
 * another phone may have changed the dealer.
 *
 * @param {TableSnapshot} known
 * @param {readonly Entry[]} entries of this table, in order
 * @returns {Table}
 */
export function buildTable(known, entries) {
  const knownKeys = new Set(known.marks.map(({ key }) => key));
  const localEntries = entries.filter(({ state, values }) => ["kept", "sending", "accepted"].includes(state)
    && Number(values.match) === known.match.pk && !knownKeys.has(values.entry_key));
  let log = readLog(known.marks);
  let current = known;
  for (const entry of localEntries) {
    const action = entry.path.slice(known.url.length);
    if (action === "/dealer") current = applyDealer(current, entry);
    else if (action === "/agree") current = { ...current, agreements: [...current.agreements, readAgreement(entry)] };
    else if (action === "/dispute" || action === "/withdraw") {
      current = { ...current, dispute: applyDispute(current.dispute, entry, action) };
    } else log = applyMark(log, entry, current);
  }
  const marks = /** @type {Mark[]} */ (log.marks);
  return { known: { ...current, marks }, log, state: foldMatch(getMatchTerms(current), log.places) };
}

/** @param {TableSnapshot} known @returns {import("./log.js").MatchTerms} the terms by which its marks are checked */
export function getMatchTerms({ ruleset, match_format, first_dealer, match }) {
  return { ruleset, match_format, first_dealer, is_closed: match.closed_at !== null };
}

/** @param {TableSnapshot} known @param {Entry} entry @returns {TableSnapshot} */
function applyDealer(known, { state, values }) {
  return state === "accepted" ? known : { ...known, first_dealer: Number(values.seat) };
}

/** @param {Entry} entry @returns {Agreement} */
function readAgreement({ values, at }) {
  const side = /** @type {Side} */ (values.side);
  return { game: Number(values.game), side, agreed_to: values.seen, created_at: at };
}

/**
 * Applies a waiting call to the desk or its withdrawal: an open call stays, and only that one can be withdrawn.
 *
 * @param {TableSnapshot["dispute"]} call @param {Entry} entry @param {"/dispute" | "/withdraw"} action
 * @returns {TableSnapshot["dispute"]}
 */
function applyDispute(call, { state, values }, action) {
  if (state === "accepted") return call;
  if (action === "/dispute") return call ?? { note: "", entry_key: values.entry_key, is_kept: true };
  return (call?.entry_key ?? "") === values.call ? null : call;
}

/** @param {import("./log.js").Log} log @param {Entry} entry @param {TableSnapshot} known */
function applyMark(log, entry, known) {
  try {
    return placeMark(log, readMark(known, entry.values, entry.at), getMatchTerms(known)).log;
  } catch (refusal) {
    if (refusal instanceof Refusal) return log;
    throw refusal;
  }
}

/**
 * Reads the mark of a form. Throws a refusal if it is invalid.
 *
 * @param {TableSnapshot} known @param {Record<string, string>} values @param {string} at
 * @returns {Mark}
 */
export function readMark(known, values, at) {
  const posted = parsePostedMark(values);
  return {
    key: values.entry_key,
    number: posted.number,
    record: readRecord(known.ruleset, posted.hand),
    supersedes: values.supersedes || null,
    saw_only: values.saw_only === "1",
    status: "current",
    created_at: at,
    device: known.device,
    director: "",
    helper: "",
  };
}

/**
 * Finds the next free number for a new hand that was refused because an earlier one was refused or undone. null: a player
 * has to look at it.
 *
 * @param {TableSnapshot} known @param {readonly Entry[]} entries of this table @param {Entry} refused
 * @returns {?number}
 */
export function findNextPlace(known, entries, { path, values }) {
  const isNewHand = path === known.url && !values.supersedes && values.kind !== "undone";
  if (!isNewHand || Number(values.match) !== known.match.pk || known.match.closed_at !== null) return null;
  const { log, state } = buildTable(known, entries);
  return Number(values.number) > log.next_number && !state.is_over ? log.next_number : null;
}

/**
 * Checks whether a mark replaces one of this phone that the server does not have yet: then the phone saw no other mark
 * with that number.
 *
 * @param {TableSnapshot} known from the server @param {readonly Entry[]} entries @param {Record<string, string>} values
 */
export function sawOnlyOwnMark(known, entries, { supersedes }) {
  const isKnown = known.marks.some(({ key }) => key === supersedes);
  return Boolean(supersedes) && !isKnown && entries.some(({ values }) => values.entry_key === supersedes);
}
