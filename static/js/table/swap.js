/** Replaces the screen of a table: never under a finger, and with the keyboard focus restored. */

import { pauseTaps } from "../taps.js";

const CLICK_DELAY = 50; // milliseconds after the release, at most, on a slow phone
const MAX_TAP_DURATION = 1_000; // milliseconds; a release outside the window is not noticed

/** @returns {boolean} whether a step or a question is open, a tap is being sent, or a field was changed */
export function isMarking() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll("#screen input:not([type=hidden])");
  return document.querySelector("#screen .step:target, .sheet, .sending") !== null
    || [...fields].some((field) => field.value !== field.defaultValue);
}

/** @param {CustomEvent<HtmxDetail>} event @returns {boolean} whether it is a poll, not a tap */
export function isNewsRequest(event) {
  return event.detail.requestConfig?.verb === "get" && event.detail.elt?.id === "screen";
}

let isPressed = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let releaseTimer;
/** @type {Set<() => void>} */
const waitingActions = new Set();

/**
 * Runs an action once no finger is on the page: a tap would be lost if the screen changed between press and release.
 *
 * @param {() => void} action run at once, or after the release and its click
 */
export function runOnceReleased(action) {
  if (isPressed) waitingActions.add(action);
  else action();
}

function runWaitingActions() {
  isPressed = false;
  const actions = [...waitingActions];
  waitingActions.clear();
  for (const action of actions) action();
}

/** @param {number} pause in milliseconds */
function scheduleRelease(pause) {
  clearTimeout(releaseTimer);
  releaseTimer = setTimeout(runWaitingActions, pause);
}

document.addEventListener("pointerdown", () => {
  isPressed = true;
  scheduleRelease(MAX_TAP_DURATION);
}, true);
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => scheduleRelease(CLICK_DELAY), true);
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!isNewsRequest(event)) document.body.classList.add("sending");
  else if (document.hidden || (isMarking() && !("drawn" in document.body.dataset))) event.preventDefault();
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!isNewsRequest(event)) document.body.classList.remove("sending");
});

/** @type {?Element} */
let focusedElement = null;

export function saveFocus() {
  focusedElement = document.activeElement === document.body ? null : document.activeElement;
}

/** @param {string} text announced unless it is already */
function announceNews(text) {
  const news = document.getElementById("news");
  if (news && news.textContent !== text) news.textContent = text;
}

/** @param {Element} element stays in the page, since a response for it may be on its way @param {Element} next */
function replaceContent(element, next) {
  for (const name of element.getAttributeNames()) if (!next.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of next.attributes) element.setAttribute(name, value);
  element.replaceChildren(...next.childNodes);
}

/** @returns {string} differs if a tap at the same place would do something else */
function describeKeys() {
  const screen = /** @type {HTMLElement} */ (document.getElementById("screen"));
  /** @type {NodeListOf<HTMLButtonElement>} */
  const agreements = screen.querySelectorAll(".agree button.key");
  const kind = screen.querySelector(":is(.play, .agree, .onlooker, .move)")?.className;
  return [kind, screen.dataset.number, ...[...agreements].map(({ value }) => value)].join();
}

/**
 * Replaces the screen like htmx, but without comparing both screens, which is slow on an old phone.
 *
 * @param {string} text of the next screen, and of its news, which the list of hands does not have
 */
export function swapScreen(text) {
  saveFocus();
  const before = describeKeys();
  const next = new DOMParser().parseFromString(text, "text/html");
  const news = next.getElementById("news");
  const screen = /** @type {HTMLElement} */ (document.getElementById("screen"));
  replaceContent(screen, /** @type {HTMLElement} */ (next.getElementById("screen")));
  if (news) announceNews(news.textContent ?? "");
  if (describeKeys() !== before) pauseTaps(true);
  htmx.process(screen);
  document.dispatchEvent(new CustomEvent("htmx:afterSwap"));
}

/** @param {?Element} control @returns {HTMLElement | null} the same control on the next screen */
function findCounterpart(control) {
  const selectors = ["href", "name", "value"].flatMap((attribute) => {
    const value = control?.getAttribute(attribute);
    return value == null ? [] : [`[${attribute}=${JSON.stringify(value)}]`];
  });
  return selectors.length ? document.querySelector(selectors.join("")) : null;
}

document.addEventListener("htmx:afterSwap", () => {
  /** @type {HTMLElement | null} */
  const question = document.querySelector(".sheet, [autofocus]");
  /** @type {?HTMLElement} */
  const news = document.querySelector("#screen .news");
  /** @type {?HTMLElement} */
  const title = document.querySelector(".agree h2, .step-title");
  const isInNews = Boolean(focusedElement?.closest(".news")); // the news stay open
  const places = focusedElement ? [findCounterpart(focusedElement), isInNews ? news : null, title] : [];
  const next = places.find((place) => place?.getClientRects().length);
  if (question) question.focus();
  else next?.focus({ preventScroll: true });
});
