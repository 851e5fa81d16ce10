/** Turns table cards with the arrow keys, and shows them in full screen. */

/** @type {Record<string, string>} */
const RELATIONS = { ArrowLeft: "prev", ArrowRight: "next", PageUp: "prev", PageDown: "next" };

document.addEventListener("keydown", (event) => {
  const relation = !event.altKey && !event.ctrlKey && !event.metaKey && RELATIONS[event.key];
  if (!relation) return;
  /** @type {HTMLAnchorElement | null} */
  const link = document.querySelector(`a[rel="${relation}"]`);
  link?.click();
});

const button = document.querySelector("[data-full-screen]");
if (!document.documentElement.requestFullscreen) button?.remove();
button?.addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
});
