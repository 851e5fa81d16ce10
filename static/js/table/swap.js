/** A table's screen gives way to the next one, whoever draws it: not under a finger, and whoever goes by keyboard stays. */

import { pauseTaps } from "../taps.js";

const CLICK_FOLLOWS = 50; // milliseconds after the release, at most, on a slow phone
const LONGEST_TAP = 1_000; // milliseconds; a release may also be heard by nobody, outside the window

/** @returns {boolean} whether somebody is in the middle of something: a step or a question, a tap, a word */
export function isMarking() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll("#screen input:not([type=hidden])");
  return document.querySelector("#screen .step:target, .sheet, .sending") !== null
    || [...fields].some((field) => field.value !== field.defaultValue);
}

/** @param {CustomEvent<HtmxDetail>} event @returns {boolean} whether it is the page looking for news, not a tap */
export function isLookingForNews(event) {
  return event.detail.requestConfig?.verb === "get" && event.detail.elt?.id === "screen";
}

let isPressed = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let releasing;
/** @type {Set<() => void>} */
const waiting = new Set();

/**
 * A screen that gave way between the press and the release of a finger would take its tap with it.
 *
 * @param {() => void} act at once, or once the finger that rests on the page has gone and its tap is dealt with
 */
export function onceReleased(act) {
  if (isPressed) waiting.add(act);
  else act();
}

function release() {
  isPressed = false;
  const acts = [...waiting];
  waiting.clear();
  for (const act of acts) act();
}

/** @param {number} pause in milliseconds */
function releaseAfter(pause) {
  clearTimeout(releasing);
  releasing = setTimeout(release, pause);
}

document.addEventListener("pointerdown", () => {
  isPressed = true;
  releaseAfter(LONGEST_TAP);
}, true);
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => releaseAfter(CLICK_FOLLOWS), true);
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!isLookingForNews(event)) document.body.classList.add("sending");
  else if (document.hidden || (isMarking() && !("drawn" in document.body.dataset))) event.preventDefault();
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!isLookingForNews(event)) document.body.classList.remove("sending");
});

/** @type {?Element} */
let focused = null;

export function keepFocus() {
  focused = document.activeElement === document.body ? null : document.activeElement;
}

/** @param {string} text is read out, unless it was already */
function sayNews(text) {
  const news = document.getElementById("news");
  if (news && news.textContent !== text) news.textContent = text;
}

/** @param {Element} element stays, for an answer to what it asked may be on its way @param {Element} next */
function become(element, next) {
  for (const name of element.getAttributeNames()) if (!next.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of next.attributes) element.setAttribute(name, value);
  element.replaceChildren(...next.childNodes);
}

/** @returns {string} differs where a finger on the same place would do something else */
function currentKeys() {
  const screen = /** @type {HTMLElement} */ (document.getElementById("screen"));
  /** @type {NodeListOf<HTMLButtonElement>} */
  const agreements = screen.querySelectorAll(".agree button.key");
  const kind = screen.querySelector(":is(.play, .agree, .onlooker, .move)")?.className;
  return [kind, screen.dataset.number, ...[...agreements].map(({ value }) => value)].join();
}

/**
 * As htmx would, without its walks through both screens, which take most of a tap's time on a slow phone.
 *
 * @param {string} text of the next screen, and of what is said of it: of the list of hands nothing is
 */
export function swapScreen(text) {
  keepFocus();
  const before = currentKeys();
  const next = new DOMParser().parseFromString(text, "text/html");
  const news = next.getElementById("news");
  const screen = /** @type {HTMLElement} */ (document.getElementById("screen"));
  become(screen, /** @type {HTMLElement} */ (next.getElementById("screen")));
  if (news) sayNews(news.textContent ?? "");
  if (currentKeys() !== before) pauseTaps(true);
  htmx.process(screen);
  document.dispatchEvent(new CustomEvent("htmx:afterSwap"));
}

/** @param {?Element} control @returns {HTMLElement | null} what stands for it on the next screen */
function counterpartOf(control) {
  const like = ["href", "name", "value"].flatMap((attribute) => {
    const value = control?.getAttribute(attribute);
    return value == null ? [] : [`[${attribute}=${JSON.stringify(value)}]`];
  });
  return like.length ? document.querySelector(like.join("")) : null;
}

document.addEventListener("htmx:afterSwap", () => {
  /** @type {HTMLElement | null} */
  const question = document.querySelector(".sheet, [autofocus]");
  /** @type {?HTMLElement} */
  const news = document.querySelector("#screen .news");
  /** @type {?HTMLElement} */
  const title = document.querySelector(".agree h2, .ask");
  const isInNews = Boolean(focused?.closest(".news")); // which stay open
  const places = focused ? [counterpartOf(focused), isInNews ? news : null, title] : [];
  const next = places.find((place) => place?.getClientRects().length);
  if (question) question.focus();
  else next?.focus({ preventScroll: true });
});
