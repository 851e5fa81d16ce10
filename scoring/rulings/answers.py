"""Rulings on a trick: the winner, and the cards that may be played, each with the rule. Plain values over
``rules``.

``static/js/rules.js`` does this on a phone without a network; both are tested by
``tests/vectors/rulings.json``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from rules import (
    JOKER,
    JOKERS,
    Card,
    CardOrder,
    Contract,
    Duty,
    Ruleset,
    Seat,
    Suit,
    TrumpRule,
    get_card_order,
    get_obligation,
    get_trick_winner,
)
from scoring.playing_cards import CardView


@dataclass(frozen=True, slots=True, kw_only=True)
class TrumpChoice:
    """An order of the cards that a hand can be played by: a trump suit, or the contracts without one.

    ``key`` is the suit, or the first of those contracts; ``contracts`` are all contracts played by this
    order.
    """

    key: str
    suit: Suit | None
    trump: TrumpRule
    contracts: tuple[str, ...]
    order: CardOrder

    @property
    def little_jack(self) -> CardView | None:
        """The jack that belongs to a suit other than its own."""
        jacks = [card for card in self.order.suits if card[0] == "J" and self.order.suits[card] != card[-1]]
        return CardView(jacks[0]) if jacks else None

    @property
    def has_jokers(self) -> bool:
        return JOKER in self.order.suits

    def plain(self) -> dict[str, Any]:
        """Return the order for ``rules.js``: the cards of each suit, high to low."""
        suits = {suit: list(self.order.list_cards(suit)) for suit in sorted(set(self.order.suits.values()))}
        return {"trumps": self.order.trumps, "mustTrump": self.order.must_trump, "suits": suits}


def list_trump_choices(ruleset: Ruleset) -> tuple[TrumpChoice, ...]:
    """Return every order of cards that a ruleset uses: the four trump suits, then those without, low to
    high."""
    choices: list[TrumpChoice] = []
    trumps = dict.fromkeys(contract.trump for contract in ruleset.playable)
    for trump in sorted(trumps, key=lambda trump: trump is not TrumpRule.NAMED):
        contracts = [contract for contract in ruleset.playable if contract.trump is trump]
        suits = tuple(Suit) if trump is TrumpRule.NAMED else (None,)
        choices += [_build_choice(ruleset, contracts, suit) for suit in suits]
    return tuple(choices)


def _build_choice(ruleset: Ruleset, contracts: Sequence[Contract], suit: Suit | None) -> TrumpChoice:
    return TrumpChoice(
        key=suit.value if suit else contracts[0].key,
        suit=suit,
        trump=contracts[0].trump,
        contracts=tuple(contract.key for contract in contracts),
        order=get_card_order(ruleset, contracts[0], suit),
    )


class WinReason(StrEnum):
    """Reason why a card wins its trick."""

    ONLY_CARD = "only_card"
    ONLY_TRUMP = "only_trump"
    HIGHEST_TRUMP = "highest_trump"
    ONLY_OF_SUIT = "only_of_suit"
    HIGHEST_OF_SUIT = "highest_of_suit"


class PlayRule(StrEnum):
    """Rule that decides what may be played to a trick."""

    LEAD = "lead"
    FOLLOW = "follow"
    FOLLOW_TRUMP = "follow_trump"
    FOLLOW_JOKER = "follow_joker"
    PLAY_JOKER = "play_joker"
    ANY = "any"
    ANY_JOKER_LED = "any_joker_led"


class TrickWinner(NamedTuple):
    """The place of the winning card in its trick, from 0, and why it wins."""

    place: int
    reason: WinReason


class LegalCards(NamedTuple):
    """The cards that may be played, in the order of the hand, and the rule that says so."""

    rule: PlayRule
    cards: tuple[Card, ...]


def find_winner(order: CardOrder, trick: Sequence[Card]) -> TrickWinner:
    """Return the winner of these cards, played in this order. Refuses: empty_trick."""
    place = get_trick_winner(order, _assign_seats(trick))
    suit = order.suits[trick[place]]
    rivals = sum(order.suits[card] == suit for card in trick) - 1
    if len(trick) == 1:
        return TrickWinner(place, WinReason.ONLY_CARD)
    if suit == order.trumps:
        return TrickWinner(place, WinReason.HIGHEST_TRUMP if rivals else WinReason.ONLY_TRUMP)
    return TrickWinner(place, WinReason.HIGHEST_OF_SUIT if rivals else WinReason.ONLY_OF_SUIT)


def find_legal_cards(order: CardOrder, trick: Sequence[Card], hand: Sequence[Card]) -> LegalCards:
    """Return the cards that this hand may play to the trick so far."""
    duty, cards = get_obligation(order, hand, _assign_seats(trick))
    suit_led = order.suits[trick[0]] if trick else None
    rules = {
        Duty.LEAD: PlayRule.LEAD,
        Duty.FOLLOW: PlayRule.FOLLOW_TRUMP if suit_led == order.trumps else PlayRule.FOLLOW,
        Duty.PLAY_JOKER: PlayRule.PLAY_JOKER,
        Duty.NONE: PlayRule.ANY,
    }
    if suit_led == JOKERS:
        rules |= {Duty.FOLLOW: PlayRule.FOLLOW_JOKER, Duty.NONE: PlayRule.ANY_JOKER_LED}
    return LegalCards(rules[duty], cards)


def _assign_seats(trick: Sequence[Card]) -> list[tuple[Seat, Card]]:
    """Give the cards seats in the order of play; which seats makes no difference to a ruling."""
    return [(Seat(place), card) for place, card in enumerate(trick)]
