"""The value of a hand, by rules of thumb: tenths of tricks, sure tricks, and the danger of taking one.

The tenths are rounded from those that best fit the tricks of some twenty thousand simulated deals, in
rulesets with Jokers and without.
"""

from collections.abc import Iterable, Sequence

from rules.cards import Card, CardOrder, get_trump_order
from rules.rulesets import Ruleset
from rules.seats import Suit

TRICK = 10
"""Tenths in a trick."""

TRUMP_VALUES = (10, 7, 5)
"""Tenths for a trump, by how many stronger ones are not in the hand."""

SMALL_TRUMP = 4
"""Tenths for any other trump."""

ACE, GUARDED_KING = 5, 2
VOID, SINGLETON = 5, 2
"""Tenths for side suits that can be ruffed."""

FORCED_TRUMP = 8
"""The danger of a Joker in a contract to take no trick."""


def group_by_suit(order: CardOrder, cards: Iterable[Card]) -> dict[str, list[Card]]:
    """Return the cards by suit, high to low."""
    suits: dict[str, list[Card]] = {}
    for card in sorted(cards, key=order.strengths.__getitem__, reverse=True):
        suits.setdefault(order.suits[card], []).append(card)
    return suits


def list_trumps_with_missing(order: CardOrder, hand: Iterable[Card]) -> list[tuple[Card, int]]:
    """Return the trumps, high to low, each with how many stronger ones are not in the hand."""
    highest = max(order.strengths.values())
    trumps = group_by_suit(order, hand).get(order.trumps or "", [])
    return [(card, highest - order.strengths[card] - place) for place, card in enumerate(trumps)]


def value_high_cards(order: CardOrder, hand: Sequence[Card]) -> int:
    """Return the tenths of tricks for trumps, aces and guarded kings."""
    value = sum(
        TRUMP_VALUES[missing] if missing < len(TRUMP_VALUES) else SMALL_TRUMP
        for _, missing in list_trumps_with_missing(order, hand)
    )
    for suit, cards in group_by_suit(order, hand).items():
        if suit != order.trumps:
            ranks = [card[:-1] for card in cards]
            value += ACE if "A" in ranks else 0
            value += GUARDED_KING if "K" in ranks and len(ranks) > 1 else 0
    return value


def value_short_suits(order: CardOrder, hand: Sequence[Card]) -> int:
    """Return the tenths of tricks for side suits that can soon be ruffed, if there is a trump to spare."""
    suits = group_by_suit(order, hand)
    if len(suits.get(order.trumps or "", [])) < 2:
        return 0
    lengths = [len(suits.get(suit, [])) for suit in Suit if suit != order.trumps]
    return VOID * lengths.count(0) + SINGLETON * lengths.count(1)


def estimate_tricks(order: CardOrder, hand: Sequence[Card]) -> int:
    """Return the tenths of tricks that the hand may expect with these trumps."""
    return value_high_cards(order, hand) + value_short_suits(order, hand)


def choose_best_trump(ruleset: Ruleset, hand: Sequence[Card]) -> Suit:
    """Return the suit in which the hand takes the most tricks."""
    return max(Suit, key=lambda suit: estimate_tricks(get_trump_order(ruleset.trump_order, suit), hand))


def count_tricks_on_lead(order: CardOrder, hand: Sequence[Card]) -> int:
    """Return the tricks that the hand on lead is nearly certain to take.

    These are the cards of each suit from the top down, and all of a suit that runs: one in which those are at
    least half as many as others have, so that two hands are drawn empty. None, if the trumps do not run:
    anything else may be ruffed.
    """
    hand_suits = group_by_suit(order, hand)
    sure = 0
    for suit, all_cards in group_by_suit(order, order.suits).items():
        cards = hand_suits.get(suit, [])
        masters = sum(card == highest for card, highest in zip(cards, all_cards, strict=False))
        runs = 2 * masters >= len(all_cards) - len(cards)
        if suit == order.trumps and not runs:
            return 0
        sure += len(cards) if runs else masters
    return sure


def get_card_dangers(order: CardOrder, hand: Sequence[Card]) -> dict[Card, int]:
    """Return for each card how far it is from being played safely under a card of another player.

    The lowest card of a suit should be its lowest, the second at most the third lowest, and so on in steps of
    two. Every rank above that counts one; a trump that has to be played counts ``FORCED_TRUMP``.
    """
    suit_cards = group_by_suit(order, order.suits)
    return {
        card: FORCED_TRUMP if suit == order.trumps else max(0, suit_cards[suit][::-1].index(card) - 2 * place)
        for suit, cards in group_by_suit(order, hand).items()
        for place, card in enumerate(reversed(cards))
    }


def compute_danger(order: CardOrder, hand: Sequence[Card]) -> int:
    """Return how far the hand is from taking no trick: 0 is safe."""
    return sum(get_card_dangers(order, hand).values())
