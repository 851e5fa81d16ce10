/**
 * Sends the waiting entries of this device from any page, and lists them there. Forms with an `entry_key` are submitted
 * by this script: their values are stored first, and no page of the Wi-Fi of a hall replaces the screen. The page of a
 * table follows by events:
 *
 * - `outbox:add`: an entry is about to be added (`detail`); a listener with a question first prevents the default;
 * - `outbox:changed`: an entry was added or answered; `detail` has all entries, in order, and whether waiting ones are
 *   lost with the page (`isForgotten`);
 * - `outbox:heard`: this phone has a snapshot (`known`) of a `table`, possibly from another page;
 * - `outbox:answer`: `detail` is an `Answer`; a listener that shows it prevents the default, and its entry is finished;
 * - `outbox:known`: logs were restored to the server; `detail` is the `table` and its snapshot (`known`);
 * - `outbox:tried`: `detail` is whether all entries that could be sent were answered.
 */

/**
 * @typedef {import("./outbox.js").Entry} Entry @typedef {import("./outbox.js").NewEntry} NewEntry
 * @typedef {import("./table/snapshot.js").TableSnapshot} TableSnapshot
 */

import { isFromInstallation } from "./receipts.js";
import { adoptStoredTaps, deleteFinishedTaps, hasTaps, storeTap } from "./stored_taps.js";
import { Outbox, createKey, isWaiting } from "./outbox.js";
import { openStore } from "./store.js";
import {
  deleteOldTables, findDigest, isMarkSaved, loadSavedTable, needsRestore, restoreLogs, saveSnapshot,
} from "./table/saved_logs.js";

const RETRY_DELAY = 3_000; // as often as pages poll
const MAX_RETRY_DELAY = 30_000;

const { installation = "" } = document.documentElement.dataset;
const { hands: page, table: number = "" } = document.body.dataset;
const strip = /** @type {HTMLElement} */ (document.getElementById("outbox"));
const otherPages = new BroadcastChannel("outbox");

export const store = openStore();
store.onRecovered = () => announceChange().then(sendIfWaiting);

/** @returns {string} the CSRF token of the browser; "" if it has none */
export function readToken() {
  return /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "";
}

export const outbox = new Outbox({
  store,
  installation,
  fetch,
  getToken: readToken,
  page,
  getDigest: async (entry) => findDigest(await loadSavedTable(store, installation, entry.table), entry),
  onServerBehind: restoreTable,
  saveAnswer: async ({ entry, text }) => {
    const known = readSnapshot(new DOMParser().parseFromString(text, "text/html"));
    if (!known) return true;
    await processSnapshot(entry.table, known);
    return isMarkSaved(await loadSavedTable(store, installation, entry.table), known, entry);
  },
  onAnswer: async (answer) => {
    if (answer.entry.table === page && !dispatch("outbox:answer", answer)) {
      const same = (await outbox.listEntries(page)).find(({ order }) => order === answer.entry.order);
      if (same && same.state !== "accepted") await outbox.drop(same);
    }
  },
});

/** @param {ParentNode} page @returns {?TableSnapshot} the snapshot in the page */
export function readSnapshot(page) {
  const template = /** @type {?HTMLTemplateElement} */ (page.querySelector("template#known"));
  return template && JSON.parse(template.content.textContent ?? "");
}

/** @type {Map<string, string>} by table: the state of the server when logs were last restored to it */
const answeredStates = new Map();

/** Saves a snapshot, and restores to the server the marks that it lacks.
 *
 * @param {string} table @param {TableSnapshot} known from the server
 */
export async function processSnapshot(table, known) {
  dispatch("outbox:heard", { table, known });
  const previous = await saveSnapshot(store, installation, table, known);
  const { match: { pk, revision }, digest, since } = known;
  const state = `${pk} ${revision} ${digest} ${since}`;
  if (!needsRestore(previous, known) || state === answeredStates.get(table)) return;
  restoreTable(table).then((isAnswered) => { if (isAnswered) answeredStates.set(table, state); });
}

/** @type {Map<string, Promise<boolean>>} */
const runningRestores = new Map();

/** @param {string} table @returns {Promise<boolean>} whether the server answered */
function restoreTable(table) {
  const restore = runningRestores.get(table) ?? runRestore(table).finally(() => runningRestores.delete(table));
  runningRestores.set(table, restore);
  return restore;
}

/** @param {string} table */
async function runRestore(table) {
  const context = { store, installation, request: requestInstallation, getToken: readToken };
  const isAnswered = await restoreLogs(context, table, (known) => dispatch("outbox:known", { table, known }));
  if (isAnswered) announceChange();
  return isAnswered;
}

/** @param {string} path @param {RequestInit} [options] @returns {Promise<?Response>} null unless it is from this installation */
async function requestInstallation(path, options) {
  try {
    const response = await fetch(path, { ...options, headers: { "HX-Request": "true" }, cache: "no-store" });
    return isFromInstallation(response.headers, installation) ? response : null;
  } catch {
    return null;
  }
}

/** @returns {boolean} whether the page draws the table itself, without waiting for the server */
function isDrawn() {
  return "drawn" in document.body.dataset;
}

/** @param {string} name @param {unknown} [detail] @returns {boolean} whether no listener prevented the default */
function dispatch(name, detail) {
  return document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));
}

/** @param {string | undefined} text @param {Record<string, string | number | undefined>} values @returns {string} */
function formatText(text = "", values) {
  return text.replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => `${values[name]}`);
}

/** @param {string} name @param {string} [text] @param {Record<string, string>} [properties] */
function createElement(name, text = "", properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text, ...properties });
}

/** @param {Entry[]} entries of one table @returns {Element} a link to it */
function buildTableLine(entries) {
  const [{ table, number: tableNumber, state }] = entries;
  const { one, many, asked } = strip.dataset;
  const text = state === "asked" ? asked : entries.length === 1 ? one : many;
  const line = createElement("p");
  line.append(createElement("a", formatText(text, { count: entries.length, table: tableNumber }), { href: table }));
  return line;
}

/** @param {Entry} entry that was refused @param {?number} next its possible new number @returns {Element[]} reason and buttons */
function buildRefusal(entry, next) {
  const { refused, undone, disagreed, dealer, called, seen, again } = strip.dataset;
  const { values, number: tableNumber, reason, words } = entry;
  const { number = "", game, seat, kind } = values;
  const handSentence = kind === "undone" ? undone : refused;
  const sentence = game ? disagreed : seat ? dealer : number ? handSentence : called;
  const hand = words && kind !== "undone" ? `${number} (${words})` : number;
  const text = formatText(sentence, { table: tableNumber, number: hand, game, reason });
  const message = createElement("p", text, { role: "alert" });
  const dismissal = createButton(seen, () => outbox.drop(entry).then(announceChange));
  if (!next) return [message, dismissal];
  return [message, createButton(formatText(again, { number: next }), () => markAgain(entry, next)), dismissal];
}

/** @param {string | undefined} text @param {() => void} onClick @returns {Element} */
function createButton(text, onClick) {
  const button = createElement("button", text, { type: "button", className: "button quiet small" });
  button.addEventListener("click", onClick, { once: true });
  return button;
}

/** Adds the same hand with the next number, as a new entry after all others.
 *
 * @param {Entry} refused @param {number} next
 */
async function markAgain(refused, next) {
  const { table, path, number, words, values } = refused;
  await outbox.drop(refused);
  await addEntry({ table, path, number, words, values: { ...values, entry_key: createKey(), number: String(next) } });
}

/**
 * @param {import("./table/saved_logs.js").SavedLog[]} logs
 * @returns {Element[]} a line for each log that the server lacks
 */
function buildLostLogLines(logs) {
  return logs.filter(({ lost }) => lost).map(({ lost, match: { round_number: round } }) => {
    const text = lost === "no_match" ? strip.dataset.unknown : strip.dataset.nottaken;
    return createElement("p", formatText(text, { round, table: number }));
  });
}

/** Moves the strip into the news of the table, or above the list of hands, after each change of the screen. */
function placeStrip() {
  const place = document.querySelector("#screen .news") ?? document.querySelector("#screen #main");
  if (!place || place.firstElementChild === strip) return;
  strip.removeAttribute("role"); // js/table/status.js announces it
  strip.setAttribute("data-news", "");
  place.prepend(strip);
}

/**
 * Stores how many entries wait, so that network.js of any other page loads this script.
 *
 * @param {Entry[]} entries
 */
function storeWaitingCount(entries) {
  try {
    if (entries.length) localStorage.setItem(`outbox ${installation}`, String(entries.length));
    else localStorage.removeItem(`outbox ${installation}`);
  } catch { /* without storage only the page of the table sends */ }
}

/** @returns {Promise<{known: ?TableSnapshot, logs: import("./table/saved_logs.js").SavedLog[]}>} of the table of this page */
async function loadCurrentTable() {
  return page ? loadSavedTable(store, installation, page) : { known: null, logs: [] };
}

const findNoPlace = () => null;

/**
 * Loads the function that finds a new number for a refused hand. Loaded on demand, so that the page opens sooner.
 *
 * @param {TableSnapshot} known @param {readonly Entry[]} entries of the table
 * @returns {Promise<(refused: Entry) => ?number>}
 */
async function loadPlaceFinder(known, entries) {
  const { findNextPlace } = await import("./table/match.js");
  return (refused) => (refused.table === page ? findNextPlace(known, entries, refused) : null);
}

async function showEntries() {
  const entries = await outbox.listEntries();
  const { known, logs } = await loadCurrentTable(); // read after the entries, so that it has all accepted ones
  if (known) dispatch("outbox:heard", { table: page, known });
  const waiting = entries.filter(isWaiting);
  const isForgotten = outbox.hasUnsavedEntries(waiting);
  dispatch("outbox:changed", { entries, isForgotten }); // first, since it updates the screen
  const refused = entries.filter(({ state }) => state === "refused");
  const tableEntries = entries.filter(({ table }) => table === page);
  const findPlace = refused.length && known ? await loadPlaceFinder(known, tableEntries).catch(() => findNoPlace) : findNoPlace;
  /** @type {Map<string, Entry[]>} */
  const otherTables = new Map();
  for (const entry of waiting) {
    if (entry.table !== page) otherTables.set(entry.table, [...(otherTables.get(entry.table) ?? []), entry]);
  }
  const lines = [...otherTables.values()].map(buildTableLine);
  lines.push(...refused.flatMap((each) => buildRefusal(each, findPlace(each))), ...buildLostLogLines(logs));
  const isHere = !isDrawn() && waiting.some(({ table }) => table === page);
  if (isHere && isAway) lines.push(createElement("p", outbox.isHindered ? strip.dataset.hindered : strip.dataset.kept));
  if (isForgotten) lines.push(createElement("p", strip.dataset.forgetful));
  const text = lines.map((line) => line.textContent).join("");
  if (strip.textContent !== text) strip.replaceChildren(...lines); // screen readers would repeat it
  strip.hidden = !lines.length;
  placeStrip();
  storeWaitingCount([...waiting, ...refused]);
  deleteFinishedTaps(installation, entries);
}

async function announceChange() {
  await showEntries();
  otherPages.postMessage("changed");
}

let isAway = false;
let retryDelay = RETRY_DELAY;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Sends the waiting entries; without an answer again after a growing, random delay, so that phones do not retry at once. */
async function send() {
  clearTimeout(timer);
  const isAnswered = await outbox.flush();
  isAway = !isAnswered;
  dispatch("outbox:tried", isAnswered);
  await announceChange();
  retryDelay = isAnswered ? RETRY_DELAY : Math.min(MAX_RETRY_DELAY, retryDelay * 1.5);
  timer = setTimeout(sendIfWaiting, retryDelay * (0.8 + Math.random() * 0.4));
}

async function sendIfWaiting() {
  if ((await outbox.listWaiting()).length) await send();
}

/** @param {NewEntry} newEntry stored, shown and sent */
async function addEntry(newEntry) {
  const entry = { ...newEntry, order: store.generateOrder() };
  document.body.classList.toggle("sending", !isDrawn());
  storeTap(entry, installation);
  await outbox.add(entry);
  await announceChange();
  await send();
  document.body.classList.remove("sending");
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (!form.elements.namedItem("entry_key")) return;
  event.preventDefault();
  if (document.body.matches(".sending")) return;
  const values = /** @type {NewEntry["values"]} */ (Object.fromEntries(new FormData(form)));
  delete values.csrfmiddlewaretoken; // the current one is added when it is sent
  if (submitter?.name) values[submitter.name] = submitter.value;
  const path = form.getAttribute("action") ?? "";
  const entry = { table: page ?? path, path, number, values };
  if (!dispatch("outbox:add", entry)) return;
  addEntry(entry);
});

otherPages.addEventListener("message", showEntries);
document.addEventListener("network:back", sendIfWaiting);
addEventListener("online", sendIfWaiting);
addEventListener("pageshow", showEntries);
document.addEventListener("visibilitychange", () => { if (!document.hidden) sendIfWaiting(); });
document.addEventListener("htmx:afterSwap", placeStrip);

const MAX_START_DELAY = 10_000;

/** Adopts the taps of an earlier page; until they are on the screen, the next hand would take the number of one of them. */
async function adoptTaps() {
  const resume = () => document.body.classList.remove("starting");
  if (page && hasTaps(installation)) document.body.classList.add("starting");
  setTimeout(resume, MAX_START_DELAY); // even if it fails
  await adoptStoredTaps(outbox, installation);
  await showEntries();
  if (!(await outbox.listWaiting()).some(({ table }) => table === page)) resume();
}

export const tapsAdopted = adoptTaps();

async function start() {
  await tapsAdopted;
  await outbox.deleteFinished();
  await deleteOldTables(store);
  await sendIfWaiting();
}

start();
