/**
 * Reads the news of the table aloud if speech is switched on at this phone: the hand just recorded, the totals, the dealer,
 * and the next table.
 */

import { getText, speak } from "../speech.js";

const STORAGE_KEY = "speech";

let isOn = false;
try {
  isOn = localStorage.getItem(STORAGE_KEY) === "on";
} catch { /* without storage it is off */ }

const readNews = () => getText(document.getElementById("news"));
let spokenNews = readNews();

function updateButtons() {
  for (const button of document.querySelectorAll("[data-switch-speech]")) {
    button.setAttribute("aria-pressed", String(isOn));
    button.toggleAttribute("hidden", !("speechSynthesis" in window));
  }
}

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element && target.closest("[data-switch-speech]"))) return;
  isOn = !isOn;
  try {
    localStorage.setItem(STORAGE_KEY, isOn ? "on" : "");
  } catch { /* without storage the switch lasts as long as the page */ }
  updateButtons();
  if (isOn) speak(spokenNews); // browsers speak only after a tap
  else speechSynthesis.cancel();
});

document.addEventListener("htmx:afterSwap", () => {
  updateButtons();
  const now = readNews();
  if (isOn && now !== spokenNews) speak(now);
  spokenNews = now;
});
updateButtons();
