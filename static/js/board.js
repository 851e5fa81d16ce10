/**
 * The board turns its pages by itself, stays on the one it shows when news come, and says when it hears of none.
 * The arrow keys turn by hand, the space bar stops it and lets it go on. Without this module it is one long page.
 */

import { hourOf, serverTime } from "./clock.js";

const TURN = 15_000;
const SILENCE = 30_000;

const stale = document.querySelector("[data-stale]");
let shown = "";
let isHeld = false;
let turnedAt = Date.now();
let heardAt = serverTime();

/** @param {number} by how many pages on: 0 shows the same one again, or the first if it is no more */
function turn(by) {
  const leaves = [...document.querySelectorAll(".leaf")];
  const found = leaves.findIndex((leaf) => leaf.dataset.leaf === shown);
  const place = found < 0 ? 0 : (found + by + leaves.length) % leaves.length;
  leaves.forEach((leaf, each) => leaf.classList.toggle("shown", each === place));
  if (by || found < 0) turnedAt = Date.now();
  shown = leaves[place].dataset.leaf;
}

function look() {
  if (!isHeld && Date.now() - turnedAt >= TURN) turn(1);
  stale.hidden = serverTime() - heardAt <= SILENCE;
  stale.querySelector("span").textContent = hourOf(heardAt, stale.dataset.stale);
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status >= 400) event.detail.shouldSwap = false;
});
document.addEventListener("htmx:afterSwap", () => turn(0));
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (event.detail.xhr.status < 400) heardAt = serverTime();
});

document.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by) turn(by);
  else if (event.key === " ") isHeld = !isHeld;
  else return;
  event.preventDefault();
});

turn(0);
setInterval(look, 500);
