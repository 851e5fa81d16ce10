/**
 * Queries rulesets and formats in the server's JSON form (rules/serialization.py), like rules/rulesets.py. The ruleset
 * includes its house rules; no system or contract is known by name.
 *
 * @typedef {object} Contract
 * @property {string} key
 * @property {number | null} number
 * @property {number} least fewest tricks that make it
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
 * @typedef {object} MatchFormat settings that are not set are absent
 * @property {number} [games_to_win]
 * @property {number} [hands]
 * @property {number} [minutes]
 * @property {"games" | "points"} [decided_by] games by default
 * @property {number} [charlemagne_points]
 * @property {"extra_hand" | "last_to_lead" | "higher_seed" | "lot"} [tie] who wins a level match; without it, nobody
 * @property {number} [favored] the side, 0 or 1, of the higher seed or of the lot
 */

import { Refusal } from "./refusals.js";

const LOWEST_PLAYED_BID = 5;

/** @param {Ruleset} ruleset @returns {Contract[]} the contracts that can be played, low to high */
export function listPlayedContracts({ contracts, ladder, plays_low_bids }) {
  return contracts.filter(
    ({ key, number }) => ladder.includes(key) && (plays_low_bids || number === null || number >= LOWEST_PLAYED_BID),
  );
}

/**
 * Returns the contract with that key, if it can be played. Throws: no_such_bid, below_minimum.
 *
 * @param {Ruleset} ruleset @param {string} key
 */
export function findContract(ruleset, key) {
  const played = listPlayedContracts(ruleset);
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

/** @param {MatchFormat} match_format @returns {boolean} whether a match can end before the game is won */
export function canStopWithinGame({ hands, minutes }) {
  return hands != null || minutes != null;
}
