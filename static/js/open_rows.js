/** The public page, brought up to date, keeps the rows open that were open. */

/** @type {string[]} */
let openRows = [];

function rowsAgain() {
  return openRows.flatMap((id) => document.getElementById(id) ?? []);
}

document.addEventListener("htmx:beforeSwap", () => {
  openRows = [...document.querySelectorAll("details[open]")].map((row) => row.id);
});

document.addEventListener("htmx:afterSwap", () => {
  for (const row of rowsAgain()) row.setAttribute("open", "");
});

// What a row fetches once it opens, it listens for only now.
document.addEventListener("htmx:afterSettle", () => {
  for (const row of rowsAgain()) row.dispatchEvent(new Event("toggle"));
});
