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
from .play import Duty, Trick, get_obligation, get_trick_winner
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


def find_first_illegal_play(
    order: CardOrder,
    plays: Trick,
    *,
    active: Sequence[Seat],
    leader: Seat,
    hands: Sequence[Sequence[Card]] | None = None,
) -> IllegalPlay | None:
    """Return the first illegal play; None if all are legal, as far as anybody can tell.

    ``plays`` are the cards of all tricks, in order, with their seats; ``active`` the seats that play,
    clockwise. ``hands`` are the cards of each seat before the first lead, if known: otherwise only the cards
    that a player plays later show what was held. Refuses: seat_sits_out, no_such_card.
    """
    if leader not in active:
        raise Refusal("seat_sits_out", field="leader", seat=leader)
    table = _Table(order, plays, _index_first_places(order, plays), tuple(active), hands)
    turn = leader
    trick: Trick = ()
    for place, (seat, card) in enumerate(plays):
        illegal = table.judge(place, turn, trick)
        if illegal is not None:
            return illegal
        trick = (*trick, (seat, card))
        turn = table.active[(table.active.index(seat) + 1) % len(table.active)]
        if len(trick) == len(table.active):
            turn, trick = get_trick_winner(order, trick), ()
    return None


def _index_first_places(order: CardOrder, plays: Trick) -> dict[Card, int]:
    """Return the place at which each card was played, the first if more than once. Refuses: no_such_card."""
    places: dict[Card, int] = {}
    for place, (_, card) in enumerate(plays):
        if card not in order.suits:
            raise Refusal("no_such_card", field="played", card=card)
        places.setdefault(card, place)
    return places


@dataclass(frozen=True, slots=True)
class _Table:
    """All plays of a hand, to be judged one by one; ``places`` are those at which each card was played."""

    order: CardOrder
    plays: Trick
    places: Mapping[Card, int]
    active: tuple[Seat, ...]
    hands: Sequence[Sequence[Card]] | None

    def judge(self, place: int, turn: Seat, trick: Trick) -> IllegalPlay | None:
        """Return the fault of the play at this place, if all before it are legal; None if it has none."""
        seat, card = self.plays[place]
        held_cards = self._list_held_cards(seat, place)
        rule = self._find_turn_violation(place, turn) or (None if card in held_cards else BrokenRule.CARD_NOT_HELD)
        required_cards: tuple[Card, ...] = ()
        if rule is None:
            duty, cards = get_obligation(self.order, held_cards, trick)
            if card in cards:
                return None
            rule, required_cards = _RENEGES[duty], cards
        return IllegalPlay(
            rule=rule,
            place=place,
            trick=self._get_trick(place),
            seat=seat,
            card=card,
            turn=None if rule is BrokenRule.PLAY_IS_OVER else turn,
            withheld=self._list_withheld_cards(seat, required_cards),
        )

    def _find_turn_violation(self, place: int, turn: Seat) -> BrokenRule | None:
        """Return the rule that a play breaks whatever the player holds."""
        seat, card = self.plays[place]
        if place >= TRICKS * len(self.active):
            return BrokenRule.PLAY_IS_OVER
        if seat not in self.active:
            return BrokenRule.SEAT_SITS_OUT
        if seat != turn:
            return BrokenRule.OUT_OF_TURN
        return BrokenRule.CARD_PLAYED_TWICE if self.places[card] < place else None

    def _list_held_cards(self, seat: Seat, place: int) -> tuple[Card, ...]:
        """Return the cards that this seat is known to hold just before this place, as dealt or as played
        later."""
        if self.hands is None:
            return tuple(card for card in self.places if self._find_place(seat, card, start=place) is not None)
        return tuple(card for card in self.hands[seat] if self.places.get(card, place) >= place)

    def _find_place(self, seat: Seat, card: Card, *, start: int = 0) -> int | None:
        """Return the place at which this seat plays this card."""
        place = self.places.get(card)
        return place if place is not None and place >= start and self.plays[place][0] == seat else None

    def _list_withheld_cards(self, seat: Seat, required_cards: tuple[Card, ...]) -> tuple[Withheld, ...]:
        places = {card: self._find_place(seat, card) for card in required_cards}
        last_place = len(self.plays)
        return tuple(
            Withheld(card, None if place is None else self._get_trick(place))
            for card, place in sorted(places.items(), key=lambda item: last_place if item[1] is None else item[1])
        )

    def _get_trick(self, place: int) -> int:
        return place // len(self.active) + 1
