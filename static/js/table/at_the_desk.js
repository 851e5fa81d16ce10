/**
 * A table's screen at the desk, where scripts run: nothing moves under the finger, what a tap met on its way is said,
 * and what was answered to a hand is shown. Without this module everything works, by plain links and forms.
 */

import { pauseTaps } from "../taps.js";
import { isLookingForNews, isMarking, keepFocus, swapScreen } from "./swap.js";

document.addEventListener("htmx:beforeSwap", (event) => {
  const isNoNews = isMarking() || event.detail.xhr.status >= 400;
  if (isLookingForNews(event) && isNoNews) event.detail.shouldSwap = false;
  keepFocus();
});

document.addEventListener("outbox:answer", (event) => {
  const { entry, text } = event.detail;
  if (!text.includes('id="screen"')) return; // the table is no more: the next news tell
  event.preventDefault();
  history.replaceState(null, "", entry.table);
  swapScreen(text);
  pauseTaps();
  if (entry.values.said && !document.querySelector(".sheet")) scrollTo(0, 0);
});
