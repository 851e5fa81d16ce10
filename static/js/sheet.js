/**
 * While the totals of a paper sheet are typed, one of the page's sentences says what they come to. What was
 * recorded leads on; what was refused is shown where it was typed.
 */

/** @param {HTMLFormElement} form @param {HTMLElement} outcome @returns {string} which sentence: A or B wins,
 * "neither", "both"; none while a total is still to type */
function toSay(form, outcome) {
  const { points_a: a, points_b: b, winner } = form.elements;
  if (![a, b].every((field) => /^\s*\d+\s*$/.test(field.value))) return "";
  const [hasA, hasB] = [a, b].map((field) => Number(field.value) >= Number(outcome.dataset.target));
  if (hasA && hasB) return "both";
  if (hasA || hasB) return hasA ? "A" : "B";
  return winner?.value || "neither";
}

function say() {
  const outcome = document.querySelector(".outcome");
  const said = toSay(outcome.closest("form"), outcome);
  for (const sentence of outcome.children) sentence.hidden = sentence.dataset.says !== said;
}

document.addEventListener("outbox:answer", (event) => {
  const { response, text } = event.detail;
  const next = response.headers.get("HX-Redirect");
  const main = new DOMParser().parseFromString(text ?? "", "text/html").getElementById("main");
  if (next) location.assign(next);
  else if (main?.querySelector(".outcome")) {
    event.preventDefault();
    document.getElementById("main").replaceWith(main);
    say();
  }
});

document.addEventListener("input", say);
say();
