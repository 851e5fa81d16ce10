/**
 * Saves the logs of a table on this phone, match by match, and restores marks that the server has lost
 * (docs/decisions/0046-restore-logs-from-phones.md). Uses no page: node imports this module as browsers do.
 *
 * @typedef {import("./snapshot.js").TableSnapshot} TableSnapshot
 * @typedef {import("../outbox.js").Entry} Entry
 * @typedef {import("../store.js").Store} Store
 *
 * @typedef {TableSnapshot & {lost?: string, answered?: string}} SavedLog `lost`: the code of the refusal of some of its marks,
 *   or `no_match`; `answered`: the digest of the server's log then
 * @typedef {{name: string, known: ?TableSnapshot, logs: SavedLog[], since?: string}} SavedTable `known` is of the match that
 *   the table shows; `since`: when the server that has all logs was started
 *
 * @typedef {{known: ?TableSnapshot, not_taken: Record<string, string>}} RestoredLog the answer of the server to one log
 * @typedef {{known: TableSnapshot, logs: RestoredLog[]}} RestoreAnswer
 *
 * @typedef {object} RestoreContext
 * @property {Store} store
 * @property {string} installation
 * @property {(path: string, more?: RequestInit) => Promise<?Response>} request null: no response of this installation
 * @property {() => string} getToken the CSRF token
 */

import { isBehind, isSameMatch, lacksMarks, pickNewer } from "./snapshot.js";

/** A digest that no log has, so that the log is restored before any entry of its match is sent. */
const FOREIGN_DIGEST = "of another";
const MAX_MATCHES = 12;
const MAX_TABLES = 40;
const EVENT_DURATION = 3 * 24 * 3600 * 1_000;

/** @param {string} installation @param {string} table */
const buildItemName = (installation, table) => `${installation} ${table}`;

/** @param {Store} store @param {string} installation @param {string} table @returns {Promise<SavedTable>} */
export async function loadSavedTable(store, installation, table) {
  const name = buildItemName(installation, table);
  return toSavedTable(name, await store.get(name));
}

/** @param {string} name @param {Record<string, any>} [item] @returns {SavedTable} */
function toSavedTable(name, item) {
  return { name, known: item?.known ?? null, logs: item?.logs ?? [], since: item?.since };
}

/** @param {SavedTable} saved @param {TableSnapshot} incoming @returns {SavedTable} with the newer snapshots; no mark is lost */
export function mergeSnapshot(saved, incoming) {
  const before = saved.logs.find((log) => isSameMatch(log, incoming));
  const log = before ? pickNewer(before, incoming) : incoming;
  const others = saved.logs.filter((each) => each !== before);
  const since = saved.logs.length ? saved.since : incoming.since;
  const logs = [...others, /** @type {SavedLog} */ (log)].slice(-MAX_MATCHES);
  return { ...saved, since, known: pickNewer(saved.known, incoming), logs };
}

/**
 * Saves a snapshot of a table, unless another page of this phone has saved a newer one.
 *
 * @param {Store} store @param {string} installation @param {string} table @param {TableSnapshot} incoming
 * @returns {Promise<SavedTable>} as it was saved before
 */
export async function saveSnapshot(store, installation, table, incoming) {
  const name = buildItemName(installation, table);
  return toSavedTable(name, await store.update(name, (before) => mergeSnapshot(toSavedTable(name, before), incoming)));
}

/**
 * Adopts what was saved of this table under another installation: a laptop that continues from a backup or an event file
 * has another key. Tables of another event with the same code are left alone.
 *
 * @param {Store} store @param {string} installation @param {string} table @param {TableSnapshot} incoming
 */
export async function adoptOtherInstallations(store, installation, table, incoming) {
  const others = (await store.list("kept")).filter(({ name }) => name.endsWith(` ${table}`)
    && name !== buildItemName(installation, table));
  for (const other of others) {
    const { name, logs = [] } = /** @type {SavedTable} */ (other);
    if (!logs.some((log) => isSameEvent(log, incoming))) continue;
    for (const log of logs) await saveSnapshot(store, installation, table, { ...log, digest: FOREIGN_DIGEST });
    for (const entry of await store.list("entries")) {
      const isOther = entry.table === table && `${entry.installation} ${table}` === name;
      if (isOther) await store.put("entries", { ...entry, installation });
    }
    await store.remove("kept", name);
  }
}

/**
 * Deletes the tables of past events, except those with marks that the server may lack or with waiting entries.
 *
 * @param {Store} store
 */
export async function deleteOldTables(store) {
  const tables = /** @type {SavedTable[]} */ ((await store.list("kept")).filter(({ known }) => known));
  if (tables.length <= MAX_TABLES) return;
  const entries = /** @type {Entry[]} */ (await store.list("entries"));
  const busy = new Set(entries.filter(isUnresolved).map(({ installation, table }) => buildItemName(installation, table)));
  const getOpeningTime = (/** @type {SavedTable} */ { known }) => known?.match.identity.opened_at ?? "";
  const oldest = tables.sort((one, other) => (getOpeningTime(one) < getOpeningTime(other) ? -1 : 1)).slice(0, -MAX_TABLES);
  for (const { name, logs } of oldest) {
    if (!busy.has(name) && !logs.some(({ lost }) => lost)) await store.remove("kept", name);
  }
}

/** @param {SavedLog} log @param {TableSnapshot} incoming @returns {boolean} whether they are of one table, within a few days */
function isSameEvent(log, incoming) {
  const [one, other] = [log.match.identity, incoming.match.identity];
  return one.table === other.table && Math.abs(Date.parse(one.opened_at) - Date.parse(other.opened_at)) < EVENT_DURATION;
}

/** @param {Entry} entry @returns {boolean} whether it still waits for an answer or a reader */
function isUnresolved({ state }) {
  return state !== "accepted" && state !== "superseded";
}

/**
 * Checks whether the server may lack saved marks. Its snapshot covers only the current match, so earlier ones are restored
 * once after each start of the server, which a restored backup requires.
 *
 * @param {SavedTable} saved @param {TableSnapshot} incoming @returns {boolean}
 */
export function needsRestore({ known, logs, since }, incoming) {
  if (logs.length && since !== incoming.since) return true;
  const isOtherMatch = known && !isSameMatch(known, incoming) && incoming.match.round_number <= known.match.round_number;
  return Boolean(isOtherMatch) || Boolean(known && isBehind(known, incoming))
    || logs.some((log) => log.lost || (isSameMatch(log, incoming) && lacksMarks(incoming, log)));
}

/** @param {SavedTable} saved @param {Entry} entry @returns {string} the digest of the last known log of its match */
export function findDigest({ known, logs }, { values }) {
  const isOfEntry = (/** @type {?SavedLog} */ log) => log?.match.pk === Number(values.match);
  const log = /** @type {?SavedLog | undefined} */ (isOfEntry(known) ? known : logs.find(isOfEntry));
  return log?.answered ?? log?.digest ?? "";
}

/**
 * @param {SavedTable} saved @param {TableSnapshot} incoming @param {Entry} entry
 * @returns {boolean} whether its mark is saved if the snapshot has it
 */
export function isMarkSaved({ known, logs }, incoming, { values: { entry_key } }) {
  const hasMark = (/** @type {?TableSnapshot} */ log) => Boolean(log?.marks.some(({ key }) => key === entry_key));
  return !hasMark(incoming) || hasMark(known) || logs.some(hasMark);
}

/**
 * Restores the saved logs of a table to the server, and saves its answer. Marks that it refuses stay saved.
 *
 * @param {RestoreContext} bringer @param {string} table
 * @param {(known: TableSnapshot) => void} [onKnown] called before the answer is saved
 * @returns {Promise<boolean>} whether the server has answered
 */
export async function restoreLogs({ store, installation, request, getToken }, table, onKnown = () => {}) {
  const saved = await loadSavedTable(store, installation, table);
  const logs = saved.logs;
  const body = new URLSearchParams({ logs: JSON.stringify(logs), csrfmiddlewaretoken: getToken() });
  const answer = await parseJson(await request(`${table}/log`, { method: "POST", body }));
  if (!answer) return false;
  const outcomes = new Map(logs.map((log, place) => [log, answer.logs[place]]));
  const mergedLogs = logs.map((log) => mergeRestoredLog(log, outcomes.get(log)));
  const own = saved.known && logs.find((log) => isSameMatch(log, /** @type {TableSnapshot} */ (saved.known)));
  const ownAnswer = own ? outcomes.get(own)?.known : null;
  // A match that the server has lost is shown until the server has a later one.
  const isGone = own && !ownAnswer && isBehind(/** @type {TableSnapshot} */ (saved.known), answer.known);
  const newest = pickNewer(ownAnswer ?? null, answer.known) ?? answer.known;
  const known = isGone ? /** @type {TableSnapshot} */ (saved.known) : newest;
  onKnown(known);
  await store.update(saved.name, (item) => {
    const current = toSavedTable(saved.name, item);
    return {
      name: saved.name,
      since: answer.known.since,
      known: hasMoreMarks(current.known, saved.known) ? current.known : known,
      logs: current.logs.map((log) => {
        const place = logs.findIndex((each) => isSameMatch(each, log));
        return place < 0 || hasMoreMarks(log, logs[place]) ? log : mergedLogs[place];
      }),
    };
  });
  for (const [log, restored] of outcomes) {
    if (restored?.known) await resendEntries({ store, installation }, table, log, restored.known);
  }
  return true;
}

/** @param {?TableSnapshot} current @param {?TableSnapshot} previous @returns {boolean} whether another page saved more */
function hasMoreMarks(current, previous) {
  return current !== null && previous !== null && (!isSameMatch(current, previous) || lacksMarks(previous, current));
}

/** @param {SavedLog} log @param {RestoredLog | undefined} restored @returns {SavedLog} the log to save */
function mergeRestoredLog(log, restored) {
  if (!restored?.known) return log.marks.length ? { ...log, lost: "no_match" } : log;
  const [code] = Object.values(restored.not_taken);
  return code ? { ...log, lost: code, answered: restored.known.digest } : restored.known;
}

/** @param {?Response} response @returns {Promise<?RestoreAnswer>} */
async function parseJson(response) {
  const isJson = response?.ok && response.headers.get("Content-Type")?.startsWith("application/json");
  try {
    return isJson ? await /** @type {Response} */ (response).json() : null;
  } catch {
    return null; // incomplete response
  }
}

/**
 * Moves entries to the new id of their match, and sends accepted ones again that the server has lost.
 *
 * @param {{store: Store, installation: string}} context @param {string} table
 * @param {TableSnapshot} previous @param {TableSnapshot} known
 */
async function resendEntries({ store, installation }, table, previous, known) {
  const entries = /** @type {Entry[]} */ (await store.list("entries"));
  for (const entry of entries) {
    const isOfMatch = entry.installation === installation && entry.table === table
      && Number(entry.values.match) === previous.match.pk;
    if (!isOfMatch || entry.state === "superseded" || entry.state === "refused") continue;
    const isLost = entry.state === "accepted" && !isRecorded(entry, known);
    if (!isLost && known.match.pk === previous.match.pk) continue;
    const values = { ...entry.values, match: String(known.match.pk) };
    await store.put("entries", { ...entry, values, state: isLost ? "kept" : entry.state });
  }
}

/**
 * @param {Entry} entry @param {TableSnapshot} known
 * @returns {boolean} whether the server has it; always true for the first dealer, which has no key
 */
function isRecorded({ path, values }, { url, marks, agreements }) {
  const { entry_key, game, side, seen } = values;
  if (path === url) return marks.some(({ key }) => key === entry_key);
  return path !== `${url}/agree`
    || agreements.some((each) => each.game === Number(game) && each.side === side && each.agreed_to === seen);
}
