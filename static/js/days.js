/** A day or an hour that is typed is said below its field, in the language of the page. */

import { wordsOf } from "./date_words.js";

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.matches("input[type=date], input[type=time]"))) return;
  const words = document.getElementById(`${target.id}_words`);
  if (words) words.textContent = wordsOf(target, document.documentElement.lang);
});
