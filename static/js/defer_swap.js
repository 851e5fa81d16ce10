/** A page that brings itself up to date does not change under a finger: news wait until the tap is done. */

let isPressed = false;

document.addEventListener("pointerdown", () => {
  isPressed = true;
});

for (const end of ["pointerup", "pointercancel"]) {
  // The click follows the lifting of the finger: it still belongs to the tap.
  document.addEventListener(end, () => setTimeout(() => { isPressed = false; }));
}

// What is not swapped in now comes with the next question: the page still says that it has the old revision.
// What answers a form does not come again: only what was asked for with GET waits.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { elt, requestConfig } = event.detail;
  if (isPressed && requestConfig.verb === "get" && elt.matches("[hx-trigger^=every]")) event.detail.shouldSwap = false;
});
