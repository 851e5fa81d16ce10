"""Card play: legal cards, the winner of a trick, and the tricks of each side.

=========  ============================  =============================================================
document   section                       here
=========  ============================  =============================================================
P, V, J    following suit                ``get_obligation``: ``Duty.FOLLOW``, ``Duty.NONE``
P          the little jack, the Jokers   ``CardOrder.suits``: they belong to the trump suit
P          Mulot: rules for Jokers       ``Duty.PLAY_JOKER``; a led Joker is followed by the other one
P, G, J    winner of a trick             ``get_trick_winner``
RULES §3   seats out of the hand         ``Play.active``
=========  ============================  =============================================================
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from errors import Refusal

from .cards import Card, CardOrder
from .contracts import TRICKS, Contract
from .seats import Seat, Side, get_side

Trick = tuple[tuple[Seat, Card], ...]
"""The cards of one trick with their seats, in order."""


class Duty(StrEnum):
    """The rule that decides which cards a player in turn may play."""

    LEAD = "lead"
    FOLLOW = "follow"
    PLAY_JOKER = "play_joker"
    NONE = "none"


class Obligation(NamedTuple):
    """The rule for a player in turn, and the cards that it allows."""

    duty: Duty
    cards: tuple[Card, ...]


def get_obligation(order: CardOrder, hand: Sequence[Card], trick: Sequence[tuple[Seat, Card]]) -> Obligation:
    """Return which of these cards may be played to this trick, and by which rule (RULES §3)."""
    if not trick:
        return Obligation(Duty.LEAD, tuple(hand))
    suits = order.suits
    led_suit = suits[trick[0][1]]
    following_cards = tuple(card for card in hand if suits[card] == led_suit)
    if following_cards:
        return Obligation(Duty.FOLLOW, following_cards)
    if order.must_trump:
        trumps = tuple(card for card in hand if suits[card] == order.trumps)
        if trumps:
            return Obligation(Duty.PLAY_JOKER, trumps)
    return Obligation(Duty.NONE, tuple(hand))


def get_trick_winner(order: CardOrder, trick: Sequence[tuple[Seat, Card]]) -> Seat:
    """Return the seat that wins these cards: the highest trump, else the highest card of the suit led.

    Refuses: empty_trick.
    """
    if not trick:
        raise Refusal("empty_trick", field="trick")
    suits, strengths = order.suits, order.strengths
    wins = (suits[trick[0][1]], order.trumps)
    return max(trick, key=lambda played: strengths[played[1]] if suits[played[1]] in wins else 0)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """The play of one hand so far. ``hands`` are the cards that each seat still holds; empty for one that
    sits out. ``winners`` are those of the finished tricks in ``tricks``."""

    contract: Contract
    declarer: Seat
    order: CardOrder
    active: tuple[Seat, ...]
    first_leader: Seat
    hands: tuple[tuple[Card, ...], ...]
    tricks: tuple[Trick, ...] = ()
    winners: tuple[Seat, ...] = ()
    trick: Trick = ()

    @property
    def is_over(self) -> bool:
        return len(self.tricks) == TRICKS

    @property
    def turn(self) -> Seat:
        """The seat that plays next; at the end, the winner of the last trick."""
        if not self.trick:
            return self.winners[-1] if self.winners else self.first_leader
        place = self.active.index(self.trick[-1][0]) + 1
        return self.active[place % len(self.active)]

    @property
    def obligation(self) -> Obligation:
        """The rule for the seat in turn, and the cards that it may play."""
        return get_obligation(self.order, self.hands[self.turn], self.trick)

    @property
    def is_open(self) -> bool:
        """Whether the declarer's hand lies open on the table (P, Gros Mulot)."""
        return self.contract.open_after is not None and len(self.tricks) >= self.contract.open_after

    def count_tricks_won(self, side: Side) -> int:
        """Return the tricks of this side so far."""
        return sum(get_side(winner) is side for winner in self.winners)

    @property
    def declarer_tricks(self) -> int:
        """The tricks of the declaring side so far; in a hand played alone, those of the declarer."""
        return self.count_tricks_won(get_side(self.declarer))

    def add_card(self, seat: Seat, card: Card) -> "Play":
        """Return the play after this card. Refuses: see ``find_refusal``."""
        refusal = self.find_refusal(seat, card)
        if refusal is not None:
            raise refusal
        return self.play_legal_card(card)

    def find_refusal(self, seat: Seat, card: Card) -> Refusal | None:
        """Return why this seat may not play this card; None if it may.

        Codes: play_is_over, seat_sits_out, out_of_turn, card_not_held, must_follow, must_play_joker.
        """
        if self.is_over:
            return Refusal("play_is_over", field="play")
        if seat not in self.active:
            return Refusal("seat_sits_out", field="play", seat=seat)
        if seat != self.turn:
            return Refusal("out_of_turn", field="play", seat=seat, turn=self.turn)
        if card not in self.hands[seat]:
            return Refusal("card_not_held", field="play", seat=seat, card=card)
        duty, cards = self.obligation
        if card not in cards:
            return Refusal(
                "must_play_joker" if duty is Duty.PLAY_JOKER else "must_follow",
                field="play",
                seat=seat,
                card=card,
                legal=cards,
            )
        return None

    def play_legal_card(self, card: Card) -> "Play":
        """Return the play after a legal card of the seat in turn: ``add_card`` without its checks."""
        seat = self.turn
        hand = tuple(held for held in self.hands[seat] if held != card)
        trick = (*self.trick, (seat, card))
        is_full = len(trick) == len(self.active)
        return Play(
            contract=self.contract,
            declarer=self.declarer,
            order=self.order,
            active=self.active,
            first_leader=self.first_leader,
            hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]),
            tricks=(*self.tricks, trick) if is_full else self.tricks,
            winners=(*self.winners, get_trick_winner(self.order, trick)) if is_full else self.winners,
            trick=() if is_full else trick,
        )
