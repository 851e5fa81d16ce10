"""The player by rules of thumb: counts tricks, bids what it can expect, and plays as people are taught to.

No search, no chance and no learning: every decision is a rule that can be read and debated.
"""

from dataclasses import dataclass

from rules.auction import Call
from rules.cards import Card, CardOrder, get_no_trump_order, get_trump_order
from rules.contracts import TrumpRule
from rules.dealing import Hand
from rules.play import Play
from rules.preparation import get_card_order, remove_cards
from rules.rulesets import Ruleset
from rules.seats import Suit

from .bidding import choose_best_mode, choose_expected_call
from .memory import Moment
from .player import SeatView
from .trick_avoidance import choose_avoiding_card
from .trick_taking import choose_taking_card
from .valuation import choose_best_trump, get_card_dangers, list_trumps_with_missing, value_high_cards

MIN_KEEPING_GAIN = 4
"""Tenths that a drawn card must add to be kept, in the hand of two players, rather than an unseen one."""


@dataclass(frozen=True, slots=True)
class HeuristicPlayer:
    """A player that bids the most it can expect to make, and plays by rules of thumb. It uses no chance: the
    seed is ignored."""

    def decide_keep_first(self, ruleset: Ruleset, hand: Hand, visible: Hand, *, seed: str) -> bool:
        if len(visible) == 2:
            return _value_hand(ruleset, (*hand, visible[0])) >= _value_hand(ruleset, (*hand, visible[1]))
        return _value_hand(ruleset, (*hand, *visible)) - _value_hand(ruleset, hand) >= MIN_KEEPING_GAIN

    def choose_call(self, view: SeatView, *, seed: str) -> Call:
        return choose_expected_call(view)

    def choose_mode(self, view: SeatView, modes: tuple[str, ...], *, seed: str) -> str:
        return choose_best_mode(modes)

    def choose_gift(self, view: SeatView, *, seed: str) -> Card:
        order = _get_order_before_play(view)
        return max(view.hand, key=lambda card: _get_keep_value(order, card, view.hand))

    def choose_discards(self, view: SeatView, count: int, *, seed: str) -> Hand:
        order = _get_order_before_play(view)
        is_avoiding = view.outcome.contract.most == 0
        discarded: Hand = ()
        for _ in range(count):
            remaining = remove_cards(view.hand, discarded, field="discards")
            if is_avoiding:
                danger_by_card = get_card_dangers(order, remaining)
                card = max(remaining, key=lambda card: (danger_by_card[card], order.strengths[card]))
            else:
                card = min(remaining, key=lambda card: _get_keep_value(order, card, remaining))
            discarded = (*discarded, card)
        return discarded

    def choose_trump(self, view: SeatView, *, seed: str) -> Suit:
        return choose_best_trump(view.ruleset, view.hand)

    def decide_defend_alone(self, view: SeatView, *, seed: str) -> bool:
        """Play alone only with a trick that cannot be lost: otherwise two opponents are better than one."""
        order = _get_order_before_play(view)
        trumps = list_trumps_with_missing(order, view.hand)
        return any(len(trumps) > missing for _, missing in trumps[:1])

    def choose_card(self, view: SeatView, play: Play, *, seed: str) -> Card:
        moment = Moment.from_play(play, aside=view.aside)
        return choose_avoiding_card(moment) if play.contract.most == 0 else choose_taking_card(moment)


def _value_hand(ruleset: Ruleset, hand: Hand) -> int:
    """Return the value of a hand that is still being drawn, in its best suit."""
    return max(value_high_cards(get_trump_order(ruleset.trump_order, suit), hand) for suit in Suit)


def _get_order_before_play(view: SeatView) -> CardOrder:
    """Return the order of the contract; while its trump is still to be named, by the declarer's best suit."""
    outcome, ruleset = view.outcome, view.ruleset
    if outcome.contract.trump is not TrumpRule.NAMED or outcome.trump is not None:
        return get_card_order(ruleset, outcome.contract, outcome.trump)
    if view.seat == outcome.declarer:
        return get_trump_order(ruleset.trump_order, choose_best_trump(ruleset, view.hand))
    # Nobody else knows more than that the Jokers will be high.
    return get_no_trump_order(ruleset.trump_order, must_trump=False)


def _get_keep_value(order: CardOrder, card: Card, hand: Hand) -> tuple[int, int, int]:
    """Return how much a card is worth keeping: trumps, aces and kings, then cards that are not the last of a
    short suit."""
    suit = order.suits[card]
    length = sum(order.suits[other] == suit for other in hand)
    if suit == order.trumps:
        return 3, order.strengths[card], 0
    if card[:-1] == "A":
        return 2, 0, 0
    return int(card[:-1] == "K" and length > 1), length, order.strengths[card]
