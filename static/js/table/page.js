/**
 * Runs the page of a table: stores each tap on the phone and draws the screen at once, with or without a network, from the
 * last snapshot of the server and the entries of this phone. Nothing moves under the finger: marks of others are drawn
 * once an open step is done.
 */

/**
 * @typedef {import("../outbox.js").Entry} Entry
 * @typedef {import("./context.js").View} View
 * @typedef {import("./snapshot.js").TableSnapshot} TableSnapshot
 */

import { isFromInstallation } from "../receipts.js";
import { DRAWS_HEADER, REPORT_HEADER, buildReport, createKey, isWaiting } from "../outbox.js";
import { outbox, processSnapshot, readSnapshot, readToken, store, tapsAdopted } from "../sender.js";
import { buildContext } from "./context.js";
import { adoptOtherInstallations, loadSavedTable } from "./saved_logs.js";
import { pickNewer } from "./snapshot.js";
import { needsConfirmation, placeMark } from "./log.js";
import { buildTable, getMatchTerms, readMark, sawOnlyOwnMark } from "./match.js";
import { Refusal } from "./refusals.js";
import { buildHandLine, buildSideViews } from "./screen.js";
import { isMarking, isNewsRequest, runOnceReleased, swapScreen } from "./swap.js";
import { renderTemplate } from "./templates.js";
import { pauseTaps } from "../taps.js";

const SCREEN_TEMPLATE = "scoring/table.html#screen";
const HANDS_TEMPLATE = "scoring/phone_hands.html";

const { hands: url = "", program: programUrl = "" } = document.body.dataset;
const { installation = "" } = document.documentElement.dataset;

/** @type {?TableSnapshot} */
let known = readSnapshot(document);
/** @type {?TableSnapshot} the snapshot on the screen, which may be older than the last one */
let drawnSnapshot = known;
/** @type {Entry[]} */
let entries = [];
/** @type {View} */
let view = parseView(location.href);
let stays = view.stays; // remembered while the server cannot be reached
/** @type {?import("./templates.js").Program} */
let program = null;
let isAway = false;
let isHindered = false;
let isForgotten = false; // whether waiting entries are lost with this page
let isAlone = false;
let isDue = false; // news wait to be drawn, since a step is open
/** The key of the last tap, until it is stored. */
let tappedKey = "";
if (new URLSearchParams(location.search).has("card")) history.replaceState(history.state, "", location.pathname + location.hash);
/** The address of the view, without the open step. */
let shownAddress = location.pathname + location.search;

/** @returns {?import("../outbox.js").HeldMatch} the match that this phone has */
function getHeldMatch() {
  return known && { match: known.match.pk, revision: known.match.revision };
}

/** @param {string} href @returns {View} the view of that address; the table itself for other addresses */
function parseView(href) {
  const { pathname, searchParams } = new URL(href, location.href);
  const [, hands, number] = /^\/(hands)(?:\/(\d+))?$/.exec(pathname.slice(url.length)) ?? [];
  if (number) return { correcting: Number(number) };
  if (hands) return { hands: true };
  return { goesOn: searchParams.get("game") ?? undefined, stays: searchParams.get("stay") ?? undefined };
}

/** @param {import("./match.js").Table} table @param {Record<string, string>} values @returns {View} their question */
function buildQuestionView({ log }, values) {
  const number = Number(values.number);
  return { asked: values, correcting: log.standing.has(number) ? number : undefined };
}

/** @returns {string} the current screen; "" if it cannot be drawn here, so that the server draws it */
function renderCurrentScreen() {
  try {
    return known && program ? renderScreen(known, program) : "";
  } catch (error) {
    console.error(error);
    program = null; // its version differs from that of the snapshot: use the server's screens
    delete document.body.dataset.drawn;
    return "";
  }
}

/** @param {TableSnapshot} known @param {import("./templates.js").Program} program */
function renderScreen(known, program) {
  const table = buildTable(known, entries);
  const askedEntry = entries.find(({ state }) => state === "asked");
  if (askedEntry) view = buildQuestionView(table, askedEntry.values);
  const context = buildContext(table, view, {
    now: new Date(),
    entry_key: createKey(),
    csrf_token: readToken(),
    waiting: entries.filter(isWaiting).length,
    is_away: isAway,
    is_hindered: isHindered,
    is_forgotten: isForgotten,
    is_alone: isAlone,
    may_reload: Boolean(navigator.serviceWorker?.controller),
    stays,
  });
  return renderTemplate(program, view.hands ? HANDS_TEMPLATE : SCREEN_TEMPLATE, context);
}

function draw() {
  const text = renderCurrentScreen();
  if (!text) return;
  swapScreen(text);
  drawnSnapshot = known;
  isDue = false;
}

function drawOnceReleased() {
  runOnceReleased(drawOrUpdateNews);
}

/** Draws the screen, or only its status and news while a step is open. */
function drawOrUpdateNews() {
  if (!isMarking()) return draw();
  isDue = true;
  const next = new DOMParser().parseFromString(renderCurrentScreen(), "text/html");
  for (const part of ["#screen > .band", "#screen .news:not(:focus-within)"]) {
    const [before, after] = [document.querySelector(part), next.querySelector(part)];
    if (!before || !after) continue;
    const strip = before.querySelector("#outbox");
    if (strip) after.prepend(strip);
    before.replaceWith(after);
    htmx.process(after);
  }
}

/** @param {View} next */
function showView(next) {
  view = next;
  stays = next.stays ?? stays;
  draw();
  pauseTaps();
  scrollTo(0, 0);
}

/**
 * @param {import("./snapshot.js").Mark} mark @param {import("./match.js").Table} table
 * @param {import("./templates.js").Program} program
 * @returns {string} `Roy and Dubé, 7 made`
 */
function describeHand({ number, record }, table, program) {
  const { known, state } = table;
  const line = buildHandLine(number, record, buildSideViews(known, state, state.dealer), known.ruleset);
  const text = renderTemplate(program, "scoring/hand_summary.html", { line });
  return new DOMParser().parseFromString(text, "text/html").documentElement.innerText.replace(/\s+/g, " ").trim();
}

// A tap is refused at once, asks a question first, or is stored.
document.addEventListener("outbox:add", (event) => {
  const { path, values } = event.detail;
  tappedKey = values.entry_key;
  if (!known || !program || path !== url) return;
  if (sawOnlyOwnMark(drawnSnapshot ?? known, entries, values)) values.saw_only = "1";
  const table = buildTable(known, entries);
  try {
    const mark = readMark(table.known, values, "");
    placeMark(table.log, mark, getMatchTerms(table.known));
    if (!needsConfirmation(getMatchTerms(table.known), table.log, { ...mark, confirmed: Boolean(values.confirmed) })) {
      event.detail.words = describeHand(mark, table, program);
      return;
    }
    event.preventDefault();
    showView(buildQuestionView(table, values));
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    if (!(refusal.code in program.words.sentence)) return; // only the server has its sentence
    event.preventDefault();
    showView({ ...view, asked: undefined, refusal });
  }
});

document.addEventListener("outbox:changed", ({ detail }) => {
  const before = entries;
  entries = detail.entries.filter(({ table }) => table === url);
  isForgotten = detail.isForgotten;
  const isTapped = entries.some(({ state, values }) => state !== "asked" && values.entry_key === tappedKey);
  if (isTapped) showTable();
  else if (entries.some(({ state }, place) => before[place]?.state !== state)) drawOnceReleased();
});

/** Shows the table again once a tap is stored. */
function showTable() {
  tappedKey = "";
  if (location.href !== new URL(url, location.href).href) history.replaceState(null, "", url);
  shownAddress = url;
  showView({});
}

document.addEventListener("outbox:tried", ({ detail: isAnswered }) => {
  if (isAway === !isAnswered && isHindered === outbox.isHindered) return;
  isAway = !isAnswered;
  isHindered = outbox.isHindered;
  drawOnceReleased();
});

document.addEventListener("outbox:known", ({ detail }) => {
  if (detail.table !== url) return;
  known = detail.known;
  drawOnceReleased();
});

document.addEventListener("outbox:heard", ({ detail }) => {
  if (detail.table === url) known = pickNewer(known, detail.known);
});

// Each request reports the match that this phone has, for the desk.
outbox.getHeldMatch = (table) => (table === url ? getHeldMatch() : null);
document.addEventListener("htmx:configRequest", ({ detail: { headers } }) => {
  headers[REPORT_HEADER] = buildReport(entries, getHeldMatch());
  if (program) headers[DRAWS_HEADER] = "1";
});

document.addEventListener("table:learn", ({ detail }) => {
  processSnapshot(url, detail);
  showView({});
});

// Marks of others come with the responses to polls.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.status >= 400 || !xhr.responseText.includes('id="known"')) return;
  const answer = new DOMParser().parseFromString(xhr.responseText, "text/html");
  const snapshot = readSnapshot(answer);
  if (snapshot) processSnapshot(url, snapshot);
  if (!program && answer.querySelector("#screen > .band")) return;
  event.detail.shouldSwap = false;
  if (isNewsRequest(event)) drawOnceReleased();
  else draw();
});

// Addresses of this table are drawn here; others need a network.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || !program || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
  const to = new URL(link.href);
  const rest = to.pathname.startsWith(url) ? to.pathname.slice(url.length) : null;
  if (to.origin !== location.origin || rest === null || !/^(\/hands(\/\d+)?)?$/.test(rest)) {
    preventLeaving(event);
    return;
  }
  const isStep = to.pathname === location.pathname && to.search === location.search && to.hash;
  if (isStep && !view.asked) return;
  event.preventDefault();
  for (const asked of entries.filter(({ state }) => state === "asked")) outbox.drop(asked);
  entries = entries.filter(({ state }) => state !== "asked");
  history.pushState(null, "", to.href);
  shownAddress = to.pathname + to.search;
  showView(parseView(to.href));
  openStep();
});

/** Opens the step of the address on a newly drawn screen; only Chromium does so by itself. */
function openStep() {
  if (location.hash) location.replace(location.hash);
}

document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented) preventLeaving(event); // such as a change of language
});

/**
 * Stays on the page if the next one cannot be loaded: over HTTP, this one could not be loaded again either.
 *
 * @param {Event} event
 */
function preventLeaving(event) {
  const hasWaiting = isAway && known && entries.filter(isWaiting).length > 0;
  if (!hasWaiting && navigator.onLine && !document.body.matches(".offline")) return;
  event.preventDefault();
  history.replaceState(null, "", location.pathname + location.search); // close the step
  showView({ ...view, outOfReach: true });
}

addEventListener("hashchange", () => { if (isDue) drawOnceReleased(); });

// Over HTTP, a page that is reloaded without a network is lost.
addEventListener("beforeunload", (event) => {
  const hasWaiting = entries.some(isWaiting);
  if (hasWaiting && !navigator.serviceWorker?.controller && (isAway || !navigator.onLine)) event.preventDefault();
});

addEventListener("popstate", () => {
  if (location.pathname + location.search === shownAddress) return; // only the step changed
  shownAddress = location.pathname + location.search;
  view = parseView(location.href);
  draw();
  openStep();
});

async function start() {
  const initial = known;
  if (initial) await adoptOtherInstallations(store, installation, url, initial);
  known = pickNewer((await loadSavedTable(store, installation, url)).known, known);
  if (initial) processSnapshot(url, initial);
  entries = await outbox.listEntries(url);
  program = (await store.get(programUrl))?.program ?? null;
  if (program) startDrawing();
  else await loadProgram();
}

/** Draws the page here from now on; one cached by the worker may be older than the saved snapshot. */
function startDrawing() {
  document.body.dataset.drawn = "";
  outbox.page = undefined; // questions are shown here, without sending the entry again
  drawOnceReleased();
  tapsAdopted.then(() => document.body.classList.remove("starting"));
}

/** Loads the compiled templates, retried at each sign of a network; until then the server draws the page. */
async function loadProgram() {
  try {
    const response = await fetch(programUrl);
    const found = isFromInstallation(response.headers, installation) ? await response.json() : null;
    if (program || !found) return;
    program = found;
    startDrawing();
    await saveProgram();
  } catch { /* retried at the next sign of a network */ }
}

/** Saves the compiled templates in place of those of earlier versions. */
async function saveProgram() {
  const all = await store.list("kept");
  for (const old of all.filter((each) => each.program)) await store.remove("kept", old.name);
  await store.put("kept", { name: programUrl, program });
}

// The server decides which phone keeps score; without it, each phone may.
for (const change of /** @type {const} */ (["network:away", "network:back", "outbox:tried"])) {
  document.addEventListener(change, () => {
    const before = isAlone;
    isAlone = isAway || document.body.matches(".offline");
    if (isAlone !== before && known?.pencil?.is_elsewhere) drawOnceReleased();
  });
}

document.addEventListener("network:back", () => { if (!program) loadProgram(); });
document.addEventListener("outbox:tried", () => { if (!program) loadProgram(); });
start();
