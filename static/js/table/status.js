/**
 * Announces news of this table in one live region: the network, hands to send, messages of the desk. The region is on the
 * page from the start: NVDA and JAWS ignore a region that appears together with its text.
 */

import { getText } from "../speech.js";

const ANNOUNCE_DELAY = 1_000; // milliseconds; shorter states, such as "Sending…", are not announced

/** @param {Element} element @returns {boolean} whether it is shown, or folded under the first notice */
const isShown = (element) =>
  !element.closest("[hidden]") && Boolean(element.closest(".notice:not(.offline-only)") || element.getClientRects().length);

function listLines() {
  const texts = [...document.querySelectorAll("#screen [data-news]")].filter(isShown).map(getText);
  return texts.filter((text) => !texts.some((other) => other !== text && other.startsWith(text))); // "No network"
}

let shownLines = new Set(listLines());
/** @type {string[]} the lines in the region */
let announcedLines = [];
let announceTimer = 0;

function announceNews() {
  const currentLines = listLines();
  const newLines = currentLines.filter((line) => !shownLines.has(line));
  shownLines = new Set(currentLines);
  if (!newLines.length && announcedLines.some((line) => shownLines.has(line))) return;
  announcedLines = newLines; // none: an outdated text goes, unannounced, since a screen reader would find it on the page
  const region = document.getElementById("status");
  if (region) region.textContent = newLines.join(" ");
}

function scheduleAnnouncement() {
  clearTimeout(announceTimer);
  announceTimer = setTimeout(announceNews, ANNOUNCE_DELAY);
}

document.addEventListener("htmx:afterSwap", scheduleAnnouncement);
new MutationObserver(scheduleAnnouncement).observe(document.body, { attributes: true, attributeFilter: ["class"] });
