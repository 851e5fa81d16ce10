/** Keeps open rows open when the public page is updated. */

/** @type {string[]} */
let openRowIds = [];

function findOpenRows() {
  return openRowIds.flatMap((id) => document.getElementById(id) ?? []);
}

document.addEventListener("htmx:beforeSwap", () => {
  openRowIds = [...document.querySelectorAll("details[open]")].map((row) => row.id);
});

document.addEventListener("htmx:afterSwap", () => {
  for (const row of findOpenRows()) row.setAttribute("open", "");
});

// Rows load their content on this event, for which they listen only now.
document.addEventListener("htmx:afterSettle", () => {
  for (const row of findOpenRows()) row.dispatchEvent(new Event("toggle"));
});
