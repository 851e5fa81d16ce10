/**
 * Whose answer it is, and what it says of a hand. A hall's Wi-Fi answers with pages of its own, and any box
 * between with a status: none of that is an answer. Ours bear the mark of this installation, and of a hand that
 * was sent they say what became of it. No page in here: node imports this module as browsers do.
 *
 * @typedef {{get(name: string): ?string}} Headers of an answer, as fetch gives them
 * @typedef {"recorded" | "asked" | "behind" | "refused"} Outcome asked: a question about the hand is on the screen; behind: the
 * server was put back, and lacks hands that this phone has heard of
 * @typedef {{outcome: Outcome, reason: string}} Receipt the reason is that of a refusal, as a sentence
 */

const MARK = "Charlemagne";
const ENTRY = "Charlemagne-Entry";
const REASON = "Charlemagne-Reason";

/** @type {Outcome[]} */
const OUTCOMES = ["recorded", "asked", "behind", "refused"];

/** @param {Headers} headers @param {string} installation @returns {boolean} whether this installation answered */
export function isOurs(headers, installation) {
  return installation !== "" && headers.get(MARK) === installation;
}

/**
 * @param {Headers} headers
 * @param {string} installation
 * @param {string} entryKey
 * @returns {?Receipt} what became of the hand with this key; null: nothing is known, so it is to be sent again
 */
export function receiptOf(headers, installation, entryKey) {
  if (!isOurs(headers, installation)) return null;
  const [key, said] = (headers.get(ENTRY) ?? "").split(" ");
  const outcome = OUTCOMES.find((each) => each === said);
  if (!outcome || key.toLowerCase() !== entryKey.toLowerCase()) return null;
  return { outcome, reason: decodeURIComponent(headers.get(REASON) ?? "") };
}
