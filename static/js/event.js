/** The public page, brought up to date, keeps the rows open that were open. */

let open = [];

document.addEventListener("htmx:beforeSwap", () => {
  open = [...document.querySelectorAll("details[open]")].map((row) => row.id);
});

document.addEventListener("htmx:afterSwap", () => {
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
});
