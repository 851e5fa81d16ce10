/**
 * Finds who wins a trick and which cards may be played, like scoring/rulings/answers.py, on a phone without a network.
 * Both are tested by tests/vectors/rulings.json. Uses no page: values in, values out.
 *
 * @typedef {string} Card by its notation: "10H"; the Jokers are "X1", the higher one, and "X2"
 * @typedef {object} CardOrder
 * @property {string | null} trumps the suit that beats the others: S, H, D, C, X for Jokers of no suit; null: none
 * @property {boolean} mustTrump whether a player who cannot follow suit must play a trump
 * @property {Record<string, Card[]>} suits the cards of each suit, high to low
 */

const JOKER_SUIT = "X";

/** @param {CardOrder} order @param {Card} card @returns {string} the suit that the card belongs to, if any */
export function findSuit(order, card) {
  return Object.keys(order.suits).find((suit) => order.suits[suit].includes(card)) ?? "";
}

/**
 * @param {CardOrder} order
 * @param {Card[]} trick at least one card, in the order in which they were played
 * @returns {{place: number, by: string}} the index of the winning card, and the reason
 */
export function findWinner(order, trick) {
  const suits = trick.map((card) => findSuit(order, card));
  const suit = order.trumps && suits.includes(order.trumps) ? order.trumps : suits[0];
  const card = order.suits[suit].find((each) => trick.includes(each)) ?? "";
  const isOnlyCard = suits.filter((each) => each === suit).length === 1;
  const by = (isOnlyCard ? "only_" : "highest_") + (suit === order.trumps ? "trump" : "of_suit");
  return { place: trick.indexOf(card), by: trick.length === 1 ? "only_card" : by };
}

/**
 * @param {CardOrder} order
 * @param {Card[]} trick the cards on the table so far
 * @param {Card[]} hand
 * @returns {{by: string, cards: Card[]}} the cards that may be played, and the rule
 */
export function listPlayableCards(order, trick, hand) {
  if (!trick.length) return { by: "lead", cards: hand };
  const ledSuit = findSuit(order, trick[0]);
  /** @param {string} suit */
  const listCardsOfSuit = (suit) => hand.filter((card) => findSuit(order, card) === suit);
  const followers = listCardsOfSuit(ledSuit);
  if (followers.length) {
    if (ledSuit === JOKER_SUIT) return { by: "follow_joker", cards: followers };
    return { by: ledSuit === order.trumps ? "follow_trump" : "follow", cards: followers };
  }
  const trumps = order.mustTrump && order.trumps ? listCardsOfSuit(order.trumps) : [];
  if (trumps.length) return { by: "play_joker", cards: trumps };
  return { by: ledSuit === JOKER_SUIT ? "any_joker_led" : "any", cards: hand };
}
