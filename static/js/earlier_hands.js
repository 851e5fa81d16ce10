/**
 * Hands that stand in `localStorage`: what was tapped right before its page was closed, as `hand <installation> …`; and
 * what an earlier version of this program kept, by the same names, and before that a single one, as `unsent`. They go
 * into the outbox, in the order of marking.
 */

/**
 * Keeps what was tapped at once, while the outbox is still at it.
 *
 * @param {import("./outbox.js").NewEntry} entry @param {string} installation
 * @returns {() => void} to be called when the outbox has it
 */
export function noteTap(entry, installation) {
  const name = `hand ${installation} ${entry.values.entry_key}`;
  try {
    localStorage.setItem(name, JSON.stringify({ entry, order: Date.now() }));
    return () => localStorage.removeItem(name);
  } catch {
    return () => {}; // what keeps nothing has nothing to forget
  }
}

/** @param {import("./outbox.js").Outbox} outbox @param {string} installation */
export async function adoptEarlierHands(outbox, installation) {
  /** @type {string[]} */
  let names = [];
  try {
    names = Object.keys(localStorage).filter((name) => name === "unsent" || name.startsWith(`hand ${installation} `));
  } catch { /* nothing was kept there */ }
  const hands = names.map((name) => ({ name, hand: JSON.parse(localStorage.getItem(name) ?? "{}") }));
  hands.sort((one, other) => (one.hand.order ?? 0) - (other.hand.order ?? 0));
  for (const { name, hand: { entry, path, table, values } } of hands) {
    await outbox.add(entry ?? { table: path, path, number: table ?? path.split("/").pop(), values });
    localStorage.removeItem(name);
  }
}
