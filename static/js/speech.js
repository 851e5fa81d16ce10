/**
 * Speaks with the browser's own voice, in the page's language. A button with a selector in `data-read-aloud` reads the
 * `data-spoken` of each such element, and stops when it is tapped again.
 */

/** @param {string} text queued after the current speech */
export function speak(text) {
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = document.documentElement.lang;
  speechSynthesis.speak(utterance);
}

/** @param {?Element} element @returns {string} its text on one line */
export function getText(element) {
  return element?.textContent?.replace(/\s+/g, " ").trim() ?? "";
}

document.addEventListener("click", ({ target }) => {
  const selector = target instanceof Element ? target.closest("[data-read-aloud]")?.getAttribute("data-read-aloud") : null;
  if (!selector) return;
  const isReading = speechSynthesis.speaking;
  speechSynthesis.cancel();
  if (isReading) return;
  for (const line of document.querySelectorAll(selector)) speak(line.getAttribute("data-spoken") ?? "");
});
