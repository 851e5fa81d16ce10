/**
 * One live region says what is new about this table: the network, hands to send, messages of the desk. It is on the page
 * from the start, and only its text changes: NVDA and JAWS ignore a region that appears together with its text.
 */

import { textOf } from "../speech.js";

const SETTLED = 1_000; // what passes sooner, such as "Sending…", is not said

/** @param {Element} element @returns {boolean} whether it applies; notices under the first one do, though they are folded */
const applies = (element) =>
  !element.closest("[hidden]") && Boolean(element.closest(".notice:not(.when-away)") || element.getClientRects().length);

function lines() {
  const texts = [...document.querySelectorAll("#screen [data-news]")].filter(applies).map(textOf);
  return texts.filter((text) => !texts.some((other) => other !== text && other.startsWith(text))); // "No network"
}

let known = new Set(lines());
let settling = 0;

function sayNew() {
  const now = lines();
  const said = now.filter((line) => !known.has(line)).join(" ");
  const region = document.getElementById("status");
  if (said && region) region.textContent = said;
  known = new Set(now);
}

function settle() {
  clearTimeout(settling);
  settling = setTimeout(sayNew, SETTLED);
}

document.addEventListener("htmx:afterSwap", settle);
new MutationObserver(settle).observe(document.body, { attributes: true, attributeFilter: ["class"] });
