"""The fields of a question, each read by name and type, and checked against its ruleset.

=========  =======================  ================================================================
document   section                  here
=========  =======================  ================================================================
RULES §1   the systems, the packs   ``Asked.cards``: no Joker in a pack of 32
RULES §2   contracts, trump         ``Asked.contract``, ``Asked.order``
RULES §3   who plays to a trick     ``Asked.trick``: each seat once, each card once
=========  =======================  ================================================================
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from errors import Refusal
from rules.cards import Card, CardOrder, pack_of
from rules.contracts import TRICKS, Contract
from rules.dealing import Hand, check_seat
from rules.house_rules import ruleset_named
from rules.play import Trick
from rules.preparation import card_order
from rules.rulesets import Ruleset
from rules.seats import Seat, Suit
from rules.shapes import Fields

Answer = dict[str, Any]
"""An answer as plain data, sent as a JSON object."""

Shapes = Mapping[str, str]
"""Fields by name, with a description of each."""


RULESET = "a key of rulesets"
CONTRACT = "the key of a contract that the ruleset plays"
TRUMP = "S, H, D or C where the contract names a trump suit; else null, or left out"
SEAT = "a number, counted clockwise from 0"
TRICK = "a list of [seat, card] in the order of play"


@dataclass(frozen=True, slots=True)
class FieldReader:
    """One question, or one object within it, under its ruleset. Reading a field refuses invalid values."""

    fields: Fields
    ruleset: Ruleset

    @classmethod
    def of(cls, fields: Fields) -> "FieldReader":
        """Read the ruleset. Refuses: not_text, no_such_ruleset."""
        return cls(fields, ruleset_named(fields.text("ruleset")))

    @property
    def contract(self) -> Contract:
        """The contract. Refuses: not_text, no_such_bid, below_minimum."""
        key = self.fields.text("contract")
        try:
            return self.ruleset.contract(key)
        except Refusal as refusal:
            raise Refusal(refusal.code, field=self._at("contract"), **refusal.details) from None

    @property
    def trump(self) -> Suit | None:
        """The trump suit, if any. Refuses: not_text, no_such_suit."""
        text = self.fields.text_or_none("trump")
        if text is not None and text not in tuple(Suit):
            raise Refusal("no_such_suit", field=self._at("trump"), value=text)
        return None if text is None else Suit(text)

    @property
    def order(self) -> CardOrder:
        """The order of the cards. Refuses: trump_required, trump_not_allowed, and what contract and trump
        refuse."""
        return card_order(self.ruleset, self.contract, self.trump)

    @property
    def tricks(self) -> int:
        """The number of tricks. Refuses: not_a_number, tricks_out_of_range."""
        tricks = self.fields.number("tricks")
        if not 0 <= tricks <= TRICKS:
            raise Refusal("tricks_out_of_range", field=self._at("tricks"), most=TRICKS)
        return tricks

    def seat(self, name: str) -> Seat:
        """Read a seat. Refuses: not_a_number, no_such_seat."""
        seat = Seat(self.fields.number(name))
        check_seat(self.ruleset, seat, field=self._at(name))
        return seat

    def seats(self, name: str) -> tuple[Seat, ...]:
        """Read different seats, and return them clockwise. Refuses: not_a_list, no_such_seat, seat_twice."""
        seats = [Seat(seat) for seat in self.fields.numbers(name)]
        self._check_seats(seats, name)
        return tuple(sorted(seats))

    def cards(self, name: str) -> Hand:
        """Read different cards of the pack. Refuses: not_a_list, no_such_card, card_twice."""
        cards = tuple(Card(text) for text in self.fields.texts(name))
        self._check_cards(cards, name)
        return cards

    def hands(self, name: str) -> tuple[Hand, ...]:
        """Read a hand for each seat, no card in two of them.

        Refuses: not_a_list, wrong_number_of_hands, no_such_card, card_twice.
        """
        hands = tuple(tuple(Card(text) for text in hand) for hand in self.fields.lists(name))
        if len(hands) != self.ruleset.seats:
            raise Refusal("wrong_number_of_hands", field=self._at(name), seats=self.ruleset.seats)
        self._check_cards([card for hand in hands for card in hand], name)
        return hands

    def values_by_seat(self, name: str) -> tuple[tuple[Seat, str], ...]:
        """Read texts, each with its seat. Refuses: not_a_list, not_a_number, no_such_seat."""
        pairs = tuple((Seat(seat), text) for seat, text in self.fields.pairs(name))
        for seat, _ in pairs:
            check_seat(self.ruleset, seat, field=self._at(name))
        return pairs

    def cards_with_seats(self, name: str) -> Trick:
        """Read cards of the pack, each with its seat. Refuses: see ``values_by_seat``, and no_such_card."""
        played = tuple((seat, Card(text)) for seat, text in self.values_by_seat(name))
        self._check_known([card for _, card in played], name)
        return played

    def trick(self, name: str, *, held: Hand = (), turn: Iterable[Seat] = ()) -> Trick:
        """Read different cards, none of them still held, from different seats, none of them still to play.

        Refuses: see ``cards_with_seats``, and card_twice, seat_twice.
        """
        trick = self.cards_with_seats(name)
        self._check_cards([*held, *(card for _, card in trick)], name)
        self._check_seats([*turn, *(seat for seat, _ in trick)], name)
        return trick

    def each(self, name: str, *, required: Collection[str]) -> tuple["FieldReader", ...]:
        """Read the objects of a list, each with exactly these fields.

        Refuses: not_a_list, not_an_object, missing_field, unknown_field.
        """
        objects = self.fields.objects(name)
        for inner in objects:
            check_fields(inner, required=required)
        return tuple(FieldReader(inner, self.ruleset) for inner in objects)

    def _at(self, name: str) -> str:
        return f"{self.fields.within}{name}"

    def _check_seats(self, seats: Iterable[Seat], name: str) -> None:
        met = set()
        for seat in seats:
            check_seat(self.ruleset, seat, field=self._at(name))
            if seat in met:
                raise Refusal("seat_twice", field=self._at(name), seat=seat)
            met.add(seat)

    def _check_cards(self, cards: Iterable[Card], name: str) -> None:
        met = set()
        for card in cards:
            self._check_known((card,), name)
            if card in met:
                raise Refusal("card_twice", field=self._at(name), card=card)
            met.add(card)

    def _check_known(self, cards: Iterable[Card], name: str) -> None:
        pack = pack_of(self.ruleset.trump_order)
        for card in cards:
            if card not in pack:
                raise Refusal("no_such_card", field=self._at(name), card=card)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question of the filter: descriptions of its fields and its answer, and the function that answers
    it."""

    about: str
    fields: Shapes
    optional: Shapes = field(default_factory=dict)
    answer: Shapes
    answered_by: Callable[[FieldReader], Answer]


def check_fields(fields: Fields, *, required: Collection[str], optional: Collection[str] = ()) -> None:
    """Check the names of the fields. Refuses: missing_field, unknown_field."""
    fields.check_names((*required, *optional), code="unknown_field")
    for name in required:
        if name not in fields:
            raise Refusal("missing_field", field=f"{fields.within}{name}")
