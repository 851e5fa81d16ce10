/**
 * Speeds up check-in: focusing the search selects its text, so that the next name replaces it, and people who are checked
 * in are disabled in all other boxes. Nothing moves under a finger.
 */

document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === "id_search") target.select();
});

/** @param {Element} box @param {string} name */
const listPeople = (box, name) => (box.getAttribute(name) ?? "").split(" ");

document.addEventListener("htmx:afterSettle", () => {
  const here = new Set([...document.querySelectorAll("[data-present]")].flatMap((box) => listPeople(box, "data-present")));
  for (const box of document.querySelectorAll("[data-pair]")) {
    const button = /** @type {HTMLButtonElement} */ (box.querySelector("button"));
    button.disabled = listPeople(box, "data-pair").some((person) => here.has(person));
  }
  for (const box of document.querySelectorAll("[data-entry]")) {
    const entry = document.getElementById(box.getAttribute("data-entry") ?? "");
    box.classList.toggle("ok", entry?.classList.contains("ok") ?? true);
  }
});
