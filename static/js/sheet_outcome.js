/**
 * Computes the outcome of the totals of a paper sheet. Uses no page: node imports this module as browsers do.
 *
 * @typedef {{points_a?: string, points_b?: string, winner?: string}} TypedTotals as typed
 */

/**
 * @param {TypedTotals} totals
 * @param {number} target
 * @returns {string} "A" or "B" wins, "neither", "both"; "" while a total is missing
 */
export function computeOutcome({ points_a: a = "", points_b: b = "", winner }, target) {
  if (![a, b].every((points) => /^\s*\d+\s*$/.test(points))) return "";
  const [hasA, hasB] = [a, b].map((points) => Number(points) >= target);
  if (hasA && hasB) return "both";
  if (hasA || hasB) return hasA ? "A" : "B";
  return winner || "neither";
}
