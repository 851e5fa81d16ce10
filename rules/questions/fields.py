"""The fields of a question, each read by name and type, and checked against its ruleset.

=========  =======================  ================================================================
document   section                  here
=========  =======================  ================================================================
RULES §1   the systems, the packs   ``FieldReader.read_cards``: no Joker in a pack of 32
RULES §2   contracts, trump         ``FieldReader.contract``, ``FieldReader.order``
RULES §3   who plays to a trick     ``FieldReader.read_trick``: each seat once, each card once
=========  =======================  ================================================================
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from errors import Refusal
from rules.cards import Card, CardOrder, get_pack
from rules.contracts import TRICKS, Contract
from rules.dealing import Hand, check_seat
from rules.house_rules import get_ruleset
from rules.json_fields import Fields
from rules.play import Trick
from rules.preparation import get_card_order
from rules.rulesets import Ruleset
from rules.seats import Seat, Suit

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
    def from_fields(cls, fields: Fields) -> "FieldReader":
        """Read the ruleset. Refuses: not_text, no_such_ruleset."""
        return cls(fields, get_ruleset(fields.get_text("ruleset")))

    @property
    def contract(self) -> Contract:
        """The contract. Refuses: not_text, no_such_bid, below_minimum."""
        key = self.fields.get_text("contract")
        try:
            return self.ruleset.get_contract(key)
        except Refusal as refusal:
            raise Refusal(refusal.code, field=self._get_path("contract"), **refusal.details) from None

    @property
    def trump(self) -> Suit | None:
        """The trump suit, if any. Refuses: not_text, no_such_suit."""
        text = self.fields.get_optional_text("trump")
        if text is not None and text not in tuple(Suit):
            raise Refusal("no_such_suit", field=self._get_path("trump"), value=text)
        return None if text is None else Suit(text)

    @property
    def order(self) -> CardOrder:
        """The order of the cards. Refuses: trump_required, trump_not_allowed, and what contract and trump
        refuse."""
        return get_card_order(self.ruleset, self.contract, self.trump)

    @property
    def tricks(self) -> int:
        """The number of tricks. Refuses: not_a_number, tricks_out_of_range."""
        tricks = self.fields.get_number("tricks")
        if not 0 <= tricks <= TRICKS:
            raise Refusal("tricks_out_of_range", field=self._get_path("tricks"), most=TRICKS)
        return tricks

    def read_seat(self, name: str) -> Seat:
        """Read a seat. Refuses: not_a_number, no_such_seat."""
        seat = Seat(self.fields.get_number(name))
        check_seat(self.ruleset, seat, field=self._get_path(name))
        return seat

    def read_seats(self, name: str) -> tuple[Seat, ...]:
        """Read different seats, and return them clockwise. Refuses: not_a_list, no_such_seat, seat_twice."""
        seats = [Seat(seat) for seat in self.fields.get_numbers(name)]
        self._check_seats(seats, name)
        return tuple(sorted(seats))

    def read_cards(self, name: str) -> Hand:
        """Read different cards of the pack. Refuses: not_a_list, no_such_card, card_twice."""
        cards = tuple(Card(text) for text in self.fields.get_texts(name))
        self._check_cards(cards, name)
        return cards

    def read_hands(self, name: str) -> tuple[Hand, ...]:
        """Read a hand for each seat, no card in two of them.

        Refuses: not_a_list, wrong_number_of_hands, no_such_card, card_twice.
        """
        hands = tuple(tuple(Card(text) for text in hand) for hand in self.fields.get_lists(name))
        if len(hands) != self.ruleset.seats:
            raise Refusal("wrong_number_of_hands", field=self._get_path(name), seats=self.ruleset.seats)
        self._check_cards([card for hand in hands for card in hand], name)
        return hands

    def read_values_by_seat(self, name: str) -> tuple[tuple[Seat, str], ...]:
        """Read texts, each with its seat. Refuses: not_a_list, not_a_number, no_such_seat."""
        pairs = tuple((Seat(seat), text) for seat, text in self.fields.get_pairs(name))
        for seat, _ in pairs:
            check_seat(self.ruleset, seat, field=self._get_path(name))
        return pairs

    def read_cards_with_seats(self, name: str) -> Trick:
        """Read cards of the pack, each with its seat. Refuses: see ``read_values_by_seat``, and no_such_card."""
        played = tuple((seat, Card(text)) for seat, text in self.read_values_by_seat(name))
        self._check_known([card for _, card in played], name)
        return played

    def read_trick(self, name: str, *, held: Hand = (), turn: Iterable[Seat] = ()) -> Trick:
        """Read different cards, none of them still held, from different seats, none of them still to play.

        Refuses: see ``read_cards_with_seats``, and card_twice, seat_twice.
        """
        trick = self.read_cards_with_seats(name)
        self._check_cards([*held, *(card for _, card in trick)], name)
        self._check_seats([*turn, *(seat for seat, _ in trick)], name)
        return trick

    def read_objects(self, name: str, *, required: Collection[str]) -> tuple["FieldReader", ...]:
        """Read the objects of a list, each with exactly these fields.

        Refuses: not_a_list, not_an_object, missing_field, unknown_field.
        """
        objects = self.fields.get_objects(name)
        for inner in objects:
            check_fields(inner, required=required)
        return tuple(FieldReader(inner, self.ruleset) for inner in objects)

    def _get_path(self, name: str) -> str:
        return f"{self.fields.path}{name}"

    def _check_seats(self, seats: Iterable[Seat], name: str) -> None:
        seen = set()
        for seat in seats:
            check_seat(self.ruleset, seat, field=self._get_path(name))
            if seat in seen:
                raise Refusal("seat_twice", field=self._get_path(name), seat=seat)
            seen.add(seat)

    def _check_cards(self, cards: Iterable[Card], name: str) -> None:
        seen = set()
        for card in cards:
            self._check_known((card,), name)
            if card in seen:
                raise Refusal("card_twice", field=self._get_path(name), card=card)
            seen.add(card)

    def _check_known(self, cards: Iterable[Card], name: str) -> None:
        pack = get_pack(self.ruleset.trump_order)
        for card in cards:
            if card not in pack:
                raise Refusal("no_such_card", field=self._get_path(name), card=card)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question of the filter: descriptions of its fields and its answer, and the function that answers
    it."""

    description: str
    fields: Shapes
    optional: Shapes = field(default_factory=dict)
    answer: Shapes
    handler: Callable[[FieldReader], Answer]


def check_fields(fields: Fields, *, required: Collection[str], optional: Collection[str] = ()) -> None:
    """Check the names of the fields. Refuses: missing_field, unknown_field."""
    fields.check_names((*required, *optional), code="unknown_field")
    for name in required:
        if name not in fields:
            raise Refusal("missing_field", field=f"{fields.path}{name}")
