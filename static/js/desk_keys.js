/**
 * Focuses the main buttons of the desk by single keys; Enter then presses the button, so that a key hit by mistake does
 * nothing. Each button shows its key and has it in `aria-keyshortcuts`. Keys typed into a field or held with another are
 * ignored. The shortcuts can be switched off, also on a phone or tablet once a key shows that it has a keyboard.
 */

import { setUpSwitch } from "./switches.js";

const FIELD_SELECTOR = "input, textarea, select, [contenteditable]";
let isEnabled = false;

setUpSwitch("keys", true, (isWanted) => {
  isEnabled = isWanted;
  document.documentElement.classList.toggle("keys", isEnabled);
});

document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, altKey, metaKey, target } = event;
  const isCombination = ctrlKey || altKey || metaKey || event.isComposing;
  if (isCombination || key.length !== 1 || (target instanceof Element && target.matches(FIELD_SELECTOR))) return;
  document.documentElement.classList.add("has-keyboard");
  if (!isEnabled) return;
  /** @type {NodeListOf<HTMLElement>} */
  const shortcutElements = document.querySelectorAll("[aria-keyshortcuts]");
  const element = [...shortcutElements].find((each) => each.getAttribute("aria-keyshortcuts") === key.toUpperCase());
  if (!element) return;
  event.preventDefault();
  element.focus();
  element.scrollIntoView({ block: "nearest" });
});
