/**
 * Carries typed values along when a page is shown in the other language, by the session storage of the tab. Passwords and
 * files are left out. Without scripts, one step back shows the values again.
 */

const STORAGE_KEY = "typed";
const EXCLUDED_TYPES = new Set(["password", "file", "hidden", "submit", "button"]);

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** Returns the path of the page without its language prefix. */
const getPagePath = () => location.pathname.replace(/^\/(fr|en)(?=\/)/, "");

/** @returns {Map<string, Field>} by name and index among those of that name */
function listFields() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const all = [.../** @type {NodeListOf<Field>} */ (document.querySelectorAll("main :is(input, select, textarea)[name]"))];
  return new Map(all.filter(({ type }) => !EXCLUDED_TYPES.has(type)).map((field) => {
    const count = counts.get(field.name) ?? 0;
    counts.set(field.name, count + 1);
    return [`${field.name} ${count}`, field];
  }));
}

/** @param {Field} field @returns {string | boolean} */
const getValue = (field) => (isCheckable(field) ? field.checked : field.value);

/** @param {Field} field @returns {field is HTMLInputElement} */
function isCheckable(field) {
  return field.type === "checkbox" || field.type === "radio";
}

/** @param {Field} field @returns {boolean} whether its value was changed */
function isChanged(field) {
  if (field instanceof HTMLSelectElement) return [...field.options].some((one) => one.selected !== one.defaultSelected);
  return isCheckable(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

function saveFields() {
  const isRefused = document.querySelector("main [aria-invalid=true], #refusal") !== null; // it has the typed values
  const typed = [...listFields()].filter(([, field]) => isRefused || isChanged(field));
  const values = typed.map(([name, field]) => [name, getValue(field)]);
  if (values.length) sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ page: getPagePath(), values }));
}

function restoreFields() {
  const saved = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null");
  sessionStorage.removeItem(STORAGE_KEY);
  if (saved?.page !== getPagePath()) return;
  const fields = listFields();
  /** @type {Field[]} */
  const changed = [];
  for (const [name, value] of saved.values) {
    const field = fields.get(name);
    if (!field || getValue(field) === value) continue;
    if (isCheckable(field)) field.checked = value;
    else field.value = value;
    changed.push(field);
  }
  for (const field of changed) {
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
  }
}

/** @param {() => void} action skipped if the device has no storage */
function tryStorage(action) {
  try {
    action();
  } catch { /* no storage */ }
}

document.addEventListener("DOMContentLoaded", () => tryStorage(restoreFields)); // htmx listens to the fields by then
for (const [kind, selector] of [["submit", "form[action$='/language']"], ["click", "a[hreflang]"]]) {
  document.addEventListener(kind, ({ target }) => {
    if (target instanceof Element && target.closest(selector)) tryStorage(saveFields);
  });
}
