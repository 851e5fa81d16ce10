/**
 * What the totals of a paper sheet come to. No page in here: node imports this module as browsers do.
 *
 * @typedef {{points_a?: string, points_b?: string, winner?: string}} Totals as they are typed
 */

/**
 * @param {Totals} totals
 * @param {number} target
 * @returns {string} "A" or "B" wins, "neither", "both"; "" while a total is still to type
 */
export function outcomeOf({ points_a: a = "", points_b: b = "", winner }, target) {
  if (![a, b].every((points) => /^\s*\d+\s*$/.test(points))) return "";
  const [hasA, hasB] = [a, b].map((points) => Number(points) >= target);
  if (hasA && hasB) return "both";
  if (hasA || hasB) return hasA ? "A" : "B";
  return winner || "neither";
}
