"""The words of the notation: seats, suits, cards, calls; and the line number of a refusal."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from errors import Refusal, get_or_refuse
from rules.auction import Call, read_call
from rules.cards import Card, read_card
from rules.seats import Seat, Suit, get_side

SEATS = {f"{get_side(Seat(seat)).name}{seat // 2 + 1}": Seat(seat) for seat in range(4)}
"""Seats by their written names: the side, and which of the partners."""

_NAMES = tuple(SEATS)
_CALL = re.compile(r"([^ ]+?)(?:(?: |(?<=[0-9]))([shdc]))?")


def format_seat(seat: Seat) -> str:
    return _NAMES[seat]


def read_seat(text: str) -> Seat:
    """Read a seat. Refuses: not_a_seat."""
    if text.strip().upper() not in SEATS:
        raise Refusal("not_a_seat", field="seat", value=text, choices=_NAMES)
    return SEATS[text.strip().upper()]


def read_suit(text: str) -> Suit:
    """Read a suit. Refuses: no_such_suit."""
    for suit in Suit:
        if suit.value == text.strip().upper():
            return suit
    raise Refusal("no_such_suit", field="trump", value=text, choices=tuple(suit.value for suit in Suit))


def format_cards(cards: Iterable[Card]) -> str:
    return " ".join(cards)


def read_cards(text: str) -> tuple[Card, ...]:
    """Read cards. Refuses: no_such_card."""
    return tuple(read_card(card) for card in text.split())


def format_calls(calls: Iterable[Call]) -> str:
    return ", ".join(str(call) for call in calls)


def read_calls(text: str) -> tuple[Call, ...]:
    """Read the calls between commas: ``pass, 6 H, charlemagne d``. Refuses: not_understood."""
    return tuple(_read_call(call) for call in text.split(","))


def _read_call(text: str) -> Call:
    match = get_or_refuse(_CALL.fullmatch(collapse_spaces(text).lower()), "not_understood", field="calls", text=text)
    bid, suit = match.groups()
    return read_call(f"{bid} {suit.upper()}" if suit else bid)


def collapse_spaces(text: str) -> str:
    """Replace runs of blanks by one blank, and remove those at the ends."""
    return " ".join(text.split())


@contextmanager
def add_line_number(line: int, *, field: str | None = None) -> Iterator[None]:
    """Add the line to a refusal, unless it has one, and the field."""
    try:
        yield
    except Refusal as refusal:
        details = {"line": line} | refusal.details
        raise Refusal(refusal.code, field=field or refusal.field, **details) from None
