/**
 * Sends what waits on this device, from whatever page is open, and shows it there. Forms that carry an `entry_key` go
 * this way, so that no page of a hall's Wi-Fi replaces the screen: what they say is kept before it leaves. The page of a
 * table hears of it by events:
 *
 * - `outbox:add`: `detail` is what is about to be kept; who prevents the default has something to ask first;
 * - `outbox:changed`: something was kept, or answered; `detail` are all entries, in order, and whether what waits
 *   `isForgotten` with its page;
 * - `outbox:heard`: what this phone has heard of a `table`, and is `known` of it, be it by another page of it;
 * - `outbox:answer`: `detail` is an `Answer`; who shows it prevents the default, and its entry is done with;
 * - `outbox:known`: what was kept was brought back to a server that went back; `detail` is the `table`, and what is `known`
 *   of it now;
 * - `outbox:tried`: `detail` is whether all that could go was answered.
 */

/**
 * @typedef {import("./outbox.js").Entry} Entry @typedef {import("./outbox.js").NewEntry} NewEntry
 * @typedef {import("./table/known.js").Known} Known
 */

import { isOurs } from "./answers.js";
import { adoptEarlierHands, forgetTaps, hasTaps, noteTap } from "./earlier_hands.js";
import { Outbox, isWaiting, newKey } from "./outbox.js";
import { openStore } from "./store.js";
import { bringBack, digestFor, isKept, keepHeard, keptAt, mayLack, tidyKept } from "./table/kept_logs.js";

const ASK_AGAIN = 3_000; // as often as pages look for news
const AT_MOST = 30_000;

const { installation = "" } = document.documentElement.dataset;
const { hands: page, table: number = "" } = document.body.dataset;
const strip = /** @type {HTMLElement} */ (document.getElementById("outbox"));
const otherPages = new BroadcastChannel("outbox");

export const store = openStore();
store.onRecovered = () => announce().then(sendAgain);

/** @returns {string} the one that forms go with, as the browser has it now; "" where it has none */
export function token() {
  return /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "";
}

export const outbox = new Outbox({
  store,
  installation,
  fetch,
  token,
  page,
  digestFor: async (entry) => digestFor(await keptAt(store, installation, entry.table), entry),
  onBehind: bringBackTo,
  learn: async ({ entry, text }) => {
    const known = readKnown(new DOMParser().parseFromString(text, "text/html"));
    if (!known) return true;
    await keepNews(entry.table, known);
    return isKept(await keptAt(store, installation, entry.table), known, entry);
  },
  onAnswer: async (answer) => {
    if (answer.entry.table === page && !dispatch("outbox:answer", answer)) {
      const same = (await outbox.entries(page)).find(({ order }) => order === answer.entry.order);
      if (same && same.state !== "accepted") await outbox.drop(same);
    }
  },
});

/** @param {ParentNode} page @returns {?Known} what the server says in it of its table */
export function readKnown(page) {
  const kept = /** @type {?HTMLTemplateElement} */ (page.querySelector("template#known"));
  return kept && JSON.parse(kept.content.textContent ?? "");
}

/** @type {Map<string, string>} by table: what the server said when it was last brought what it might lack */
const answered = new Map();

/** A server that says less than it did gets back what it lacks.
 *
 * @param {string} table @param {Known} known as the server says it
 */
export async function keepNews(table, known) {
  dispatch("outbox:heard", { table, known });
  const before = await keepHeard(store, installation, table, known);
  const { match: { pk, revision }, digest, since } = known;
  const what = `${pk} ${revision} ${digest} ${since}`;
  if (!mayLack(before, known) || what === answered.get(table)) return;
  bringBackTo(table).then((isAnswered) => { if (isAnswered) answered.set(table, what); });
}

/** @type {Map<string, Promise<boolean>>} */
const onTheirWay = new Map();

/** @param {string} table @returns {Promise<boolean>} whether the server has answered to what is kept of it */
function bringBackTo(table) {
  const bringing = onTheirWay.get(table) ?? bring(table).finally(() => onTheirWay.delete(table));
  onTheirWay.set(table, bringing);
  return bringing;
}

/** @param {string} table */
async function bring(table) {
  const here = { store, installation, ask: askOurs, token };
  const isAnswered = await bringBack(here, table, (known) => dispatch("outbox:known", { table, known }));
  if (isAnswered) announce();
  return isAnswered;
}

/** @param {string} path @param {RequestInit} [more] @returns {Promise<?Response>} of this installation, if any */
async function askOurs(path, more) {
  try {
    const response = await fetch(path, { ...more, headers: { "HX-Request": "true" }, cache: "no-store" });
    return isOurs(response.headers, installation) ? response : null;
  } catch {
    return null;
  }
}

/** @returns {boolean} whether the page draws what is kept, so that nobody waits for the server */
function isDrawn() {
  return "drawn" in document.body.dataset;
}

/** @param {string} name @param {unknown} [detail] @returns {boolean} whether nobody has taken care of it */
function dispatch(name, detail) {
  return document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));
}

/** @param {string | undefined} text @param {Record<string, string | number | undefined>} values @returns {string} */
function fillIn(text = "", values) {
  return text.replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => `${values[name]}`);
}

/** @param {string} name @param {string} [text] @param {Record<string, string>} [more] */
function element(name, text = "", more = {}) {
  return Object.assign(document.createElement(name), { textContent: text, ...more });
}

/** @param {Entry[]} entries at one table @returns {Element} a link to it */
function lineOf(entries) {
  const [{ table, number: place, state }] = entries;
  const { one, many, asked } = strip.dataset;
  const text = state === "asked" ? asked : entries.length === 1 ? one : many;
  const line = element("p");
  line.append(element("a", fillIn(text, { count: entries.length, table: place }), { href: table }));
  return line;
}

/** @param {Entry} entry that was refused @param {?number} next where it can be marked instead @returns {Element[]} why */
function refusalOf(entry, next) {
  const { refused, undone, disagreed, dealer, called, seen, again } = strip.dataset;
  const { values, number: place, reason, words } = entry;
  const { number = "", game, seat, kind } = values;
  const ofHand = kind === "undone" ? undone : refused;
  const sentence = game ? disagreed : seat ? dealer : number ? ofHand : called;
  const hand = words && kind !== "undone" ? `${number} (${words})` : number;
  const said = element("p", fillIn(sentence, { table: place, number: hand, game, reason }), { role: "alert" });
  const read = buttonOf(seen, () => outbox.drop(entry).then(announce));
  return next ? [said, buttonOf(fillIn(again, { number: next }), () => markAgain(entry, next)), read] : [said, read];
}

/** @param {string | undefined} text @param {() => void} act @returns {Element} */
function buttonOf(text, act) {
  const button = element("button", text, { type: "button", className: "button quiet small" });
  button.addEventListener("click", act, { once: true });
  return button;
}

/** The same hand, in the next place: another entry, after all that was marked since.
 *
 * @param {Entry} refused @param {number} next
 */
async function markAgain(refused, next) {
  const { table, path, number, words, values } = refused;
  await outbox.drop(refused);
  await keep({ table, path, number, words, values: { ...values, entry_key: newKey(), number: String(next) } });
}

/**
 * @param {import("./table/kept_logs.js").Log[]} logs
 * @returns {Element[]} of each that the server has not, what to do about it
 */
function linesOfLost(logs) {
  return logs.filter(({ lost }) => lost).map(({ lost, match: { round_number: round } }) => {
    const text = lost === "no_match" ? strip.dataset.unknown : strip.dataset.nottaken;
    return element("p", fillIn(text, { round, table: number }));
  });
}

/** Puts it among the news of a table after each change of the screen, and above the list of all hands. */
function placeStrip() {
  const place = document.querySelector("#screen .news") ?? document.querySelector("#screen #main");
  if (!place || place.firstElementChild === strip) return;
  strip.removeAttribute("role"); // js/table/status.js says it
  strip.setAttribute("data-news", "");
  place.prepend(strip);
}

/**
 * So that any other page sends it too: network.js looks whether something waits.
 *
 * @param {Entry[]} entries
 */
function noteForOtherPages(entries) {
  try {
    if (entries.length) localStorage.setItem(`outbox ${installation}`, String(entries.length));
    else localStorage.removeItem(`outbox ${installation}`);
  } catch { /* where nothing is kept, only the table's page sends */ }
}

/** @returns {Promise<{known: ?Known, logs: import("./table/kept_logs.js").Log[]}>} of the table of this page */
async function keptHere() {
  return page ? keptAt(store, installation, page) : { known: null, logs: [] };
}

const nowhere = () => null;

/**
 * Where refused hands of this page's table fit. The fold is asked for only then: a table is there sooner without it.
 *
 * @param {Known} known @param {readonly Entry[]} entries of the table
 * @returns {Promise<(refused: Entry) => ?number>}
 */
async function placesFor(known, entries) {
  const { nextPlaceFor } = await import("./table/match.js");
  return (refused) => (refused.table === page ? nextPlaceFor(known, entries, refused) : null);
}

async function showEntries() {
  const entries = await outbox.entries();
  const { known, logs } = await keptHere(); // later than the entries: what is accepted there is known here
  if (known) dispatch("outbox:heard", { table: page, known });
  const waiting = entries.filter(isWaiting);
  const isForgotten = outbox.isForgetful(waiting);
  dispatch("outbox:changed", { entries, isForgotten }); // first of all: somebody waits for the screen
  const refused = entries.filter(({ state }) => state === "refused");
  const here = entries.filter(({ table }) => table === page);
  const nextFor = refused.length && known ? await placesFor(known, here).catch(() => nowhere) : nowhere;
  /** @type {Map<string, Entry[]>} */
  const elsewhere = new Map();
  for (const entry of waiting) {
    if (entry.table !== page) elsewhere.set(entry.table, [...(elsewhere.get(entry.table) ?? []), entry]);
  }
  const lines = [...[...elsewhere.values()].map(lineOf), ...refused.flatMap((each) => refusalOf(each, nextFor(each)))];
  lines.push(...linesOfLost(logs));
  const isHere = !isDrawn() && waiting.some(({ table }) => table === page);
  if (isHere && isAway) lines.push(element("p", outbox.isHindered ? strip.dataset.hindered : strip.dataset.kept));
  if (isForgotten) lines.push(element("p", strip.dataset.forgetful));
  const text = lines.map((line) => line.textContent).join("");
  if (strip.textContent !== text) strip.replaceChildren(...lines); // what is said is not said again
  strip.hidden = !lines.length;
  placeStrip();
  noteForOtherPages([...waiting, ...refused]);
  forgetTaps(installation, entries);
}

async function announce() {
  await showEntries();
  otherPages.postMessage("changed");
}

let isAway = false;
let pause = ASK_AGAIN;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Sends what waits; without an answer again after a pause, longer each time, and not all phones of a hall at once. */
async function send() {
  clearTimeout(timer);
  const isAnswered = await outbox.flush();
  isAway = !isAnswered;
  dispatch("outbox:tried", isAnswered);
  await announce();
  pause = isAnswered ? ASK_AGAIN : Math.min(AT_MOST, pause * 1.5);
  timer = setTimeout(sendAgain, pause * (0.8 + Math.random() * 0.4));
}

async function sendAgain() {
  if ((await outbox.waiting()).length) await send();
}

/** @param {NewEntry} tapped is kept, seen and sent */
async function keep(tapped) {
  const entry = { ...tapped, order: store.nextOrder() };
  document.body.classList.toggle("sending", !isDrawn());
  noteTap(entry, installation);
  await outbox.add(entry);
  await announce();
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
  delete values.csrfmiddlewaretoken; // the one of the moment goes with it
  if (submitter?.name) values[submitter.name] = submitter.value;
  const path = form.getAttribute("action") ?? "";
  const entry = { table: page ?? path, path, number, values };
  if (!dispatch("outbox:add", entry)) return;
  keep(entry);
});

otherPages.addEventListener("message", showEntries);
document.addEventListener("network:back", sendAgain);
addEventListener("online", sendAgain);
addEventListener("pageshow", showEntries);
document.addEventListener("visibilitychange", () => { if (!document.hidden) sendAgain(); });
document.addEventListener("htmx:afterSwap", placeStrip);

const MOST_TO_START = 10_000;

/** Taps wait until those of an earlier page are on the screen: the next hand would take the number of one of them. */
async function adoptTaps() {
  const resume = () => document.body.classList.remove("starting");
  if (page && hasTaps(installation)) document.body.classList.add("starting");
  setTimeout(resume, MOST_TO_START); // whatever becomes of it
  await adoptEarlierHands(outbox, installation);
  await showEntries();
  if (!(await outbox.waiting()).some(({ table }) => table === page)) resume();
}

export const adopted = adoptTaps();

async function start() {
  await adopted;
  await outbox.tidy();
  await tidyKept(store);
  await sendAgain();
}

start();
