/**
 * Updates clocks by the server's time, independently of the clock of the device. Without this module they show whole
 * minutes and do not tick.
 */

const MAX_OFFSET = 5 * 60_000; // milliseconds; beyond it, the clock of the device or of the desk is wrong
const MIN_CORRECTION = 2_000; // milliseconds; the server's Date header has whole seconds, and takes a while to arrive

/** By how many milliseconds this device's clock is ahead. */
let offset = 0;

/** Whether a response has brought the server's time since this page was opened. */
let isSynchronized = false;

/** @param {number} serverNow the current time of the server, in milliseconds */
export function synchronize(serverNow) {
  const newOffset = Date.now() - serverNow;
  if (Math.abs(newOffset - offset) > MIN_CORRECTION) offset = newOffset;
}

/** @returns {number} the server's time in milliseconds */
export function getServerTime() {
  return Date.now() - offset;
}

/** @param {number} time in milliseconds @param {string} [zone] @returns {string} 8:31 PM, 20 h 31, 20 h */
export function formatTime(time, zone) {
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { hour: "numeric", minute: "2-digit", timeZone: zone };
  return new Intl.DateTimeFormat(document.documentElement.lang, options).format(time).replace(/(?<=h)\s00$/, "");
}

/** @param {number} seconds @returns {string} 4:30, 1:04:30 */
function formatDuration(seconds) {
  const padTwoDigits = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const hoursAndMinutes = minutes < 60 ? String(minutes) : `${Math.floor(minutes / 60)}:${padTwoDigits(minutes % 60)}`;
  return `${hoursAndMinutes}:${padTwoDigits(seconds % 60)}`;
}

/** @param {Element} element @param {string} text written only if it changes */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {Element} clock whose countdown has ended: the server decides what follows */
function requestOnce(clock) {
  clock.removeAttribute("data-ends");
  const screen = clock.closest("[hx-get]");
  if (screen) htmx.trigger(screen, "live");
}

function tick() {
  for (const clock of document.querySelectorAll("[data-ends]")) {
    const left = Math.ceil(Number(clock.getAttribute("data-ends")) - getServerTime() / 1_000);
    clock.querySelector("[data-until]")?.toggleAttribute("hidden", left <= 0);
    const after = clock.matches("[data-after]") ? clock : clock.querySelector("[data-after]");
    after?.toggleAttribute("hidden", left > 0);
    const isCount = clock.hasAttribute("data-request");
    for (const time of clock.querySelectorAll("b")) setText(time, formatDuration(isCount ? Math.max(0, left) : Math.abs(left)));
    if (isCount && left <= 0) requestOnce(clock);
  }
  for (const notice of document.querySelectorAll("[data-clock-drift]")) {
    notice.toggleAttribute("hidden", !isSynchronized || Math.abs(offset) < MAX_OFFSET);
  }
  for (const hour of document.querySelectorAll("[data-hour]")) {
    setText(hour, formatTime(getServerTime(), hour.getAttribute("data-hour") ?? undefined));
  }
}

document.addEventListener("htmx:afterOnLoad", (event) => {
  const then = Date.parse(event.detail.xhr.getResponseHeader("Date") ?? "");
  if (!then) return;
  synchronize(then);
  isSynchronized = true;
});
document.addEventListener("htmx:afterSwap", tick);

synchronize(Number(document.querySelector("[data-now]")?.getAttribute("data-now")) * 1_000 || Date.now());
tick();
setInterval(tick, 250);
