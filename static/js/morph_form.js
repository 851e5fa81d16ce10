/**
 * A form that brings itself up to date while somebody fills it in. Its answers are put into the page by
 * `morph`, which leaves the controls where they are; and what was changed since the question was sent stands,
 * for the answer cannot know of it. The next question, which waits for this answer, will tell it.
 */

/** @type {Set<EventTarget | null>} */
const changedFields = new Set();

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => changedFields.add(event.target), true);
}
document.addEventListener("htmx:beforeSend", () => changedFields.clear());

const ANSWER_ATTRIBUTES = ["value", "checked", "selected"];

/** @param {string} name @param {Element} element */
Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, element) => {
  if (name === "open") return false; // what was unfolded stays so
  return !(ANSWER_ATTRIBUTES.includes(name) && changedFields.has(element.closest("select") ?? element));
};
