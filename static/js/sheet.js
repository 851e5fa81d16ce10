/**
 * Shows the outcome of the totals of a paper sheet while they are typed. A recorded sheet leads to the next page; a refusal
 * is shown in the form.
 */

import { computeOutcome } from "./sheet_outcome.js";

function showOutcome() {
  const output = /** @type {HTMLOutputElement} */ (document.querySelector(".outcome"));
  const totals = Object.fromEntries(new FormData(output.form ?? undefined));
  const outcome = computeOutcome(/** @type {Record<string, string>} */ (totals), Number(output.dataset.target));
  for (const sentence of output.children) {
    sentence.toggleAttribute("hidden", sentence.getAttribute("data-outcome") !== outcome);
  }
}

document.addEventListener("outbox:answer", (event) => {
  const { response, text } = event.detail;
  const next = response.headers.get("HX-Redirect");
  const main = new DOMParser().parseFromString(text ?? "", "text/html").getElementById("main");
  if (next) location.assign(next);
  else if (main?.querySelector(".outcome")) {
    event.preventDefault();
    document.getElementById("main")?.replaceWith(main);
    showOutcome();
  }
});

document.addEventListener("input", showOutcome);
showOutcome();
