/** Defers automatic updates of a page until no finger is on it. */

let isPressed = false;

document.addEventListener("pointerdown", () => {
  isPressed = true;
});

for (const end of ["pointerup", "pointercancel"]) {
  // The click comes after the release: it still belongs to the tap.
  document.addEventListener(end, () => setTimeout(() => { isPressed = false; }));
}

// A skipped update comes with the next poll, since the page still sends the old revision. The response to a form does not
// come again, so only GET requests are deferred.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { elt, requestConfig } = event.detail;
  if (isPressed && requestConfig.verb === "get" && elt.matches("[hx-trigger^=every]")) event.detail.shouldSwap = false;
});
