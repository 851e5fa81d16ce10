/**
 * Who wins a trick, and what may be played: what scoring/rulings/answers.py says, on a phone without a network.
 * Both answer tests/vectors/rulings.json. No page, no words: values in, values out.
 *
 * @typedef {string} Card by its notation: "10H"; the Jokers are "X1", the higher one, and "X2"
 * @typedef {object} Order
 * @property {string | null} trumps the suit that beats the others: S, H, D, C, X for Jokers of no suit; null: none
 * @property {boolean} mustTrump whether who cannot follow suit must play a trump
 * @property {Record<string, Card[]>} suits the cards of each suit, high to low
 */

const JOKERS = "X";

/** @param {Order} order @param {Card} card @returns {string} the suit that the card belongs to, if any */
export function suitOf(order, card) {
  return Object.keys(order.suits).find((suit) => order.suits[suit].includes(card)) ?? "";
}

/**
 * @param {Order} order
 * @param {Card[]} trick at least one card, in the order in which they were played
 * @returns {{place: number, by: string}} the place of the winning card, from 0, and why it wins
 */
export function winner(order, trick) {
  const suits = trick.map((card) => suitOf(order, card));
  const suit = order.trumps && suits.includes(order.trumps) ? order.trumps : suits[0];
  const card = order.suits[suit].find((each) => trick.includes(each)) ?? "";
  const isOnly = suits.filter((each) => each === suit).length === 1;
  const by = (isOnly ? "only_" : "highest_") + (suit === order.trumps ? "trump" : "of_suit");
  return { place: trick.indexOf(card), by: trick.length === 1 ? "only_card" : by };
}

/**
 * @param {Order} order
 * @param {Card[]} trick the cards on the table so far
 * @param {Card[]} hand
 * @returns {{by: string, cards: Card[]}} the cards that may be played, and the rule that says so
 */
export function mayPlay(order, trick, hand) {
  if (!trick.length) return { by: "lead", cards: hand };
  const led = suitOf(order, trick[0]);
  /** @param {string} suit */
  const ofSuit = (suit) => hand.filter((card) => suitOf(order, card) === suit);
  const followers = ofSuit(led);
  if (followers.length) {
    if (led === JOKERS) return { by: "follow_joker", cards: followers };
    return { by: led === order.trumps ? "follow_trump" : "follow", cards: followers };
  }
  const trumps = order.mustTrump && order.trumps ? ofSuit(order.trumps) : [];
  if (trumps.length) return { by: "play_joker", cards: trumps };
  return { by: led === JOKERS ? "any_joker_led" : "any", cards: hand };
}
