/**
 * Checks that a response comes from this installation, and reads the receipt of a hand that was sent. The Wi-Fi of a hall
 * and proxies answer with pages of their own; only responses with the header of this installation count. Uses no page:
 * node imports this module as browsers do.
 *
 * @typedef {{get(name: string): ?string}} ResponseHeaders of a response, as fetch gives them
 * @typedef {"recorded" | "asked" | "behind" | "refused"} Outcome asked: the screen has a question about the hand; behind: the
 * server was restored from a backup and lacks hands that this phone has
 * @typedef {{outcome: Outcome, reason: string}} Receipt with the reason of a refusal, as a sentence
 */

const INSTALLATION_HEADER = "Charlemagne";
const ENTRY_HEADER = "Charlemagne-Entry";
const REASON_HEADER = "Charlemagne-Reason";

/** @type {Outcome[]} */
const OUTCOMES = ["recorded", "asked", "behind", "refused"];

/** @param {ResponseHeaders} headers @param {string} installation @returns {boolean} whether this installation sent it */
export function isFromInstallation(headers, installation) {
  return installation !== "" && headers.get(INSTALLATION_HEADER) === installation;
}

/**
 * @param {ResponseHeaders} headers
 * @param {string} installation
 * @param {string} entryKey
 * @returns {?Receipt} the outcome of the hand with this key; null: unknown, so it is sent again
 */
export function readReceipt(headers, installation, entryKey) {
  if (!isFromInstallation(headers, installation)) return null;
  const [key, outcomeName] = (headers.get(ENTRY_HEADER) ?? "").split(" ");
  const outcome = OUTCOMES.find((each) => each === outcomeName);
  if (!outcome || key.toLowerCase() !== entryKey.toLowerCase()) return null;
  return { outcome, reason: decodeURIComponent(headers.get(REASON_HEADER) ?? "") };
}
