/**
 * Lets a tap count once, and only on the intended control: a tapped button stays filled while it is being sent, and for half
 * a second after each change of the screen its controls are inactive. So a double tap, or a tap during an update, hits no
 * button that the player has not seen.
 */

const TAP_PAUSE = 500; // milliseconds after a change by this phone: longer than a double tap
const NEWS_PAUSE = 1_000; // milliseconds after an update

let pauseCount = 0;

/** Pauses taps from the moment the change is visible. @param {boolean} [isNews] whether it was an update */
export function pauseTaps(isNews = false) {
  pauseCount += 1;
  const pauseNumber = pauseCount;
  const resume = () => { if (pauseNumber === pauseCount) document.body.classList.remove("paused"); };
  document.body.classList.add("paused");
  requestAnimationFrame(() => setTimeout(resume, isNews ? NEWS_PAUSE : TAP_PAUSE));
}

/** @type {?Element} */
let tappedButton = null;

document.addEventListener("submit", ({ submitter }) => {
  tappedButton?.classList.remove("tapped");
  tappedButton = submitter;
  tappedButton?.classList.add("tapped");
});

document.addEventListener("click", (event) => {
  const control = event.target instanceof Element ? event.target.closest("#screen :is(a, button)") : null;
  if (!control) return;
  const isByKeyboard = event.detail === 0; // which acts on the focused control, wherever it is
  if (document.body.matches(isByKeyboard ? ".sending, .starting" : ".sending, .paused, .starting")) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else pauseTaps();
}, true);

// Focused news open over the buttons.
document.addEventListener("focusin", ({ target, relatedTarget }) => {
  const news = target instanceof Element ? target.closest("#screen .news") : null;
  if (news && !(relatedTarget instanceof Node && news.contains(relatedTarget))) pauseTaps();
});

addEventListener("hashchange", () => pauseTaps());

// Turning the phone or enlarging its text changes the screen.
const measuredElement = document.getElementById("news");
let isMeasured = false;
if (measuredElement) {
  new ResizeObserver(() => {
    if (isMeasured) pauseTaps(true);
    isMeasured = true;
  }).observe(measuredElement);
}

// Screen readers announce a change once.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  if (target.textContent === fragment.textContent) event.detail.shouldSwap = false;
});
