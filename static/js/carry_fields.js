/**
 * What was typed on a page goes along when the page is shown in the other language: it waits in the tab's own storage
 * for that one page. Passwords and files do not. Without scripts, one step back shows it again.
 */

const KEPT = "typed";
const LEFT_BEHIND = new Set(["password", "file", "hidden", "submit", "button"]);

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** The page, whatever its language: public pages have an address in each. */
const page = () => location.pathname.replace(/^\/(fr|en)(?=\/)/, "");

/** @returns {Map<string, Field>} by its name, and by which of that name it is */
function fields() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const all = [.../** @type {NodeListOf<Field>} */ (document.querySelectorAll("main :is(input, select, textarea)[name]"))];
  return new Map(all.filter(({ type }) => !LEFT_BEHIND.has(type)).map((field) => {
    const count = counts.get(field.name) ?? 0;
    counts.set(field.name, count + 1);
    return [`${field.name} ${count}`, field];
  }));
}

/** @param {Field} field @returns {string | boolean} */
const valueOf = (field) => (isTick(field) ? field.checked : field.value);

/** @param {Field} field @returns {field is HTMLInputElement} */
function isTick(field) {
  return field.type === "checkbox" || field.type === "radio";
}

/** @param {Field} field @returns {boolean} whether the page came with another value */
function isChanged(field) {
  if (field instanceof HTMLSelectElement) return [...field.options].some((one) => one.selected !== one.defaultSelected);
  return isTick(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

function keep() {
  const isRefused = document.querySelector("main [aria-invalid=true], #refusal") !== null; // it came with what was typed
  const typed = [...fields()].filter(([, field]) => isRefused || isChanged(field));
  const values = typed.map(([name, field]) => [name, valueOf(field)]);
  if (values.length) sessionStorage.setItem(KEPT, JSON.stringify({ page: page(), values }));
}

function putBack() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  sessionStorage.removeItem(KEPT);
  if (kept?.page !== page()) return;
  const here = fields();
  /** @type {Field[]} */
  const changed = [];
  for (const [name, value] of kept.values) {
    const field = here.get(name);
    if (!field || valueOf(field) === value) continue;
    if (isTick(field)) field.checked = value;
    else field.value = value;
    changed.push(field);
  }
  for (const field of changed) {
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
  }
}

/** @param {() => void} act unless the device has no storage: then the page begins anew */
function withStorage(act) {
  try {
    act();
  } catch { /* so it does */ }
}

document.addEventListener("DOMContentLoaded", () => withStorage(putBack)); // htmx listens to the fields by then
for (const [kind, asks] of [["submit", "form[action$='/language']"], ["click", "a[hreflang]"]]) {
  document.addEventListener(kind, ({ target }) => {
    if (target instanceof Element && target.closest(asks)) withStorage(keep);
  });
}
