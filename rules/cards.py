"""The cards: packs, notation, and the rank of each card under a contract.

A card is written as its rank and its suit, ``AS``, ``10H``; the Jokers are ``X1``, the blanche (the higher
one), and ``X2``.

=========  ================================  ==============================================================
document   section                           here
=========  ================================  ==============================================================
P          Players and Cards                 34 cards, Jokers high: ``JOKERS_HIGH``
P, G, J    32-card game, L'ordre des cartes  the nine high: ``NINE_HIGH``
J          Variante avec Jokers              the nine has no higher value: ``JOKERS_HIGH``
P, G, J    the other suits                   ``SIDE_SUIT_ORDER``; the suit of trump's colour lacks its jack
P          Mulot                             the Jokers as the only trumps: ``CardOrder`` with ``JOKERS``
RULES §2   contracts without trump           jacks and nines are ordinary cards of their own suit
=========  ================================  ==============================================================
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NewType

from errors import Refusal

from .seats import Suit

Card = NewType("Card", str)
"""A card in its notation: ``Card("10H")``."""

BLANCHE = Card("X1")
JOKER = Card("X2")

JOKERS = "X"
"""The suit of the Jokers when they are the only trumps."""

LITTLE_JACK = "j"
"""The little jack, the other jack of trump's colour, in an order of trumps."""

SIDE_SUIT_ORDER = ("A", "K", "Q", "J", "10", "9", "8", "7")
"""Ranks of a suit that is not trump, high to low."""

JOKERS_HIGH = (BLANCHE, JOKER, "J", LITTLE_JACK, "A", "K", "Q", "10", "9", "8", "7")
NINE_HIGH = ("9", "J", LITTLE_JACK, "A", "K", "Q", "10", "8", "7")

SAME_COLOUR = {
    Suit.SPADES: Suit.CLUBS,
    Suit.HEARTS: Suit.DIAMONDS,
    Suit.DIAMONDS: Suit.HEARTS,
    Suit.CLUBS: Suit.SPADES,
}

PACK_32 = tuple(Card(f"{rank}{suit}") for suit in Suit for rank in SIDE_SUIT_ORDER)
PACK_34 = (*PACK_32, BLANCHE, JOKER)

_ALL_CARDS = frozenset(PACK_34)
_SUIT_ROTATION = {"S": "HCD", "H": "SDC", "D": "SHC", "C": "HSD"}
"""The other suits by the trump suit, red and black in turn."""


def read_card(text: str) -> Card:
    """Return the card of that notation, in capitals or not. Refuses: no_such_card."""
    card = Card(text.strip().upper())
    if card not in _ALL_CARDS:
        raise Refusal("no_such_card", field="cards", card=text)
    return card


def get_pack(trump_order: tuple[str, ...]) -> tuple[Card, ...]:
    """Return the pack for this order of trumps: with two Jokers or without."""
    return PACK_34 if BLANCHE in trump_order else PACK_32


@dataclass(frozen=True, slots=True)
class CardOrder:
    """The suit and the strength of every card under one contract.

    ``suits`` gives S, H, D, C, or X for Jokers that are no part of a named suit. ``trumps`` is the suit that
    beats the others, None if there is none. ``strengths`` rank cards within a suit, and any trump above
    anything else. If ``must_trump`` is set, a player who cannot follow suit must play a trump (P, Mulot).
    """

    suits: Mapping[Card, str]
    strengths: Mapping[Card, int]
    trumps: str | None
    must_trump: bool

    def list_cards(self, suit: str) -> tuple[Card, ...]:
        """Return all the cards of this suit, high to low."""
        cards = (card for card, card_suit in self.suits.items() if card_suit == suit)
        return tuple(sorted(cards, key=self.strengths.__getitem__, reverse=True))

    def sort_hand(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Sort cards as players hold them: trumps first, then red and black suits in turn, each high to
        low."""
        others = _SUIT_ROTATION.get(self.trumps or JOKERS, "SHCD")
        places = {suit: place for place, suit in enumerate([self.trumps, *others][::-1])}
        return tuple(sorted(cards, key=lambda card: (places[self.suits[card]], self.strengths[card]), reverse=True))


@lru_cache
def get_trump_order(trump_order: tuple[str, ...], trump: Suit) -> CardOrder:
    """Return the order of a contract with a named trump suit. The little jack and the Jokers belong to that
    suit."""
    little_jack = Card(f"J{SAME_COLOUR[trump]}")
    special = {LITTLE_JACK: little_jack, BLANCHE: BLANCHE, JOKER: JOKER}
    trumps = [special.get(rank, Card(f"{rank}{trump}")) for rank in trump_order]
    return _build_order(trumps, suit=trump, must_trump=False)


@lru_cache
def get_no_trump_order(trump_order: tuple[str, ...], *, must_trump: bool) -> CardOrder:
    """Return the order of a contract without a trump suit: the Jokers of the pack, if any, are the only
    trumps."""
    jokers = [Card(rank) for rank in trump_order if rank in (BLANCHE, JOKER)]
    return _build_order(jokers, suit=JOKERS if jokers else None, must_trump=must_trump)


def _build_order(trumps: list[Card], *, suit: str | None, must_trump: bool) -> CardOrder:
    side_cards = [card for card in PACK_32 if card not in trumps]
    suits: dict[Card, str] = {card: card[-1] for card in side_cards}
    strengths = {card: len(SIDE_SUIT_ORDER) - SIDE_SUIT_ORDER.index(card[:-1]) for card in side_cards}
    for beaten, card in enumerate(reversed(trumps), start=1):
        suits[card] = str(suit)
        strengths[card] = len(SIDE_SUIT_ORDER) + beaten
    return CardOrder(suits, strengths, suit and str(suit), must_trump)
