/**
 * Clocks that tick by the server's time, whatever the device's own clock says.
 * Without this module they stand, and say whole minutes.
 */

const APART = 5 * 60_000; // a device of which somebody should look at the clock, or at that of the desk
const FLUTTER = 2_000; // the server's Date header says whole seconds, and takes a while to arrive

/** How far this device's clock is ahead, in milliseconds. */
let offset = 0;

/** Whether the server has said what time it is, since this page was opened. */
let isFresh = false;

/** @param {number} then what the server's clock said just now, in milliseconds */
export function synchronize(then) {
  const found = Date.now() - then;
  if (Math.abs(found - offset) > FLUTTER) offset = found;
}

/** @returns {number} the server's time in milliseconds */
export function serverTime() {
  return Date.now() - offset;
}

/** @param {number} time in milliseconds @param {string} [zone] @returns {string} 8:31 PM, 20 h 31, 20 h */
export function hourOf(time, zone) {
  /** @type {Intl.DateTimeFormatOptions} */
  const form = { hour: "numeric", minute: "2-digit", timeZone: zone };
  return new Intl.DateTimeFormat(document.documentElement.lang, form).format(time).replace(/(?<=h)\s00$/, "");
}

/** @param {number} seconds @returns {string} 4:30, 1:04:30 */
function formatDuration(seconds) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const inHours = minutes < 60 ? String(minutes) : `${Math.floor(minutes / 60)}:${two(minutes % 60)}`;
  return `${inHours}:${two(seconds % 60)}`;
}

/** @param {Element} element @param {string} text written only if it is another one */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {Element} clock whose count has ended: what follows is for the server to say */
function askOnce(clock) {
  clock.removeAttribute("data-ends");
  const screen = clock.closest("[hx-get]");
  if (screen) htmx.trigger(screen, "live");
}

function tick() {
  for (const clock of document.querySelectorAll("[data-ends]")) {
    const left = Math.ceil(Number(clock.getAttribute("data-ends")) - serverTime() / 1_000);
    clock.querySelector("[data-until]")?.toggleAttribute("hidden", left <= 0);
    const after = clock.matches("[data-after]") ? clock : clock.querySelector("[data-after]");
    after?.toggleAttribute("hidden", left > 0);
    const isCount = clock.hasAttribute("data-asks-then");
    for (const time of clock.querySelectorAll("b")) write(time, formatDuration(isCount ? Math.max(0, left) : Math.abs(left)));
    if (isCount && left <= 0) askOnce(clock);
  }
  for (const notice of document.querySelectorAll("[data-apart]")) {
    notice.toggleAttribute("hidden", !isFresh || Math.abs(offset) < APART);
  }
  for (const hour of document.querySelectorAll("[data-hour]")) {
    write(hour, hourOf(serverTime(), hour.getAttribute("data-hour") ?? undefined));
  }
}

document.addEventListener("htmx:afterOnLoad", (event) => {
  const then = Date.parse(event.detail.xhr.getResponseHeader("Date") ?? "");
  if (!then) return;
  synchronize(then);
  isFresh = true;
});
document.addEventListener("htmx:afterSwap", tick);

synchronize(Number(document.querySelector("[data-now]")?.getAttribute("data-now")) * 1_000 || Date.now());
tick();
setInterval(tick, 250);
