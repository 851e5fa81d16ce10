/** Shows a typed date or time in words below its field, in the language of the page. */

import { formatDate } from "./date_words.js";

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.matches("input[type=date], input[type=time]"))) return;
  const words = document.getElementById(`${target.id}_words`);
  if (words) words.textContent = formatDate(target, document.documentElement.lang);
});
