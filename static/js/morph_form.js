/**
 * Keeps the typed values of a form that is updated while it is filled in. `morph` puts the response into the page without
 * replacing the fields; fields that were changed after the request keep their values, which the next request sends.
 */

/** @type {Set<EventTarget | null>} */
const changedFields = new Set();

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => changedFields.add(event.target), true);
}
document.addEventListener("htmx:beforeSend", () => changedFields.clear());

const STATE_ATTRIBUTES = ["value", "checked", "selected"];

/** @param {string} name @param {Element} element */
Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, element) => {
  if (name === "open") return false; // unfolded details stay open
  return !(STATE_ATTRIBUTES.includes(name) && changedFields.has(element.closest("select") ?? element));
};
