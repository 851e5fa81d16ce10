/**
 * Updates a page at once after a change: a stream of server-sent events has the newest revision, and the element that shows
 * another one is requested again. Polls are rare while the stream is alive. A hidden page has no stream: over HTTP/1.1,
 * browsers open six connections to a server.
 */

const POLL_INTERVAL = 20_000;
const MAX_SILENCE = 25_000; // milliseconds; the server sends a message every 15 seconds at least
const MAX_WAKE_DELAY = 1_000; // milliseconds; phones that wake at once reconnect at random times
const RETRY_DELAYS = /** @type {const} */ ([30_000, 60_000]);

/** @type {EventSource | null} */
let stream = null;
let lastMessageAt = 0;
let lastRequestAt = Date.now();
let newestRevision = "";
let openTimer = 0;
let requestTimer = 0;

/** Whether the last request had no response: the stream may seem alive on a dead network. */
let isUnanswered = false;

/** The newest revision at the last request and at the last response. */
let requestedRevision = "";
let answeredRevision = "";

/** @returns {HTMLElement | null} the element with the address of the stream and, if known, the shown revision */
const findLiveElement = () => document.querySelector("[data-live]");
/** @returns {HTMLElement | null} the element that is updated */
const findUpdatedElement = () => document.querySelector('[hx-trigger$=", live"]');
const isStreamAlive = () => stream !== null && Date.now() - lastMessageAt < MAX_SILENCE;
const isCurrent = () => (findLiveElement()?.dataset.revision ?? answeredRevision) === newestRevision;

/** @param {number} least @param {number} most milliseconds */
function scheduleOpen(least, most) {
  clearTimeout(openTimer);
  openTimer = setTimeout(openStream, least + Math.random() * (most - least));
}

function openStream() {
  closeStream();
  lastMessageAt = 0;
  const address = findLiveElement()?.dataset.live;
  if (!address || document.hidden) return;
  stream = new EventSource(address);
  stream.onmessage = handleMessage;
  stream.onerror = () => {
    lastMessageAt = 0;
    if (stream?.readyState === EventSource.CLOSED) scheduleOpen(...RETRY_DELAYS); // else the browser reconnects
  };
}

function closeStream() {
  clearTimeout(openTimer);
  openTimer = 0;
  stream?.close();
  stream = null;
}

/** @param {MessageEvent<string>} news its data: the seconds within which to request the update, and those to the next message */
function handleMessage({ lastEventId, data }) {
  lastMessageAt = Date.now();
  const [within, next] = data.split(" ").map((seconds) => Number(seconds) * 1_000);
  newestRevision = lastEventId;
  document.dispatchEvent(new CustomEvent("live:heard", { detail: next }));
  if (!isCurrent() && !requestTimer) requestTimer = setTimeout(requestUpdate, Math.random() * within);
}

function requestUpdate() {
  requestTimer = 0;
  const element = findUpdatedElement();
  if (element && !isCurrent()) htmx.trigger(element, "live");
}

/** @returns {boolean} whether a poll can be skipped */
function canSkipPoll() {
  const isLate = Date.now() - lastRequestAt >= POLL_INTERVAL;
  if (isLate || isUnanswered || document.body.classList.contains("offline")) return false;
  return document.hidden || (isStreamAlive() && (isCurrent() || requestTimer !== 0));
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig: { triggeringEvent } } = event.detail;
  if (elt !== findUpdatedElement() || event.defaultPrevented) return;
  if (!triggeringEvent && canSkipPoll()) return event.preventDefault();
  lastRequestAt = Date.now();
  requestedRevision = newestRevision;
  if (isStreamAlive() || openTimer || stream?.readyState !== EventSource.OPEN) return;
  if (lastMessageAt) scheduleOpen(0, MAX_WAKE_DELAY); // it stopped sending
  else scheduleOpen(...RETRY_DELAYS); // it never sent anything: a proxy buffers it
});

document.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr: { status } } }) => {
  if (elt === findUpdatedElement() && status >= 200 && status < 400) answeredRevision = requestedRevision;
});

for (const kind of /** @type {const} */ (["htmx:sendError", "htmx:timeout"])) {
  document.addEventListener(kind, () => { isUnanswered = true; });
}
document.addEventListener("htmx:afterOnLoad", () => { isUnanswered = false; });

document.addEventListener("visibilitychange", () => {
  if (document.hidden) closeStream();
  else scheduleOpen(0, MAX_WAKE_DELAY);
});
addEventListener("pagehide", closeStream);
addEventListener("pageshow", ({ persisted }) => { if (persisted) scheduleOpen(0, MAX_WAKE_DELAY); });

openStream();

export {};
