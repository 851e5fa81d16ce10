/**
 * The hand that is on its way: kept on this phone until the table answers, also where the page is closed in
 * between. The key in it lets the server record it once, however often it arrives.
 *
 * @typedef {{path: string, values: Object<string, string>}} Hand as its form was sent
 */

const PLACE = "unsent";

/** @type {?Hand} */
let kept = null;

try {
  const hand = JSON.parse(localStorage[PLACE] ?? "null");
  const { url } = document.getElementById("screen").dataset;
  if (hand?.path === url) kept = hand; // another table's hand waits for its own page
} catch (forbidden) { /* without storage a hand waits as long as its page is open */ }

/** @returns {?Hand} */
export function waiting() {
  return kept;
}

/** @param {Hand} hand */
export function keep(hand) {
  kept = hand;
  try {
    localStorage[PLACE] = JSON.stringify(hand);
  } catch (full) { /* as above */ }
}

export function forget() {
  kept = null;
  try {
    delete localStorage[PLACE];
  } catch (forbidden) { /* nothing was kept there */ }
}
