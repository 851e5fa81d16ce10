"""Reneges: the first illegal play among the cards played, and the rule that it broke.

The hands need not be known: a card played later was held all along.

=========  =============================  ===========================================================
document   section                        here
=========  =============================  ===========================================================
P, V, J    following suit                 ``BrokenRule.MUST_FOLLOW``
P          Mulot: rules for Jokers        ``BrokenRule.MUST_PLAY_JOKER``
P, G, J    the winner of a trick leads    ``BrokenRule.OUT_OF_TURN``, with whose turn it was
RULES §3   who is out plays no card       ``BrokenRule.SEAT_SITS_OUT``
RULES D9   irregularities                 no penalty here: the director rules
=========  =============================  ===========================================================
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from errors import Refusal

from .cards import Card, CardOrder
from .contracts import TRICKS
from .play import Duty, Trick, obligation, winner_of
from .seats import Seat


class BrokenRule(StrEnum):
    """The rule that an illegal play broke; in the order in which a play is judged."""

    PLAY_IS_OVER = "play_is_over"
    SEAT_SITS_OUT = "seat_sits_out"
    OUT_OF_TURN = "out_of_turn"
    CARD_PLAYED_TWICE = "card_played_twice"
    CARD_NOT_HELD = "card_not_held"
    MUST_FOLLOW = "must_follow"
    MUST_PLAY_JOKER = "must_play_joker"


class Withheld(NamedTuple):
    """A card that should have been played, and the trick, from 1, in which it was played; None: not yet."""

    card: Card
    trick: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IllegalPlay:
    """The play at this place of the list, from 0, in this trick, from 1.

    ``turn`` is the seat whose turn it was, None once the play was over; ``withheld`` the cards of a renege
    that are known to have been held: those that the player plays later, then those still in hand.
    """

    rule: BrokenRule
    place: int
    trick: int
    seat: Seat
    card: Card
    turn: Seat | None
    withheld: tuple[Withheld, ...] = ()


_RENEGES = {Duty.FOLLOW: BrokenRule.MUST_FOLLOW, Duty.PLAY_JOKER: BrokenRule.MUST_PLAY_JOKER}


def first_illegal_play(
    order: CardOrder,
    played: Trick,
    *,
    active: Sequence[Seat],
    leader: Seat,
    hands: Sequence[Sequence[Card]] | None = None,
) -> IllegalPlay | None:
    """Return the first illegal play; None if all are legal, as far as anybody can tell.

    ``played`` are the cards of all tricks, in order, with their seats; ``active`` the seats that play,
    clockwise. ``hands`` are the cards of each seat before the first lead, if known: otherwise only the cards
    that a player plays later show what was held. Refuses: seat_sits_out, no_such_card.
    """
    if leader not in active:
        raise Refusal("seat_sits_out", field="leader", seat=leader)
    table = _Table(order, played, _first_places(order, played), tuple(active), hands)
    turn = leader
    trick: Trick = ()
    for place, (seat, card) in enumerate(played):
        illegal = table.judge(place, turn, trick)
        if illegal is not None:
            return illegal
        trick = (*trick, (seat, card))
        turn = table.active[(table.active.index(seat) + 1) % len(table.active)]
        if len(trick) == len(table.active):
            turn, trick = winner_of(order, trick), ()
    return None


def _first_places(order: CardOrder, played: Trick) -> dict[Card, int]:
    """Return the place at which each card was played, the first if more than once. Refuses: no_such_card."""
    places: dict[Card, int] = {}
    for place, (_, card) in enumerate(played):
        if card not in order.suits:
            raise Refusal("no_such_card", field="played", card=card)
        places.setdefault(card, place)
    return places


@dataclass(frozen=True, slots=True)
class _Table:
    """All plays of a hand, to be judged one by one; ``places`` are those at which each card was played."""

    order: CardOrder
    played: Trick
    places: Mapping[Card, int]
    active: tuple[Seat, ...]
    hands: Sequence[Sequence[Card]] | None

    def judge(self, place: int, turn: Seat, trick: Trick) -> IllegalPlay | None:
        """Return the fault of the play at this place, if all before it are legal; None if it has none."""
        seat, card = self.played[place]
        held = self._cards_held(seat, place)
        rule = self._broken_in_turn(place, turn) or (None if card in held else BrokenRule.CARD_NOT_HELD)
        due: tuple[Card, ...] = ()
        if rule is None:
            duty, cards = obligation(self.order, held, trick)
            if card in cards:
                return None
            rule, due = _RENEGES[duty], cards
        return IllegalPlay(
            rule=rule,
            place=place,
            trick=self._trick_of(place),
            seat=seat,
            card=card,
            turn=None if rule is BrokenRule.PLAY_IS_OVER else turn,
            withheld=self._withheld_cards(seat, due),
        )

    def _broken_in_turn(self, place: int, turn: Seat) -> BrokenRule | None:
        """Return the rule that a play breaks whatever the player holds."""
        seat, card = self.played[place]
        if place >= TRICKS * len(self.active):
            return BrokenRule.PLAY_IS_OVER
        if seat not in self.active:
            return BrokenRule.SEAT_SITS_OUT
        if seat != turn:
            return BrokenRule.OUT_OF_TURN
        return BrokenRule.CARD_PLAYED_TWICE if self.places[card] < place else None

    def _cards_held(self, seat: Seat, place: int) -> tuple[Card, ...]:
        """Return the cards that this seat is known to hold just before this place, as dealt or as played
        later."""
        if self.hands is None:
            return tuple(card for card in self.places if self._came_out(seat, card, since=place) is not None)
        return tuple(card for card in self.hands[seat] if self.places.get(card, place) >= place)

    def _came_out(self, seat: Seat, card: Card, *, since: int = 0) -> int | None:
        """Return the place at which this seat plays this card."""
        place = self.places.get(card)
        return place if place is not None and place >= since and self.played[place][0] == seat else None

    def _withheld_cards(self, seat: Seat, due: tuple[Card, ...]) -> tuple[Withheld, ...]:
        places = {card: self._came_out(seat, card) for card in due}
        late = len(self.played)
        return tuple(
            Withheld(card, None if place is None else self._trick_of(place))
            for card, place in sorted(places.items(), key=lambda item: late if item[1] is None else item[1])
        )

    def _trick_of(self, place: int) -> int:
        return place // len(self.active) + 1
