/**
 * The board turns its pages by itself, stays on the one it shows when news come, and says when it hears of none.
 * The arrow keys turn by hand, the space bar stops it and lets it go on. Without this module it is one long page.
 */

import { hourOf, serverTime } from "./clock.js";

const TURN = 15_000;
const SILENCE = 30_000;
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** @type {HTMLElement | null} */
const notice = document.querySelector("[data-stale]");
/** @type {string | null} */
let current = null;
let isPaused = false;
let lastTurn = Date.now();
let lastNews = serverTime();

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
  if (event.detail.xhr.status < 400) lastNews = serverTime();
});

document.addEventListener("keydown", (event) => {
  const by = STEPS[event.key];
  if (by) turn(by);
  else if (event.key === " ") isPaused = !isPaused;
  else return;
  event.preventDefault();
});

turn(0);
setInterval(refresh, 500);
