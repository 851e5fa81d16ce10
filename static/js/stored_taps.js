/**
 * Stores waiting taps in `localStorage` as well, as `hand <installation> <key>`: the database may not have them yet, or may
 * be unavailable. Earlier versions of this program stored hands under the same names, or a single one as `unsent`. All
 * are added to the outbox in order.
 */

import { isWaiting } from "./outbox.js";

/** @param {string} installation @returns {string[]} the names of the stored taps */
function listTapNames(installation) {
  try {
    return Object.keys(localStorage).filter((name) => name === "unsent" || name.startsWith(`hand ${installation} `));
  } catch {
    return []; // storage is forbidden
  }
}

/** @param {string} installation @returns {boolean} whether there are taps that the outbox may not have yet */
export function hasTaps(installation) {
  return listTapNames(installation).length > 0;
}

/**
 * Stores a tap at once, before the outbox has written it.
 *
 * @param {import("./outbox.js").NewEntry} entry @param {string} installation
 */
export function storeTap(entry, installation) {
  try {
    localStorage.setItem(`hand ${installation} ${entry.values.entry_key}`, JSON.stringify({ entry, order: Date.now() }));
  } catch { /* storage is forbidden or full */ }
}

/**
 * Deletes the taps whose entries are finished.
 *
 * @param {string} installation @param {readonly import("./outbox.js").Entry[]} entries
 */
export function deleteFinishedTaps(installation, entries) {
  const names = listTapNames(installation);
  if (!names.length) return;
  const finished = entries.filter((entry) => !isWaiting(entry));
  const done = new Set(finished.map(({ values }) => `hand ${installation} ${values.entry_key}`));
  for (const name of names) if (done.has(name)) localStorage.removeItem(name);
}

/**
 * @param {import("./outbox.js").Entry} entry of the outbox @param {import("./outbox.js").NewEntry} tapped
 * @returns {boolean} whether the entry is that tap; the answer to a question is another tap
 */
export function isAdopted(entry, { values }) {
  return entry.values.entry_key === values.entry_key
    && (!isWaiting(entry) || JSON.stringify(entry.values) === JSON.stringify(values));
}

/** @param {import("./outbox.js").Outbox} outbox @param {string} installation */
export async function adoptStoredTaps(outbox, installation) {
  const names = listTapNames(installation);
  const hands = names.map((name) => ({ name, hand: JSON.parse(localStorage.getItem(name) ?? "{}") }));
  hands.sort((one, other) => (one.hand.order ?? 0) - (other.hand.order ?? 0));
  const entries = await outbox.listEntries();
  for (const { name, hand } of hands) {
    const { path, table, values } = hand;
    const entry = hand.entry ?? { table: path, path, number: table ?? path.split("/").pop(), values };
    if (!entries.some((each) => isAdopted(each, entry))) await outbox.add(entry);
    if (!hand.entry) localStorage.removeItem(name); // newer ones are deleted like every tap
  }
}
