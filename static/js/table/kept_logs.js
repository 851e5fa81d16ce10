/**
 * The logs of a table as this phone has heard them, match by match. A server that was put back to an older state gets
 * from them what it lacks (docs/decisions/0046-restore-logs-from-phones.md). No page: node imports this module as browsers
 * do.
 *
 * @typedef {import("./known.js").Known} Known
 * @typedef {import("../outbox.js").Entry} Entry
 * @typedef {import("../store.js").Store} Store
 *
 * @typedef {Known & {lost?: string, answered?: string}} Log `lost`: the code of why the server has not taken all of it,
 *   or `no_match`; `answered`: the digest of what it has of it then
 * @typedef {{name: string, known: ?Known, logs: Log[], since?: string}} Kept `known` is the match that the table shows;
 *   `since`: when the server was started that has answered for all logs
 *
 * @typedef {{known: ?Known, not_taken: Record<string, string>}} Brought what the server says of a log that came back
 * @typedef {{known: Known, logs: Brought[]}} Answer
 *
 * @typedef {object} Bringer
 * @property {Store} store
 * @property {string} installation
 * @property {(path: string, more?: RequestInit) => Promise<?Response>} ask null: no answer of this installation
 * @property {() => string} token for forms
 */

import { isBehind, isSameMatch, lacks, newer } from "./known.js";

/** No digest of this installation: it is brought the log before any entry of that match. */
const OF_ANOTHER = "of another";
const MATCHES = 12;
const TABLES = 40;
const DAYS_OF_AN_EVENT = 3 * 24 * 3600 * 1_000;

/** @param {string} installation @param {string} table */
const nameOf = (installation, table) => `${installation} ${table}`;

/** @param {Store} store @param {string} installation @param {string} table @returns {Promise<Kept>} */
export async function keptAt(store, installation, table) {
  const name = nameOf(installation, table);
  return keptAs(name, await store.get(name));
}

/** @param {string} name @param {Record<string, any>} [item] @returns {Kept} */
function keptAs(name, item) {
  return { name, known: item?.known ?? null, logs: item?.logs ?? [], since: item?.since };
}

/** @param {Kept} kept @param {Known} heard @returns {Kept} with what was heard; nothing that was known goes */
export function withHeard(kept, heard) {
  const before = kept.logs.find((log) => isSameMatch(log, heard));
  const log = before ? newer(before, heard) : heard;
  const others = kept.logs.filter((each) => each !== before);
  const since = kept.logs.length ? kept.since : heard.since;
  return { ...kept, since, known: newer(kept.known, heard), logs: [...others, /** @type {Log} */ (log)].slice(-MATCHES) };
}

/**
 * Keeps what was heard of a table. Another page of this phone may have heard more.
 *
 * @param {Store} store @param {string} installation @param {string} table @param {Known} heard
 * @returns {Promise<Kept>} what was kept before
 */
export async function keepHeard(store, installation, table, heard) {
  const name = nameOf(installation, table);
  return keptAs(name, await store.change(name, (before) => withHeard(keptAs(name, before), heard)));
}

/**
 * What was kept of this table while another installation answered at this address: a laptop that goes on with a backup or
 * with the event's file has another key. What was kept of another evening, whose card has the same code, waits for its own.
 *
 * @param {Store} store @param {string} installation @param {string} table @param {Known} heard
 */
export async function takeOver(store, installation, table, heard) {
  const others = (await store.all("kept")).filter(({ name }) => name.endsWith(` ${table}`)
    && name !== nameOf(installation, table));
  for (const other of others) {
    const { name, logs = [] } = /** @type {Kept} */ (other);
    if (!logs.some((log) => isOfSameEvent(log, heard))) continue;
    for (const log of logs) await keepHeard(store, installation, table, { ...log, digest: OF_ANOTHER });
    for (const entry of await store.all("entries")) {
      const isOther = entry.table === table && `${entry.installation} ${table}` === name;
      if (isOther) await store.put("entries", { ...entry, installation });
    }
    await store.remove("kept", name);
  }
}

/**
 * Forgets the tables of past evenings. What the server may lack stays, and tables at which something waits.
 *
 * @param {Store} store
 */
export async function tidyKept(store) {
  const tables = /** @type {Kept[]} */ ((await store.all("kept")).filter(({ known }) => known));
  if (tables.length <= TABLES) return;
  const entries = /** @type {Entry[]} */ (await store.all("entries"));
  const busy = new Set(entries.filter(isOpen).map(({ installation, table }) => nameOf(installation, table)));
  const openedAt = (/** @type {Kept} */ { known }) => known?.match.identity.opened_at ?? "";
  const oldest = tables.sort((one, other) => (openedAt(one) < openedAt(other) ? -1 : 1)).slice(0, -TABLES);
  for (const { name, logs } of oldest) {
    if (!busy.has(name) && !logs.some(({ lost }) => lost)) await store.remove("kept", name);
  }
}

/** @param {Log} log @param {Known} heard @returns {boolean} whether they are of one table and of the same days */
function isOfSameEvent(log, heard) {
  const [one, other] = [log.match.identity, heard.match.identity];
  return one.table === other.table && Math.abs(Date.parse(one.opened_at) - Date.parse(other.opened_at)) < DAYS_OF_AN_EVENT;
}

/** @param {Entry} entry @returns {boolean} whether somebody has still to answer or to read it */
function isOpen({ state }) {
  return state !== "accepted" && state !== "superseded";
}

/**
 * Whether the server may lack something of it. It speaks of the match now played only, so of those before it is asked
 * once after each start: whoever puts it back has to start it.
 *
 * @param {Kept} kept @param {Known} heard @returns {boolean}
 */
export function mayLack({ known, logs, since }, heard) {
  if (logs.length && since !== heard.since) return true;
  const isAnother = known && !isSameMatch(known, heard) && heard.match.round_number <= known.match.round_number;
  return Boolean(isAnother) || Boolean(known && isBehind(known, heard))
    || logs.some((log) => log.lost || (isSameMatch(log, heard) && lacks(heard, log)));
}

/** @param {Kept} kept @param {Entry} entry @returns {string} the digest of its match's log, as it was heard last */
export function digestFor({ known, logs }, { values }) {
  const isIts = (/** @type {?Log} */ log) => log?.match.pk === Number(values.match);
  const log = /** @type {?Log | undefined} */ (isIts(known) ? known : logs.find(isIts));
  return log?.answered ?? log?.digest ?? "";
}

/** @param {Kept} kept @param {Known} heard @param {Entry} entry @returns {boolean} whether a mark that was heard was kept */
export function isKept({ known, logs }, heard, { values: { entry_key } }) {
  const isIn = (/** @type {?Known} */ log) => Boolean(log?.marks.some(({ key }) => key === entry_key));
  return !isIn(heard) || isIn(known) || logs.some(isIn);
}

/**
 * Brings back what is kept of a table, and keeps what the server says to it. What it has not taken stays here.
 *
 * @param {Bringer} bringer @param {string} table
 * @param {(known: Known) => void} [onKnown] before it is kept
 * @returns {Promise<boolean>} whether the server has answered
 */
export async function bringBack({ store, installation, ask, token }, table, onKnown = () => {}) {
  const kept = await keptAt(store, installation, table);
  const logs = kept.logs;
  const body = new URLSearchParams({ logs: JSON.stringify(logs), csrfmiddlewaretoken: token() });
  const answer = await jsonOf(await ask(`${table}/log`, { method: "POST", body }));
  if (!answer) return false;
  const outcomes = new Map(logs.map((log, place) => [log, answer.logs[place]]));
  const after = logs.map((log) => logAfter(log, outcomes.get(log)));
  const own = kept.known && logs.find((log) => isSameMatch(log, /** @type {Known} */ (kept.known)));
  const said = own ? outcomes.get(own)?.known : null;
  // A match that the server has no more is shown on, as long as it says nothing later.
  const isGone = own && !said && isBehind(/** @type {Known} */ (kept.known), answer.known);
  const known = isGone ? /** @type {Known} */ (kept.known) : newer(said ?? null, answer.known) ?? answer.known;
  onKnown(known);
  await store.change(kept.name, (item) => {
    const now = keptAs(kept.name, item);
    return {
      name: kept.name,
      since: answer.known.since,
      known: hasHeardMore(now.known, kept.known) ? now.known : known,
      logs: now.logs.map((log) => {
        const place = logs.findIndex((each) => isSameMatch(each, log));
        return place < 0 || hasHeardMore(log, logs[place]) ? log : after[place];
      }),
    };
  });
  for (const [log, brought] of outcomes) if (brought?.known) await sendAgain({ store, installation }, table, log, brought.known);
  return true;
}

/** @param {?Known} now @param {?Known} before @returns {boolean} whether another page heard more while it was brought */
function hasHeardMore(now, before) {
  return now !== null && before !== null && (!isSameMatch(now, before) || lacks(before, now));
}

/** @param {Log} log @param {Brought | undefined} brought @returns {Log} what is kept of it from now on */
function logAfter(log, brought) {
  if (!brought?.known) return log.marks.length ? { ...log, lost: "no_match" } : log;
  const [code] = Object.values(brought.not_taken);
  return code ? { ...log, lost: code, answered: brought.known.digest } : brought.known;
}

/** @param {?Response} response @returns {Promise<?Answer>} */
async function jsonOf(response) {
  const isJson = response?.ok && response.headers.get("Content-Type")?.startsWith("application/json");
  try {
    return isJson ? await /** @type {Response} */ (response).json() : null;
  } catch {
    return null; // it came in half
  }
}

/**
 * Entries of a match go where it is now; and what was accepted once, and the server does not have, goes again.
 *
 * @param {{store: Store, installation: string}} here @param {string} table @param {Known} before @param {Known} known
 */
async function sendAgain({ store, installation }, table, before, known) {
  const entries = /** @type {Entry[]} */ (await store.all("entries"));
  for (const entry of entries) {
    const isIts = entry.installation === installation && entry.table === table
      && Number(entry.values.match) === before.match.pk;
    if (!isIts || entry.state === "superseded" || entry.state === "refused") continue;
    const isLost = entry.state === "accepted" && !isThere(entry, known);
    if (!isLost && known.match.pk === before.match.pk) continue;
    const values = { ...entry.values, match: String(known.match.pk) };
    await store.put("entries", { ...entry, values, state: isLost ? "kept" : entry.state });
  }
}

/** @param {Entry} entry @param {Known} known @returns {boolean} who dealt first has no key, and is not asked about */
function isThere({ path, values }, { url, marks, agreements }) {
  const { entry_key, game, side, seen } = values;
  if (path === url) return marks.some(({ key }) => key === entry_key);
  return path !== `${url}/agree`
    || agreements.some((each) => each.game === Number(game) && each.side === side && each.agreed_to === seen);
}
