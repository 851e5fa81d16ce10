/** The public page, brought up to date, keeps the rows open that were open. */

/** @type {string[]} */
let openRows = [];

document.addEventListener("htmx:beforeSwap", () => {
  openRows = [...document.querySelectorAll("details[open]")].map((row) => row.id);
});

document.addEventListener("htmx:afterSwap", () => {
  for (const id of openRows) document.getElementById(id)?.setAttribute("open", "");
});
