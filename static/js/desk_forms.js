/**
 * A form of the desk that had no answer leaves its page as it is, with all that was typed, and says so beside its
 * button. Its `key` lets the server do it once, however often it comes. An answer that leads elsewhere names the
 * address (server/answers.py); any other one is a page, for which the browser sends the same form itself. So a form
 * whose page is shown once, such as one with a new link, is the browser's alone, and says so: `data-shown-once`.
 */

import { isOurs } from "./answers.js";

const FORM = "Charlemagne-Form";
const ADDRESS = "Charlemagne-Address";
const PATIENCE = 20_000; // a draw takes its time
const TO_READ = 10_000;
const OF_A_DESK = /^\/(e\/[^/]+\/desk|match)(\/|$)/;
const { installation = "" } = document.documentElement.dataset;

/** Those that the browser sends itself. @type {WeakSet<HTMLFormElement>} */
const forTheBrowser = new WeakSet();

/** @typedef {HTMLButtonElement | HTMLInputElement | null} Submitter */

/** @param {HTMLFormElement} form @returns {boolean} whether it is sent by this script, which can send it again */
function isSentHere(form) {
  const { pathname } = new URL(form.getAttribute("action") || location.href, location.href);
  return OF_A_DESK.test(pathname) && form.method === "post" && form.elements.namedItem("key") !== null
    && !("shownOnce" in form.dataset) && !forTheBrowser.has(form);
}

/** @param {HTMLFormElement} form @param {Submitter} submitter */
function sayNotThrough(form, submitter) {
  const { said = "", again = "" } = document.getElementById("not-through")?.dataset ?? {};
  const notice = Object.assign(document.createElement("div"), { className: "not-through", role: "alert" });
  const sentence = Object.assign(document.createElement("p"), { textContent: said });
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: again });
  button.addEventListener("click", () => {
    notice.remove();
    if (submitter) submitter.click(); // htmx goes by what was clicked last
    else form.requestSubmit();
  });
  notice.append(sentence, button);
  form.querySelector(".not-through")?.remove();
  form.append(notice);
}

/** @param {HTMLFormElement} form @param {Submitter} submitter @returns {Promise<?Response>} null: no answer of ours */
async function post(form, submitter) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  const body = new FormData(form);
  if (submitter?.name) body.append(submitter.name, submitter.value);
  const address = submitter?.getAttribute("formaction") || form.getAttribute("action") || location.href;
  try {
    const response = await fetch(address, {
      method: "POST", body, headers: { [FORM]: "1" }, redirect: "manual", cache: "no-store", signal: patience.signal,
    });
    return isOurs(response.headers, installation) && response.status < 500 ? response : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** @param {string} address */
function goTo(address) {
  const { href, hash } = new URL(address, location.href);
  const withoutHash = (/** @type {string} */ each) => each.split("#")[0];
  if (withoutHash(href) !== withoutHash(location.href)) return location.assign(href);
  if (!hash) return location.replace(href); // to load it again would send again the form that led here
  history.replaceState(null, "", href);
  location.reload();
}

/** @param {HTMLFormElement} form @param {Submitter} submitter */
async function send(form, submitter) {
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  form.querySelector(".not-through")?.remove();
  const response = await post(form, submitter);
  form.ariaBusy = null;
  const address = response?.headers.get(ADDRESS);
  if (!response) return sayNotThrough(form, submitter);
  if (address) return goTo(address);
  forTheBrowser.add(form);
  form.requestSubmit(submitter);
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || !isSentHere(form)) return;
  event.preventDefault();
  send(form, /** @type {Submitter} */ (event.submitter));
});

/** @param {CustomEvent<HtmxDetail>} event of a form that htmx has sent */
function hearOfLost({ detail: { elt, requestConfig: { triggeringEvent } } }) {
  if (!(elt instanceof HTMLFormElement) || triggeringEvent?.type !== "submit") return;
  sayNotThrough(elt, /** @type {Submitter} */ (/** @type {SubmitEvent} */ (triggeringEvent).submitter));
}

document.addEventListener("htmx:sendError", hearOfLost);
document.addEventListener("htmx:timeout", hearOfLost);
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (event.detail.xhr.status >= 500) hearOfLost(event);
});

// What is on its way, or not through, is not swapped away with its form by the page that looks for news; nor is a
// refusal that nobody has had the time to read.
const openedAt = Date.now();
document.addEventListener("htmx:beforeSwap", (event) => {
  const { elt, requestConfig } = event.detail;
  if (!elt.matches("[hx-trigger^=every]") || requestConfig.verb !== "get") return; // an answer to a form is no news
  const isUnread = Date.now() - openedAt < TO_READ && elt.querySelector("[role=alert]");
  if (isUnread || elt.querySelector("[aria-busy=true], .not-through")) event.detail.shouldSwap = false;
});
