/**
 * The match at a table as this phone has it: what the server last said of it, and what was marked here since. No page:
 * node imports this module as browsers do.
 *
 * @typedef {import("../outbox.js").Entry} Entry
 * @typedef {import("./records.js").Side} Side
 * @typedef {import("./known.js").Known} Known
 * @typedef {import("./known.js").Mark} Mark
 * @typedef {import("./known.js").Agreement} Agreement
 *
 * @typedef {object} Table
 * @property {Known} known with what was marked here
 * @property {import("./log.js").Log} log
 * @property {import("./fold.js").MatchState} state
 */

import { foldMatch, place, readLog } from "./log.js";
import { postedMark, readRecord } from "./records.js";
import { Refusal } from "./refusals.js";

/**
 * The table with what was marked here and the server has not said yet that it knows. What does not fit there, it
 * will refuse. Who dealt first has no key in the log: once it is answered, what the server says holds, for another phone
 * may have named somebody else since.
 *
 * @param {Known} known
 * @param {readonly Entry[]} entries of this table, in order
 * @returns {Table}
 */
export function tableWith(known, entries) {
  const there = new Set(known.marks.map(({ key }) => key));
  const here = entries.filter(({ state, values }) => ["kept", "sending", "accepted"].includes(state)
    && Number(values.match) === known.match.pk && !there.has(values.entry_key));
  let log = readLog(known.marks);
  let now = known;
  for (const entry of here) {
    const what = entry.path.slice(known.url.length);
    if (what === "/dealer") now = entry.state === "accepted" ? now : { ...now, first_dealer: Number(entry.values.seat) };
    else if (what === "/agree") now = { ...now, agreements: [...now.agreements, agreementOf(entry)] };
    else if (what === "/dispute" || what === "/withdraw") now = { ...now, dispute: callAfter(now.dispute, entry, what) };
    else log = logWith(log, entry, now);
  }
  const marks = /** @type {Mark[]} */ (log.marks);
  return { known: { ...now, marks }, log, state: foldMatch(matchOf(now), log.places) };
}

/** @param {Known} known @returns {import("./log.js").Match} what its marks are held against */
export function matchOf({ ruleset, match_format, first_dealer, match }) {
  return { ruleset, match_format, first_dealer, is_closed: match.closed_at !== null };
}

/** @param {Entry} entry @returns {Agreement} */
function agreementOf({ values, at }) {
  const side = /** @type {Side} */ (values.side);
  return { game: Number(values.game), side, agreed_to: values.seen, created_at: at };
}

/**
 * The call to the desk after a tap that waits: while one is open it stays the one, and only that one is taken back.
 *
 * @param {Known["dispute"]} call @param {Entry} entry @param {"/dispute" | "/withdraw"} what
 * @returns {Known["dispute"]}
 */
function callAfter(call, { state, values }, what) {
  if (state === "accepted") return call;
  if (what === "/dispute") return call ?? { note: "", entry_key: values.entry_key, is_kept: true };
  return (call?.entry_key ?? "") === values.call ? null : call;
}

/** @param {import("./log.js").Log} log @param {Entry} entry @param {Known} known */
function logWith(log, entry, known) {
  try {
    return place(log, markOf(known, entry.values, entry.at), matchOf(known)).log;
  } catch (refusal) {
    if (refusal instanceof Refusal) return log;
    throw refusal;
  }
}

/**
 * The mark that a form says. Throws what cannot be read.
 *
 * @param {Known} known @param {Record<string, string>} values @param {string} at
 * @returns {Mark}
 */
export function markOf(known, values, at) {
  const posted = postedMark(values);
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
 * The next free place, where a new hand was refused since it did not come next: one before it was refused too, or taken
 * back elsewhere. There the same hand means the same. null: it is for somebody to look at.
 *
 * @param {Known} known @param {readonly Entry[]} entries of this table @param {Entry} refused
 * @returns {?number}
 */
export function nextPlaceFor(known, entries, { path, values }) {
  const isNewHand = path === known.url && !values.supersedes && values.kind !== "undone";
  if (!isNewHand || Number(values.match) !== known.match.pk || known.match.closed_at !== null) return null;
  const { log, state } = tableWith(known, entries);
  return Number(values.number) > log.next_number && !state.is_over ? log.next_number : null;
}

/**
 * Whether a mark replaces one of this phone of which nobody knows yet what became of it: the phone then saw nothing
 * else in that place.
 *
 * @param {Known} known as the server said it @param {readonly Entry[]} entries @param {Record<string, string>} values
 */
export function sawOnly(known, entries, { supersedes }) {
  const isKnown = known.marks.some(({ key }) => key === supersedes);
  return Boolean(supersedes) && !isKnown && entries.some(({ values }) => values.entry_key === supersedes);
}
