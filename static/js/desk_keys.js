/**
 * One key leads to each of the desk's main buttons; Enter then takes it, so that a key hit by mistake does nothing.
 * Which key it is, the button says itself, to the eye and by `aria-keyshortcuts`. Keys that are typed into a field,
 * or held with another, are left to whom they belong to; and who wants none, switches them off: also on a phone or
 * a tablet, once a key says that it has a keyboard.
 */

import { onSwitch } from "./switches.js";

const TYPED_INTO = "input, textarea, select, [contenteditable]";
let isOn = false;

onSwitch("keys", true, (isWanted) => {
  isOn = isWanted;
  document.documentElement.classList.toggle("keys", isOn);
});

document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, altKey, metaKey, target } = event;
  const isHeld = ctrlKey || altKey || metaKey || event.isComposing;
  if (isHeld || key.length !== 1 || (target instanceof Element && target.matches(TYPED_INTO))) return;
  document.documentElement.classList.add("has-keyboard");
  if (!isOn) return;
  /** @type {NodeListOf<HTMLElement>} */
  const marked = document.querySelectorAll("[aria-keyshortcuts]");
  const found = [...marked].find((each) => each.getAttribute("aria-keyshortcuts") === key.toUpperCase());
  if (!found) return;
  event.preventDefault();
  found.focus();
  found.scrollIntoView({ block: "nearest" });
});
