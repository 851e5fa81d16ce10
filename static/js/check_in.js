/**
 * At the door one name follows another: what was looked for last gives way to what is typed next; and once
 * somebody is in, no other box offers them again. Nothing moves under a finger.
 */

document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === "id_search") target.select();
});

/** @param {Element} box @param {string} name */
const peopleOf = (box, name) => (box.getAttribute(name) ?? "").split(" ");

document.addEventListener("htmx:afterSettle", () => {
  const here = new Set([...document.querySelectorAll("[data-here]")].flatMap((box) => peopleOf(box, "data-here")));
  for (const box of document.querySelectorAll("[data-pair]")) {
    const button = /** @type {HTMLButtonElement} */ (box.querySelector("button"));
    button.disabled = peopleOf(box, "data-pair").some((person) => here.has(person));
  }
  for (const box of document.querySelectorAll("[data-in]")) {
    const entry = document.getElementById(box.getAttribute("data-in") ?? "");
    box.classList.toggle("ok", entry?.classList.contains("ok") ?? true);
  }
});
