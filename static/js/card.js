/** The card of a table: the arrow keys turn to the next one, and the screen can be had as a whole. */

/** @type {Record<string, string>} */
const RELATIONS = { ArrowLeft: "prev", ArrowRight: "next", PageUp: "prev", PageDown: "next" };

document.addEventListener("keydown", (event) => {
  const relation = !event.altKey && !event.ctrlKey && !event.metaKey && RELATIONS[event.key];
  if (!relation) return;
  /** @type {HTMLAnchorElement | null} */
  const link = document.querySelector(`a[rel="${relation}"]`);
  link?.click();
});

const button = document.querySelector("[data-whole]");
if (!document.documentElement.requestFullscreen) button?.remove();
button?.addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
});
