/**
 * Hands that stand in `localStorage`: what was tapped and waits, as `hand <installation> <key>`, since the database may not
 * have it yet, or may be out of reach; and what an earlier version of this program kept, by the same names, and before
 * that a single one, as `unsent`. They go into the outbox, in the order of marking.
 */

import { isWaiting } from "./outbox.js";

/** @param {string} installation @returns {string[]} the names of what is kept there */
function namesOf(installation) {
  try {
    return Object.keys(localStorage).filter((name) => name === "unsent" || name.startsWith(`hand ${installation} `));
  } catch {
    return []; // it is forbidden
  }
}

/** @param {string} installation @returns {boolean} whether something was tapped that the outbox may not have yet */
export function hasTaps(installation) {
  return namesOf(installation).length > 0;
}

/**
 * Keeps what was tapped at once, while the outbox is still at it.
 *
 * @param {import("./outbox.js").NewEntry} entry @param {string} installation
 */
export function noteTap(entry, installation) {
  try {
    localStorage.setItem(`hand ${installation} ${entry.values.entry_key}`, JSON.stringify({ entry, order: Date.now() }));
  } catch { /* nothing can be kept there */ }
}

/**
 * Forgets the taps that the outbox is done with.
 *
 * @param {string} installation @param {readonly import("./outbox.js").Entry[]} entries
 */
export function forgetTaps(installation, entries) {
  const names = namesOf(installation);
  if (!names.length) return;
  const done = new Set(entries.filter((entry) => !isWaiting(entry)).map(({ values }) => `hand ${installation} ${values.entry_key}`));
  for (const name of names) if (done.has(name)) localStorage.removeItem(name);
}

/**
 * @param {import("./outbox.js").Entry} entry of the outbox @param {import("./outbox.js").NewEntry} tapped
 * @returns {boolean} whether it is that tap; an answer to a question is a tap with other values
 */
export function isAdopted(entry, { values }) {
  return entry.values.entry_key === values.entry_key
    && (!isWaiting(entry) || JSON.stringify(entry.values) === JSON.stringify(values));
}

/** @param {import("./outbox.js").Outbox} outbox @param {string} installation */
export async function adoptEarlierHands(outbox, installation) {
  const names = namesOf(installation);
  const hands = names.map((name) => ({ name, hand: JSON.parse(localStorage.getItem(name) ?? "{}") }));
  hands.sort((one, other) => (one.hand.order ?? 0) - (other.hand.order ?? 0));
  const entries = await outbox.entries();
  for (const { name, hand } of hands) {
    const { path, table, values } = hand;
    const entry = hand.entry ?? { table: path, path, number: table ?? path.split("/").pop(), values };
    if (!entries.some((each) => isAdopted(each, entry))) await outbox.add(entry);
    if (!hand.entry) localStorage.removeItem(name); // the others are forgotten as every tap is
  }
}
