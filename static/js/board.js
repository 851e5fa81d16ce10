/**
 * The board turns its pages by itself, stays on the one it shows when news come, and says when it hears of none.
 * The arrow keys turn by hand, the space bar stops it and lets it go on. Without this module it is one long page.
 *
 * A page that the service worker has kept says an hour that has gone by: how far the device's clock is ahead is known
 * from the last time that the server was heard, and tells since when it was not.
 */

import { hourOf, serverTime, synchronize } from "./clock.js";

const TURN = 15_000;
const SILENCE = 30_000;
const AHEAD = "board clock ahead"; // where the device keeps it
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** @type {HTMLElement | null} */
const notice = document.querySelector("[data-stale]");
/** @type {string | null} */
let current = null;
let isPaused = false;
let lastTurn = Date.now();
let lastNews = Number(notice?.dataset.made) * 1_000 || serverTime();

/** Goes on by the clock as it was known, where this page is an old one. */
function findTime() {
  const known = localStorage.getItem(AHEAD);
  if (known !== null && Date.now() - Number(known) - lastNews > SILENCE) synchronize(Date.now() - Number(known));
  else keepTime();
}

function keepTime() {
  localStorage.setItem(AHEAD, String(Date.now() - serverTime()));
}

/** @param {number} by how many pages on: 0 shows the same one again, or the first if it is no more */
function turn(by) {
  const leaves = [...document.querySelectorAll(".leaf")];
  const found = leaves.findIndex((leaf) => leaf.getAttribute("data-leaf") === current);
  const place = found < 0 ? 0 : (found + by + leaves.length) % leaves.length;
  leaves.forEach((leaf, each) => leaf.classList.toggle("shown", each === place));
  if (by || found < 0) lastTurn = Date.now();
  current = leaves[place].getAttribute("data-leaf");
}

function refresh() {
  if (!isPaused && Date.now() - lastTurn >= TURN) turn(1);
  if (!notice) return;
  notice.hidden = serverTime() - lastNews <= SILENCE;
  notice.querySelector("span")?.replaceChildren(hourOf(lastNews, notice.dataset.stale));
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status >= 400) event.detail.shouldSwap = false;
});
document.addEventListener("htmx:afterSwap", () => turn(0));
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (event.detail.xhr.status >= 400) return;
  lastNews = serverTime();
  keepTime();
});

document.addEventListener("keydown", (event) => {
  const by = STEPS[event.key];
  if (by) turn(by);
  else if (event.key === " ") isPaused = !isPaused;
  else return;
  event.preventDefault();
});

findTime();
turn(0);
refresh();
setInterval(refresh, 500);
