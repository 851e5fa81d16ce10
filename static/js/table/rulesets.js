/**
 * Rulesets and formats in the form in which the server stores them (rules/serialization.py), and what one asks of them: as
 * rules/rulesets.py. House rules are in the ruleset, which comes whole; no system and no contract is known by name.
 *
 * @typedef {object} Contract
 * @property {string} key
 * @property {number | null} number
 * @property {number} least tricks that make it
 * @property {number} most
 * @property {string} trump
 * @property {number} made points
 * @property {number} failed points
 * @property {boolean} ends_game
 * @property {string[]} modes
 *
 * @typedef {object} Ruleset
 * @property {string} key
 * @property {number} seats
 * @property {number} target
 * @property {Contract[]} contracts low to high
 * @property {string[]} ladder
 * @property {"next_dealer" | "same_dealer" | "dealer_must_bid"} all_pass
 * @property {number} forced_bid
 * @property {boolean} plays_low_bids
 *
 * @typedef {object} MatchFormat what is not set is absent
 * @property {number} [games_to_win]
 * @property {number} [hands]
 * @property {number} [minutes]
 * @property {"games" | "points"} [decided_by] games, where nothing is said
 * @property {number} [charlemagne_points]
 * @property {"extra_hand" | "last_to_lead" | "higher_seed" | "lot"} [tie] who wins a level match; without it, nobody
 * @property {number} [favored] the side, 0 or 1, of the higher seed or of the lot
 */

import { Refusal } from "./refusals.js";

const LOWEST_PLAYED = 5;

/** @param {Ruleset} ruleset @returns {Contract[]} those in which a hand can end, low to high */
export function playedIn({ contracts, ladder, plays_low_bids }) {
  return contracts.filter(
    ({ key, number }) => ladder.includes(key) && (plays_low_bids || number === null || number >= LOWEST_PLAYED),
  );
}

/**
 * The contract of that name, if a hand can end in it. Throws: no_such_bid, below_minimum.
 *
 * @param {Ruleset} ruleset @param {string} key
 */
export function contractOf(ruleset, key) {
  const played = playedIn(ruleset);
  const found = played.find((contract) => contract.key === key);
  if (found) return found;
  const minimum = played.find((contract) => contract.number !== null)?.number;
  if (/^[0-9]$/.test(key) && minimum && Number(key) < minimum) {
    throw new Refusal("below_minimum", "contract", { contract: key, minimum });
  }
  throw new Refusal("no_such_bid", "contract", { contract: key, ladder: played.map((contract) => contract.key) });
}

/** @param {Contract} contract @param {number} tricks */
export function isMadeWith(contract, tricks) {
  return contract.least <= tricks && tricks <= contract.most;
}

/** @param {MatchFormat} match_format whether a match of it can end before the game is won */
export function mayStopInAGame({ hands, minutes }) {
  return hands != null || minutes != null;
}
