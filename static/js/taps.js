/**
 * A tap counts once, and only on what the finger meant: what was tapped stays filled while it is on its way, and for half
 * a second after each change of the screen its controls hear nothing. A finger that taps twice, or that was on its way
 * when the news came, so meets no key that it has not seen.
 */

const PAUSE = 500; // milliseconds after what this phone did: the second half of a double tap comes sooner
const NEWS_PAUSE = 1_000; // and after what nobody here did

let pauses = 0;

/** Counted from when the change is seen: a slow phone draws late. @param {boolean} [isNews] the screen changed by itself */
export function pauseTaps(isNews = false) {
  pauses += 1;
  const last = pauses;
  const resume = () => { if (last === pauses) document.body.classList.remove("paused"); };
  document.body.classList.add("paused");
  requestAnimationFrame(() => setTimeout(resume, isNews ? NEWS_PAUSE : PAUSE));
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
  const isByKeyboard = event.detail === 0; // which means what has the focus, wherever it is
  if (document.body.matches(isByKeyboard ? ".sending, .starting" : ".sending, .paused, .starting")) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else pauseTaps();
}, true);

// The news open over the keys once they have the focus.
document.addEventListener("focusin", ({ target, relatedTarget }) => {
  const news = target instanceof Element ? target.closest("#screen .news") : null;
  if (news && !(relatedTarget instanceof Node && news.contains(relatedTarget))) pauseTaps();
});

addEventListener("hashchange", () => pauseTaps());

// A screen that is turned, or whose text grows, is another one.
const measure = document.getElementById("news");
let isMeasured = false;
if (measure) {
  new ResizeObserver(() => {
    if (isMeasured) pauseTaps(true);
    isMeasured = true;
  }).observe(measure);
}

// What has changed is said once to whoever hears the page.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  if (target.textContent === fragment.textContent) event.detail.shouldSwap = false;
});
