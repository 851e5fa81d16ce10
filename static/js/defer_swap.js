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
document.addEventListener("htmx:beforeSwap", (event) => {
  if (isPressed && event.detail.elt.matches("[hx-trigger^=every]")) event.detail.shouldSwap = false;
});
