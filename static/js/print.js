/** Prints the page with its print button. */
document.querySelector("[data-print]")?.addEventListener("click", () => window.print());
