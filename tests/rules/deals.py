"""A fixed deal and contracts prepared from it."""

from dataclasses import replace
from typing import Any

from rules import AuctionOutcome, Card, DealtCards, Play, Preparation, Ruleset, Seat, Suit, prepare_play


def parse_cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(card) for card in text.split())


CANADIAN_DEAL = DealtCards(
    dealer=Seat(3),
    hands=(
        parse_cards("AS KS QS 7S AH 7H 8D 9C"),
        parse_cards("JS 10S 9S 8S KH QH JH 10H"),
        parse_cards("AD KD QD JD 10D 9D 7D 9H"),
        parse_cards("AC KC QC JC 10C 8C 7C 8H"),
    ),
    kitty=parse_cards("X1 X2"),
)
MAINE_DEAL = replace(CANADIAN_DEAL, kitty=())


def prepared(
    ruleset: Ruleset,
    contract: str,
    trump_bid: Suit | None = None,
    *,
    dealt: DealtCards = CANADIAN_DEAL,
    **choices: Any,
) -> Play:
    """Return the play of the fixed deal, or of ``dealt``, with seat 0 as declarer."""
    outcome = AuctionOutcome(declarer=Seat(0), contract=ruleset.get_bid(contract), trump=trump_bid)
    choices = {name: parse_cards(chosen) if name == "discards" else chosen for name, chosen in choices.items()}
    return prepare_play(ruleset, dealt, outcome, Preparation(**choices))


CARD_VS_1: dict[str, Any] = {
    "mode": "card_vs_1",
    "partner_card": Card("AD"),
    "discards": "9C",
    "defender": Seat(1),
    "opponent_card": Card("AC"),
    "opponent_discard": Card("8S"),
}
"""Choices for a Charlemagne in Maine of seat 0 with a partner's card against seat 1 alone."""
