/**
 * A table that speaks, once somebody has switched it on at this phone: the hand just recorded, the totals, who deals, and
 * the next table.
 */

import { speak, textOf } from "../speech.js";

const KEY = "speech";

let isOn = false;
try {
  isOn = localStorage.getItem(KEY) === "on";
} catch { /* without storage it is off until the next tap */ }

const news = () => textOf(document.getElementById("news"));
let said = news();

function show() {
  for (const button of document.querySelectorAll("[data-switch-speech]")) {
    button.setAttribute("aria-pressed", String(isOn));
    button.toggleAttribute("hidden", !("speechSynthesis" in window));
  }
}

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element && target.closest("[data-switch-speech]"))) return;
  isOn = !isOn;
  try {
    localStorage.setItem(KEY, isOn ? "on" : "");
  } catch { /* the switch then lasts as long as the page */ }
  show();
  if (isOn) speak(said); // also since a browser speaks only after a tap
  else speechSynthesis.cancel();
});

document.addEventListener("htmx:afterSwap", () => {
  show();
  const now = news();
  if (isOn && now !== said) speak(now);
  said = now;
});
show();
