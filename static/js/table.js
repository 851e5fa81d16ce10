/**
 * The table screen, where scripts run: nothing moves under the finger, what a tap met on its way is said, and what
 * was answered to a hand is shown. Without this module everything works, by plain links and forms.
 */

/** @returns {boolean} whether somebody is in the middle of something: a step or a question, a tap, a word */
function isMarking() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll("#screen input:not([type=hidden])");
  return document.querySelector(".step:target, .sheet, .sending, .waiting") !== null
    || [...fields].some((field) => field.value !== field.defaultValue);
}

/** @param {CustomEvent<HtmxDetail>} event @returns {boolean} whether it is the page looking for news, not a tap */
function isLookingForNews(event) {
  return event.detail.requestConfig?.verb === "get" && event.detail.elt?.id === "screen";
}

/**
 * @param {Element | null} control
 * @returns {HTMLElement | null} what stands for it on the next screen, for whoever goes by keyboard
 */
function counterpartOf(control) {
  const like = ["href", "name", "value"].flatMap((name) => {
    const value = control?.getAttribute(name);
    return value == null ? [] : [`[${name}=${JSON.stringify(value)}]`];
  });
  return like.length ? document.querySelector(like.join("")) : null;
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!isLookingForNews(event)) document.body.classList.add("sending");
  else if (isMarking() || document.hidden) event.preventDefault();
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!isLookingForNews(event)) document.body.classList.remove("sending");
});

/** @type {Element | null} */
let focusedControl = null;

function keepFocus() {
  focusedControl = document.activeElement === document.body ? null : document.activeElement;
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const isNoNews = isMarking() || event.detail.xhr.status >= 400;
  if (isLookingForNews(event) && isNoNews) event.detail.shouldSwap = false;
  keepFocus();
});

document.addEventListener("htmx:afterSwap", () => {
  /** @type {HTMLElement | null} */
  const question = document.querySelector(".sheet, [autofocus]");
  /** @type {(HTMLElement | null)[]} */
  const places = focusedControl ? [counterpartOf(focusedControl), document.querySelector(".agree h2, .ask")] : [];
  const next = places.find((place) => place?.getClientRects().length);
  if (question) question.focus();
  else next?.focus({ preventScroll: true });
});

// While a hand waits to be sent, its key stays filled.
document.addEventListener("outbox:changed", ({ detail: hand }) => {
  for (const key of document.querySelectorAll('[name="said"]')) {
    key.classList.toggle("filled", key.getAttribute("value") === hand?.values.said);
  }
});

document.addEventListener("outbox:answer", (event) => {
  const { hand, text } = event.detail;
  if (!text.includes('id="screen"')) { // the table is no more: the next news tell
    location.hash = "lanes";
    return;
  }
  event.preventDefault();
  keepFocus();
  history.replaceState(null, "", hand.path);
  htmx.swap("#screen", text, { swapStyle: "outerHTML" });
  if (hand.values.said && !document.querySelector(".sheet")) scrollTo(0, 0);
});
