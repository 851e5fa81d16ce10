/**
 * Updates the screen of a table at the desk: nothing moves under the finger, and the answer to a hand is shown. Without this
 * module everything works by links and forms.
 */

import { pauseTaps } from "../taps.js";
import { isMarking, isNewsRequest, saveFocus, swapScreen } from "./swap.js";

document.addEventListener("htmx:beforeSwap", (event) => {
  const isNoNews = isMarking() || event.detail.xhr.status >= 400;
  if (isNewsRequest(event) && isNoNews) event.detail.shouldSwap = false;
  saveFocus();
});

document.addEventListener("outbox:answer", (event) => {
  const { entry, text } = event.detail;
  if (!text.includes('id="screen"')) return; // the table is gone: the next poll says so
  event.preventDefault();
  history.replaceState(null, "", entry.table);
  swapScreen(text);
  pauseTaps();
  if (entry.values.said && !document.querySelector(".sheet")) scrollTo(0, 0);
});
