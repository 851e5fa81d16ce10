/**
 * The table screen, where scripts run: nothing moves under the finger, what a tap met on its way is said, and a
 * hand goes again until it is answered. Without this module everything works, by plain links and forms.
 */

import { forget, keep, waiting } from "./unsent.js";

const ASK_AGAIN = 3_000; // as often as the page looks for news

/** @returns {boolean} whether somebody is in the middle of something: a step or a question, a tap, a word */
function isMarking() {
  const fields = [...document.querySelectorAll("#screen input:not([type=hidden])")];
  return document.querySelector(".step:target, .sheet, .sending, .waiting") !== null
    || fields.some((field) => field.value !== field.defaultValue);
}

/** @param {CustomEvent} event @returns {boolean} whether it is the page looking for news, not a tap */
function isLookingForNews(event) {
  return event.detail.requestConfig?.verb === "get" && event.detail.elt?.id === "screen";
}

/** @param {string} id of a notice @param {boolean} isSaid */
function say(id, isSaid) {
  document.getElementById(id)?.toggleAttribute("hidden", !isSaid);
}

/** While a hand waits to be sent, its key stays filled and nothing else can be marked. */
function showWaiting() {
  const hand = waiting();
  document.body.classList.toggle("waiting", hand !== null);
  say("to-send", hand !== null);
  for (const part of document.querySelectorAll("#main > :not(.notice)")) part.inert = hand !== null;
  for (const key of document.querySelectorAll('[name="said"]')) {
    key.classList.toggle("filled", key.value === hand?.values.said);
  }
}

/** Sends the hand that waits. A form's token may be older than the page's, which is taken instead. */
function sendAgain() {
  const hand = waiting();
  if (hand === null || document.body.matches(".sending")) return;
  const token = document.querySelector("[name=csrfmiddlewaretoken]");
  const values = token ? { ...hand.values, csrfmiddlewaretoken: token.value } : hand.values;
  const how = { source: "#screen", target: "#screen", swap: "outerHTML show:none", values };
  htmx.ajax("POST", hand.path, how).catch(() => {}); // without an answer the hand waits on
}

/**
 * @param {Element | null} control
 * @returns {Element | null} what stands for it on the next screen, for whoever goes by keyboard
 */
function sameAgain(control) {
  const like = ["href", "name", "value"].flatMap((name) => {
    const value = control?.getAttribute(name);
    return value == null ? [] : [`[${name}=${JSON.stringify(value)}]`];
  });
  return like.length ? document.querySelector(like.join("")) : null;
}

// The keys lie outside the form they belong to, where htmx does not notice which one was pressed.
document.addEventListener("htmx:configRequest", (event) => {
  const key = event.detail.triggeringEvent?.submitter;
  if (key?.name) event.detail.parameters[key.name] = key.value;
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!isLookingForNews(event)) document.body.classList.add("sending");
  else if (isMarking() || document.hidden) event.preventDefault();
});

document.addEventListener("htmx:beforeSend", (event) => {
  const { path, parameters } = event.detail.requestConfig;
  if (parameters.entry_key) keep({ path, values: { ...parameters } });
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (isLookingForNews(event)) return;
  document.body.classList.remove("sending");
  const { requestConfig, xhr } = event.detail;
  const isAnswered = xhr.status >= 200 && xhr.status < 500;
  if (!requestConfig.parameters.entry_key) return say("not-sent", !isAnswered);
  if (isAnswered) forget();
  showWaiting();
});

/** @type {Element | null} */
let focused = null;

document.addEventListener("htmx:beforeSwap", (event) => {
  const isNoNews = isMarking() || event.detail.xhr.status >= 400;
  if (isLookingForNews(event) && isNoNews) event.detail.shouldSwap = false;
  focused = document.activeElement === document.body ? null : document.activeElement;
});

document.addEventListener("htmx:afterSwap", () => {
  const asked = document.querySelector(".sheet, [autofocus]");
  const places = focused ? [sameAgain(focused), document.querySelector(".agree h2, .ask")] : [];
  const next = places.find((place) => place?.getClientRects().length);
  if (asked) asked.focus();
  else next?.focus({ preventScroll: true });
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-drop]")) return;
  forget();
  showWaiting();
});
addEventListener("online", sendAgain);
setInterval(sendAgain, ASK_AGAIN);
showWaiting();
sendAgain();
