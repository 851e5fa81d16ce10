/**
 * A page hears at once that something has changed: a stream of server-sent events names the newest revision, and the
 * element that shows another one asks for itself anew. What is asked every few seconds anyway (`hx-trigger="every …"`)
 * is asked rarely while the stream stands, and as ever without one: nothing depends on it. A table's page, which phones
 * draw, does not say which revision it shows: it has the one at which it was last answered.
 *
 * A page that nobody sees has no stream: a browser keeps six connections to a server over HTTP/1.1, for all its pages.
 */

const RARELY = 20_000;
const SILENCE = 25_000; // the server says something every 15 seconds at least
const AWAKE = 1_000; // phones that wake at once come back each at a moment of its own within this
const REFUSED = [30_000, 60_000];

/** @type {EventSource | null} */
let stream = null;
let heardAt = 0;
let askedAt = Date.now();
let newest = "";
let opening = 0;
let asking = 0;

/** What was asked or sent last had no answer: a stream that a dead network has not cut yet seems to stand. */
let isUnanswered = false;

/** The revision that was the newest when the element was last asked for, and when it was answered. */
let askedFor = "";
let answered = "";

/** @returns {HTMLElement | null} what names the stream, and the revision that is shown where it is known */
const liveElement = () => document.querySelector("[data-live]");
/** @returns {HTMLElement | null} what shows the news */
const watchedPart = () => document.querySelector('[hx-trigger$=", live"]');
const isStanding = () => stream !== null && Date.now() - heardAt < SILENCE;
const isCurrent = () => (liveElement()?.dataset.revision ?? answered) === newest;

/** @param {number} least @param {number} most milliseconds */
function openWithin(least, most) {
  clearTimeout(opening);
  opening = setTimeout(open, least + Math.random() * (most - least));
}

function open() {
  close();
  heardAt = 0;
  const address = liveElement()?.dataset.live;
  if (!address || document.hidden) return;
  stream = new EventSource(address);
  stream.onmessage = hear;
  stream.onerror = () => {
    heardAt = 0;
    if (stream?.readyState === EventSource.CLOSED) openWithin(REFUSED[0], REFUSED[1]); // else it comes back by itself
  };
}

function close() {
  clearTimeout(opening);
  opening = 0;
  stream?.close();
  stream = null;
}

/** @param {MessageEvent<string>} news its data: seconds within which everybody asks, and to the next message */
function hear({ lastEventId, data }) {
  heardAt = Date.now();
  const [within, next] = data.split(" ").map((seconds) => Number(seconds) * 1_000);
  newest = lastEventId;
  document.dispatchEvent(new CustomEvent("live:heard", { detail: next }));
  if (!isCurrent() && !asking) asking = setTimeout(ask, Math.random() * within);
}

function ask() {
  asking = 0;
  const element = watchedPart();
  if (element && !isCurrent()) htmx.trigger(element, "live");
}

/** @returns {boolean} whether what is asked every few seconds can wait */
function canWait() {
  const isDoubtful = isUnanswered || document.body.classList.contains("away");
  if (isDoubtful || Date.now() - askedAt >= RARELY) return false;
  return document.hidden || (isStanding() && (isCurrent() || asking !== 0));
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig: { triggeringEvent } } = event.detail;
  if (elt !== watchedPart() || event.defaultPrevented) return;
  if (!triggeringEvent && canWait()) {
    event.preventDefault();
    return;
  }
  askedAt = Date.now();
  askedFor = newest;
  if (isStanding() || opening || stream?.readyState !== EventSource.OPEN) return;
  if (heardAt) openWithin(0, AWAKE); // it has fallen silent
  else openWithin(REFUSED[0], REFUSED[1]); // it never said anything: something on the way holds it back
});

document.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr: { status } } }) => {
  if (elt === watchedPart() && status >= 200 && status < 400) answered = askedFor;
});

for (const kind of /** @type {const} */ (["htmx:sendError", "htmx:timeout"])) {
  document.addEventListener(kind, () => { isUnanswered = true; });
}
document.addEventListener("htmx:afterOnLoad", () => { isUnanswered = false; });

document.addEventListener("visibilitychange", () => {
  if (document.hidden) close();
  else openWithin(0, AWAKE);
});
addEventListener("pagehide", close);
addEventListener("pageshow", ({ persisted }) => { if (persisted) openWithin(0, AWAKE); });

open();

export {};
