/**
 * Finds the last hand of a table once the time of its round is over, like scoring/last_hand.py.
 *
 * @typedef {import("./match.js").Table} Table
 */

const REDEALT_KINDS = ["misdeal", "void"];

/**
 * @param {Table} table
 * @returns {"played" | "extra" | null} whether the last hand is played or an extra hand follows; null before it is recorded
 */
export function findLastHand({ known, log, state }) {
  const { card } = known.match;
  const clock = card?.clock;
  const ends = [clock?.last_hand_at, clock?.ends_at].filter(Boolean).map((at) => Date.parse(at));
  const number = Math.max(0, ...[...log.standing.values()]
    .filter(({ record }) => !REDEALT_KINDS.includes(String(record.kind))).map((mark) => mark.number));
  if (!ends.length || !number || state.is_over) return null;
  const recorded = known.marks.filter((mark) => mark.number === number).map((mark) => Date.parse(mark.created_at));
  if (Math.min(...recorded) < Math.min(...ends)) return null;
  return clock?.needs_winner?.includes(card.number) && state.leader === null ? "extra" : "played";
}
