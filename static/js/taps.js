/**
 * One tap at a time: what was tapped stays filled while it is on its way, and until that is answered nothing else
 * on the screen can be tapped. What has changed is said once to whoever hears the page.
 */

/** @type {?Element} */
let tappedButton = null;

document.addEventListener("submit", ({ submitter }) => {
  tappedButton?.classList.remove("tapped");
  tappedButton = submitter;
  tappedButton?.classList.add("tapped");
});

document.addEventListener("click", (event) => {
  const isOnScreen = event.target instanceof Element && event.target.closest("#screen");
  if (!document.body.matches(".sending") || !isOnScreen) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  if (target.textContent === fragment.textContent) event.detail.shouldSwap = false;
});
