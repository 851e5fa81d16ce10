"""The player by rules of thumb: counts tricks, bids what it can expect, and plays as people are taught to.

No search, no chance and no learning: every decision is a rule that can be read and debated.
"""

from dataclasses import dataclass

from rules.auction import Call
from rules.cards import Card, CardOrder, order_with, order_without
from rules.contracts import TrumpRule
from rules.dealing import Hand
from rules.play import Play
from rules.preparation import card_order, remove_cards
from rules.rulesets import Ruleset
from rules.seats import Suit

from .bidding import best_mode, expected_call
from .memory import Moment
from .player import SeatView
from .trick_avoidance import card_that_dodges
from .trick_taking import card_that_takes
from .valuing import best_trump, dangers, high_cards, trumps_with_missing

WORTH_KEEPING = 4
"""Tenths that a drawn card must add to be kept, in the hand of two players, rather than an unseen one."""


@dataclass(frozen=True, slots=True)
class SensiblePlayer:
    """A player that bids the most it can expect to make, and plays by rules of thumb. It uses no chance: the
    seed is ignored."""

    def keeps_first(self, ruleset: Ruleset, kept: Hand, seen: Hand, *, seed: str) -> bool:
        if len(seen) == 2:
            return _promise(ruleset, (*kept, seen[0])) >= _promise(ruleset, (*kept, seen[1]))
        return _promise(ruleset, (*kept, *seen)) - _promise(ruleset, kept) >= WORTH_KEEPING

    def call(self, view: SeatView, *, seed: str) -> Call:
        return expected_call(view)

    def mode(self, view: SeatView, modes: tuple[str, ...], *, seed: str) -> str:
        return best_mode(modes)

    def gives(self, view: SeatView, *, seed: str) -> Card:
        order = _order_before_play(view)
        return max(view.hand, key=lambda card: _keeping(order, card, view.hand))

    def discards(self, view: SeatView, count: int, *, seed: str) -> Hand:
        order = _order_before_play(view)
        dodges = view.outcome.contract.most == 0
        laid_down: Hand = ()
        for _ in range(count):
            left = remove_cards(view.hand, laid_down, field="discards")
            if dodges:
                danger_of = dangers(order, left)
                card = max(left, key=lambda card: (danger_of[card], order.strengths[card]))
            else:
                card = min(left, key=lambda card: _keeping(order, card, left))
            laid_down = (*laid_down, card)
        return laid_down

    def trump(self, view: SeatView, *, seed: str) -> Suit:
        return best_trump(view.ruleset, view.hand)

    def defends_alone(self, view: SeatView, *, seed: str) -> bool:
        """Play alone only with a trick that cannot be lost: otherwise two opponents are better than one."""
        order = _order_before_play(view)
        trumps = trumps_with_missing(order, view.hand)
        return any(len(trumps) > missing for _, missing in trumps[:1])

    def card(self, view: SeatView, play: Play, *, seed: str) -> Card:
        moment = Moment.of(play, aside=view.aside)
        return card_that_dodges(moment) if play.contract.most == 0 else card_that_takes(moment)


def _promise(ruleset: Ruleset, hand: Hand) -> int:
    """Return the value of a hand that is still being drawn, in its best suit."""
    return max(high_cards(order_with(ruleset.trump_order, suit), hand) for suit in Suit)


def _order_before_play(view: SeatView) -> CardOrder:
    """Return the order of the contract; while its trump is still to be named, by the declarer's best suit."""
    outcome, ruleset = view.outcome, view.ruleset
    if outcome.contract.trump is not TrumpRule.NAMED or outcome.trump is not None:
        return card_order(ruleset, outcome.contract, outcome.trump)
    if view.seat == outcome.declarer:
        return order_with(ruleset.trump_order, best_trump(ruleset, view.hand))
    # Nobody else knows more than that the Jokers will be high.
    return order_without(ruleset.trump_order, must_trump=False)


def _keeping(order: CardOrder, card: Card, hand: Hand) -> tuple[int, int, int]:
    """Return how much a card is worth keeping: trumps, aces and kings, then cards that are not the last of a
    short suit."""
    suit = order.suits[card]
    length = sum(order.suits[other] == suit for other in hand)
    if suit == order.trumps:
        return 3, order.strengths[card], 0
    if card[:-1] == "A":
        return 2, 0, 0
    return int(card[:-1] == "K" and length > 1), length, order.strengths[card]
