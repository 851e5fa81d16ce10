/**
 * Codes that are shown one after the other: by themselves, unless somebody wants nothing to move, and by two buttons.
 * Without this script all of them stand below each other.
 */

const EACH = 1_500;
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {WeakMap<HTMLElement, AbortController>} */
const turning = new WeakMap();

/** @param {HTMLElement} pages whose list has changed, or is seen for the first time */
export function turnPages(pages) {
  stopTurning(pages);
  const stop = new AbortController();
  turning.set(pages, stop);
  const items = /** @type {HTMLElement[]} */ ([...pages.querySelectorAll("ol > li")]);
  const said = /** @type {HTMLElement} */ (pages.querySelector("[data-shown]"));
  let shown = 0;
  let isHeld = isStill.matches;

  /** @param {number} steps */
  const turn = (steps) => {
    shown = (shown + steps + items.length) % items.length;
    items.forEach((item, place) => { item.hidden = place !== shown; });
    const text = pages.dataset.one ?? "";
    said.textContent = text.replace("{number}", `${shown + 1}`).replace("{count}", `${items.length}`);
  };

  for (const button of /** @type {NodeListOf<HTMLElement>} */ (pages.querySelectorAll("[data-turn]"))) {
    button.hidden = items.length < 2;
    button.addEventListener("click", () => {
      isHeld = true; // whoever turns them by hand goes on by hand
      turn(Number(button.dataset.turn));
    }, stop);
  }
  const timer = setInterval(() => { if (!isHeld && items.length > 1) turn(1); }, EACH);
  stop.signal.addEventListener("abort", () => clearInterval(timer));
  if (items.length) turn(0);
}

/** @param {HTMLElement} pages */
export function stopTurning(pages) {
  turning.get(pages)?.abort();
}

for (const pages of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-pages]"))) {
  if (pages.querySelector("li")) turnPages(pages);
}
