/**
 * The table's page where scripts run: what is tapped is kept on the phone and drawn at once, from what the server last
 * said and what was marked here since; whether there is a network changes nothing of it. Nothing moves under the
 * finger: what others mark is drawn once a step that is open is done.
 */

/**
 * @typedef {import("../outbox.js").Entry} Entry
 * @typedef {import("./context.js").View} View
 * @typedef {import("./known.js").Known} Known
 */

import { isOurs } from "../answers.js";
import { DRAWS, REPORT, isWaiting, newKey, reportOf } from "../outbox.js";
import { adopted, keepNews, outbox, readKnown, store, token } from "../sender.js";
import { contextOf } from "./context.js";
import { keptAt, takeOver } from "./kept_logs.js";
import { newer } from "./known.js";
import { asksFirst, place } from "./log.js";
import { markOf, matchOf, sawOnly, tableWith } from "./match.js";
import { Refusal } from "./refusals.js";
import { handLine, sideViews } from "./screen.js";
import { isLookingForNews, isMarking, onceReleased, swapScreen } from "./swap.js";
import { drawTemplate } from "./templates.js";
import { pauseTaps } from "../taps.js";

const SCREEN = "scoring/table.html#screen";
const HANDS = "scoring/hands_on_phone.html";

const { hands: url = "", program: address = "" } = document.body.dataset;
const { installation = "" } = document.documentElement.dataset;

/** @type {?Known} */
let known = readKnown(document);
/** @type {?Known} what was known when the screen was drawn, on which a finger may rest while news come */
let drawnOn = known;
/** @type {Entry[]} */
let entries = [];
/** @type {View} */
let view = viewAt(location.href);
let stays = view.stays; // once said, also while the server does not hear it
/** @type {?import("./templates.js").Program} */
let program = null;
let isAway = false;
let isHindered = false;
let isForgotten = false; // what waits, with this page
let isAlone = false;
let isDue = false; // there is something new to draw, and somebody is in the middle of something
/** The key of what was tapped here, until it is kept. */
let tapped = "";
if (new URLSearchParams(location.search).has("card")) history.replaceState(history.state, "", location.pathname + location.hash);
/** The address of the view, without the step that is open. */
let shown = location.pathname + location.search;

/** @returns {?import("../outbox.js").Held} what this phone has of the match */
function heldMatch() {
  return known && { match: known.match.pk, revision: known.match.revision };
}

/** @param {string} href @returns {View} what of the table that address shows; of others, the table itself */
function viewAt(href) {
  const { pathname, searchParams } = new URL(href, location.href);
  const [, hands, number] = /^\/(hands)(?:\/(\d+))?$/.exec(pathname.slice(url.length)) ?? [];
  if (number) return { correcting: Number(number) };
  if (hands) return { hands: true };
  return { goesOn: searchParams.get("game") ?? undefined, stays: searchParams.get("stay") ?? undefined };
}

/** @param {import("./match.js").Table} table @param {Record<string, string>} values @returns {View} their question */
function viewOfQuestion({ log }, values) {
  const number = Number(values.number);
  return { asked: values, correcting: log.standing.has(number) ? number : undefined };
}

/** @returns {string} the table as it is now; "" as long as it cannot be drawn here, and the server does */
function screenNow() {
  try {
    return known && program ? drawScreen(known, program) : "";
  } catch (error) {
    console.error(error);
    program = null; // it is of another version than what the server says now: its own screens are
    delete document.body.dataset.drawn;
    return "";
  }
}

/** @param {Known} known @param {import("./templates.js").Program} program */
function drawScreen(known, program) {
  const table = tableWith(known, entries);
  const asked = entries.find(({ state }) => state === "asked");
  if (asked) view = viewOfQuestion(table, asked.values);
  const context = contextOf(table, view, {
    now: new Date(),
    entry_key: newKey(),
    csrf_token: token(),
    waiting: entries.filter(isWaiting).length,
    is_away: isAway,
    is_hindered: isHindered,
    is_forgotten: isForgotten,
    is_alone: isAlone,
    may_reload: Boolean(navigator.serviceWorker?.controller),
    stays,
  });
  return drawTemplate(program, view.hands ? HANDS : SCREEN, context);
}

function draw() {
  const text = screenNow();
  if (!text) return;
  swapScreen(text);
  drawnOn = known;
  isDue = false;
}

function drawUnlessMarking() {
  onceReleased(drawAround);
}

/** Whoever is in the middle of something sees what became of what was sent, and the news; nothing else changes. */
function drawAround() {
  if (!isMarking()) return draw();
  isDue = true;
  const next = new DOMParser().parseFromString(screenNow(), "text/html");
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
function look(next) {
  view = next;
  stays = next.stays ?? stays;
  draw();
  pauseTaps();
  scrollTo(0, 0);
}

/**
 * @param {import("./known.js").Mark} mark @param {import("./match.js").Table} table
 * @param {import("./templates.js").Program} program
 * @returns {string} `Roy and Dubé, 7 made`
 */
function wordsOf({ number, record }, table, program) {
  const { known, state } = table;
  const line = handLine(number, record, sideViews(known, state, state.dealer), known.ruleset);
  const text = drawTemplate(program, "scoring/what.html", { line });
  return new DOMParser().parseFromString(text, "text/html").documentElement.innerText.replace(/\s+/g, " ").trim();
}

// What is tapped: asked about first, refused at once, or kept.
document.addEventListener("outbox:add", (event) => {
  const { path, values } = event.detail;
  tapped = values.entry_key;
  if (!known || !program || path !== url) return;
  if (sawOnly(drawnOn ?? known, entries, values)) values.saw_only = "1";
  const table = tableWith(known, entries);
  try {
    const mark = markOf(table.known, values, "");
    place(table.log, mark, matchOf(table.known));
    if (!asksFirst(matchOf(table.known), table.log, { ...mark, confirmed: Boolean(values.confirmed) })) {
      event.detail.words = wordsOf(mark, table, program);
      return;
    }
    event.preventDefault();
    look(viewOfQuestion(table, values));
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    if (!(refusal.code in program.words.sentence)) return; // the server has a sentence for it
    event.preventDefault();
    look({ ...view, asked: undefined, refusal });
  }
});

document.addEventListener("outbox:changed", ({ detail }) => {
  const before = entries;
  entries = detail.entries.filter(({ table }) => table === url);
  isForgotten = detail.isForgotten;
  const isTapped = entries.some(({ state, values }) => state !== "asked" && values.entry_key === tapped);
  if (isTapped) showTable();
  else if (entries.some(({ state }, place) => before[place]?.state !== state)) drawUnlessMarking();
});

/** What was tapped is kept, and the table goes on. */
function showTable() {
  tapped = "";
  if (location.href !== new URL(url, location.href).href) history.replaceState(null, "", url);
  shown = url;
  look({});
}

document.addEventListener("outbox:tried", ({ detail: isAnswered }) => {
  if (isAway === !isAnswered && isHindered === outbox.isHindered) return;
  isAway = !isAnswered;
  isHindered = outbox.isHindered;
  drawUnlessMarking();
});

document.addEventListener("outbox:known", ({ detail }) => {
  if (detail.table !== url) return;
  known = detail.known;
  drawUnlessMarking();
});

document.addEventListener("outbox:heard", ({ detail }) => {
  if (detail.table === url) known = newer(known, detail.known);
});

// With each question it says what it holds, so that the desk knows.
outbox.held = (table) => (table === url ? heldMatch() : null);
document.addEventListener("htmx:configRequest", ({ detail: { headers } }) => {
  headers[REPORT] = reportOf(entries, heldMatch());
  if (program) headers[DRAWS] = "1";
});

document.addEventListener("table:learn", ({ detail }) => {
  keepNews(url, detail);
  look({});
});

// What others marked comes with the page's own questions.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.status >= 400 || !xhr.responseText.includes('id="known"')) return;
  const answer = new DOMParser().parseFromString(xhr.responseText, "text/html");
  const said = readKnown(answer);
  if (said) keepNews(url, said);
  if (!program && answer.querySelector("#screen > .band")) return;
  event.detail.shouldSwap = false;
  if (isLookingForNews(event)) drawUnlessMarking();
  else draw();
});

// Addresses of this table are drawn here; others need the network.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || !program || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
  const to = new URL(link.href);
  const rest = to.pathname.startsWith(url) ? to.pathname.slice(url.length) : null;
  if (to.origin !== location.origin || rest === null || !/^(\/hands(\/\d+)?)?$/.test(rest)) {
    stayIfAway(event);
    return;
  }
  const isStep = to.pathname === location.pathname && to.search === location.search && to.hash;
  if (isStep && !view.asked) return;
  event.preventDefault();
  for (const asked of entries.filter(({ state }) => state === "asked")) outbox.drop(asked);
  entries = entries.filter(({ state }) => state !== "asked");
  history.pushState(null, "", to.href);
  shown = to.pathname + to.search;
  look(viewAt(to.href));
  openStep();
});

/** The step of the address, on a screen that was drawn since: only Chromium would look for it itself. */
function openStep() {
  if (location.hash) location.replace(location.hash);
}

document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented) stayIfAway(event); // to another language, and whatever else leaves the page
});

/**
 * Whoever would leave for a page that does not come would not come back either, on a plain address.
 *
 * @param {Event} event
 */
function stayIfAway(event) {
  const waits = isAway && known && entries.filter(isWaiting).length > 0;
  if (!waits && navigator.onLine && !document.body.matches(".away")) return;
  event.preventDefault();
  history.replaceState(null, "", location.pathname + location.search); // the step is closed, the table is seen
  look({ ...view, outOfReach: true });
}

addEventListener("hashchange", () => { if (isDue) drawUnlessMarking(); });

// On a plain address a page that is loaded anew without a network does not come back.
addEventListener("beforeunload", (event) => {
  const waits = entries.some(isWaiting);
  if (waits && !navigator.serviceWorker?.controller && (isAway || !navigator.onLine)) event.preventDefault();
});

addEventListener("popstate", () => {
  if (location.pathname + location.search === shown) return; // a step was opened or left
  shown = location.pathname + location.search;
  view = viewAt(location.href);
  draw();
  openStep();
});

async function start() {
  const said = known;
  if (said) await takeOver(store, installation, url, said);
  known = newer((await keptAt(store, installation, url)).known, known);
  if (said) keepNews(url, said);
  entries = await outbox.entries(url);
  program = (await store.get(address))?.program ?? null;
  if (program) begin();
  else await loadProgram();
}

/** From here on the page is drawn here: the one that a worker has kept may be older than what the phone knows. */
function begin() {
  document.body.dataset.drawn = "";
  outbox.page = undefined; // what is asked about is shown here, and need not be asked once more
  drawUnlessMarking();
  adopted.then(() => document.body.classList.remove("starting"));
}

/** Asks for what draws the page, as often as it takes: until then the server does. */
async function loadProgram() {
  try {
    const response = await fetch(address);
    const found = isOurs(response.headers, installation) ? await response.json() : null;
    if (program || !found) return;
    program = found;
    begin();
    await keepProgram();
  } catch { /* with the next sign of a network again */ }
}

/** In place of those of earlier versions. */
async function keepProgram() {
  const all = await store.all("kept");
  for (const old of all.filter((each) => each.program)) await store.remove("kept", old.name);
  await store.put("kept", { name: address, program });
}

// Which phone marks is agreed on by way of the server: without it, each one does.
for (const change of /** @type {const} */ (["network:away", "network:back", "outbox:tried"])) {
  document.addEventListener(change, () => {
    const before = isAlone;
    isAlone = isAway || document.body.matches(".away");
    if (isAlone !== before && known?.pencil?.is_elsewhere) drawUnlessMarking();
  });
}

document.addEventListener("network:back", () => { if (!program) loadProgram(); });
document.addEventListener("outbox:tried", () => { if (!program) loadProgram(); });
start();
