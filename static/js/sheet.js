/** While the totals of a paper sheet are typed, one of the page's sentences says what they come to. */

const outcome = document.querySelector(".outcome");
const form = outcome.closest("form");

/** @returns {string} which sentence: A or B wins, "neither", "both"; none while a total is still to type */
function toSay() {
  const { points_a: a, points_b: b, winner } = form.elements;
  if (![a, b].every((field) => /^\s*\d+\s*$/.test(field.value))) return "";
  const [hasA, hasB] = [a, b].map((field) => Number(field.value) >= Number(outcome.dataset.target));
  if (hasA && hasB) return "both";
  if (hasA || hasB) return hasA ? "A" : "B";
  return winner?.value || "neither";
}

function say() {
  const said = toSay();
  for (const sentence of outcome.children) sentence.hidden = sentence.dataset.says !== said;
}

form.addEventListener("input", say);
say();
