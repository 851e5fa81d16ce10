/**
 * Shows QR codes one after the other, by two buttons and, unless reduced motion is preferred, automatically. Without this
 * script they are listed one below the other.
 */

const PAGE_DURATION = 1_500;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {WeakMap<HTMLElement, AbortController>} */
const turningPages = new WeakMap();

/** @param {HTMLElement} pages whose list is new or has changed */
export function turnPages(pages) {
  stopTurning(pages);
  const controller = new AbortController();
  turningPages.set(pages, controller);
  const items = /** @type {HTMLElement[]} */ ([...pages.querySelectorAll("ol > li")]);
  const label = /** @type {HTMLElement} */ (pages.querySelector("[data-shown]"));
  let shown = 0;
  let isPaused = reducedMotion.matches;

  /** @param {number} steps */
  const showPage = (steps) => {
    shown = (shown + steps + items.length) % items.length;
    items.forEach((item, place) => { item.hidden = place !== shown; });
    const text = pages.dataset.one ?? "";
    label.textContent = text.replace("{number}", `${shown + 1}`).replace("{count}", `${items.length}`);
  };

  for (const button of /** @type {NodeListOf<HTMLElement>} */ (pages.querySelectorAll("[data-turn]"))) {
    button.hidden = items.length < 2;
    button.addEventListener("click", () => {
      isPaused = true; // turning by hand ends automatic turning
      showPage(Number(button.dataset.turn));
    }, controller);
  }
  const timer = setInterval(() => { if (!isPaused && items.length > 1) showPage(1); }, PAGE_DURATION);
  controller.signal.addEventListener("abort", () => clearInterval(timer));
  if (items.length) showPage(0);
}

/** @param {HTMLElement} pages */
export function stopTurning(pages) {
  turningPages.get(pages)?.abort();
}

for (const pages of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-pages]"))) {
  if (pages.querySelector("li")) turnPages(pages);
}
