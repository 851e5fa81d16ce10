/**
 * Turns the pages of a board automatically, stays on the current one when it is updated, and shows when updates stop.
 * The arrow keys turn pages, the space bar pauses. Without this module the board is one long page.
 *
 * A page from the cache of the service worker has an old time: the last known offset of the device's clock then tells
 * since when there were no updates.
 */

import { formatTime, getServerTime, synchronize } from "./clock.js";

const TURN_INTERVAL = 15_000;
const MAX_SILENCE = 30_000;
const OFFSET_KEY = "board clock ahead"; // in localStorage
/** @type {Record<string, number>} */
const PAGE_STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** @type {HTMLElement | null} */
const notice = document.querySelector("[data-stale]");
/** @type {string | null} */
let currentLeaf = null;
let isPaused = false;
let lastTurnAt = Date.now();
let lastNewsAt = Number(notice?.dataset.made) * 1_000 || getServerTime();

/** Restores the last known clock if this page is an old one. */
function restoreClock() {
  const storedOffset = localStorage.getItem(OFFSET_KEY);
  const time = Date.now() - Number(storedOffset);
  if (storedOffset !== null && time - lastNewsAt > MAX_SILENCE) synchronize(time);
  else saveClock();
}

function saveClock() {
  localStorage.setItem(OFFSET_KEY, String(Date.now() - getServerTime()));
}

/** @param {number} steps how many pages to turn: 0 shows the current one again, or the first if it is gone */
function turnPages(steps) {
  const leaves = [...document.querySelectorAll(".board-page")];
  const index = leaves.findIndex((leaf) => leaf.getAttribute("data-page") === currentLeaf);
  const newIndex = index < 0 ? 0 : (index + steps + leaves.length) % leaves.length;
  leaves.forEach((leaf, leafIndex) => leaf.classList.toggle("current", leafIndex === newIndex));
  if (steps || index < 0) lastTurnAt = Date.now();
  currentLeaf = leaves[newIndex].getAttribute("data-page");
}

function refresh() {
  if (!isPaused && Date.now() - lastTurnAt >= TURN_INTERVAL) turnPages(1);
  if (!notice) return;
  notice.hidden = getServerTime() - lastNewsAt <= MAX_SILENCE;
  notice.querySelector("span")?.replaceChildren(formatTime(lastNewsAt, notice.dataset.stale));
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status >= 400) event.detail.shouldSwap = false;
});
document.addEventListener("htmx:afterSwap", () => turnPages(0));
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (event.detail.xhr.status >= 400) return;
  lastNewsAt = getServerTime();
  saveClock();
});

document.addEventListener("keydown", (event) => {
  const steps = PAGE_STEPS[event.key];
  if (steps) turnPages(steps);
  else if (event.key === " ") isPaused = !isPaused;
  else return;
  event.preventDefault();
});

restoreClock();
turnPages(0);
refresh();
setInterval(refresh, 500);
