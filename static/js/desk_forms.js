/**
 * Sends forms of the desk so that a lost response leaves the page with all typed values and a message beside the button.
 * The `key` of a form lets the server handle it once, however often it arrives. A redirect comes as an address in a header
 * (server/answers.py); for any other page, the browser submits the same form itself. So a form whose page is shown only
 * once, such as one with a new link, has `data-reload` and is left to the browser.
 */

import { isFromInstallation } from "./receipts.js";

const FORM_HEADER = "Charlemagne-Form";
const ADDRESS_HEADER = "Charlemagne-Address";
const TIMEOUT = 20_000; // a draw takes its time
const MIN_READING_TIME = 10_000;
const TOO_LARGE = 413; // of a limit before Django, or of a proxy
const DESK_PATH = /^\/(e\/[^/]+\/desk|match)(\/|$)/;
const { installation = "" } = document.documentElement.dataset;

/** The forms that the browser submits itself. @type {WeakSet<HTMLFormElement>} */
const browserForms = new WeakSet();

/** @typedef {HTMLButtonElement | HTMLInputElement | null} Submitter */

/** @param {HTMLFormElement} form @returns {boolean} whether this script sends it */
function isSentByScript(form) {
  const { pathname } = new URL(form.getAttribute("action") || location.href, location.href);
  return DESK_PATH.test(pathname) && form.method === "post" && form.elements.namedItem("key") !== null
    && !("reload" in form.dataset) && !browserForms.has(form);
}

/** @param {HTMLFormElement} form @param {Submitter} submitter @param {number} [status] of the response, if there was one */
function showFailure(form, submitter, status) {
  const { message: lost = "", large = "", retry = "" } = document.getElementById("not-through")?.dataset ?? {};
  const message = status === TOO_LARGE ? large : lost;
  const notice = Object.assign(document.createElement("div"), { className: "unsent", role: "alert" });
  const sentence = Object.assign(document.createElement("p"), { textContent: message });
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: retry });
  button.addEventListener("click", () => {
    notice.remove();
    if (submitter) submitter.click(); // htmx uses the button that was clicked last
    else form.requestSubmit();
  });
  notice.append(sentence, button);
  form.querySelector(".unsent")?.remove();
  form.append(notice);
}

/**
 * @param {HTMLFormElement} form @param {Submitter} submitter
 * @returns {Promise<?Response>} null: no response, of anybody
 */
async function postForm(form, submitter) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT);
  const body = new FormData(form);
  if (submitter?.name) body.append(submitter.name, submitter.value);
  const address = submitter?.getAttribute("formaction") || form.getAttribute("action") || location.href;
  try {
    return await fetch(address, {
      method: "POST", body, headers: { [FORM_HEADER]: "1" }, redirect: "manual", cache: "no-store", signal: controller.signal,
    });
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** @param {string} address */
function openAddress(address) {
  const { href, hash } = new URL(address, location.href);
  if (href.split("#")[0] !== location.href.split("#")[0]) return location.assign(href);
  if (!hash) return location.replace(href); // reloading would submit the form that led here again
  history.replaceState(null, "", href);
  location.reload();
}

/** @param {HTMLFormElement} form @param {Submitter} submitter */
async function sendForm(form, submitter) {
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  form.querySelector(".unsent")?.remove();
  const response = await postForm(form, submitter);
  form.ariaBusy = null;
  if (!response || response.status >= 500 || !isFromInstallation(response.headers, installation)) {
    return showFailure(form, submitter, response?.status);
  }
  const address = response.headers.get(ADDRESS_HEADER);
  if (address) return openAddress(address);
  browserForms.add(form);
  form.requestSubmit(submitter);
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || !isSentByScript(form)) return;
  event.preventDefault();
  sendForm(form, /** @type {Submitter} */ (event.submitter));
});

/** @param {CustomEvent<HtmxDetail>} event of a form that htmx failed to send */
function handleFailure({ detail: { elt, xhr, requestConfig: { triggeringEvent } } }) {
  if (!(elt instanceof HTMLFormElement) || triggeringEvent?.type !== "submit") return;
  showFailure(elt, /** @type {Submitter} */ (/** @type {SubmitEvent} */ (triggeringEvent).submitter), xhr.status);
}

document.addEventListener("htmx:sendError", handleFailure);
document.addEventListener("htmx:timeout", handleFailure);
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (event.detail.xhr.status >= 500) handleFailure(event);
});

// A poll does not replace a form that is being sent or has failed, nor a refusal that was not on the page long enough to
// be read.
const openedAt = Date.now();
document.addEventListener("htmx:beforeSwap", (event) => {
  const { elt, requestConfig } = event.detail;
  if (!elt.matches("[hx-trigger^=every]") || requestConfig.verb !== "get") return; // the response to a form is always shown
  const isUnreadRefusal = Date.now() - openedAt < MIN_READING_TIME && elt.querySelector("[role=alert]");
  if (isUnreadRefusal || elt.querySelector("[aria-busy=true], .unsent")) event.detail.shouldSwap = false;
});
