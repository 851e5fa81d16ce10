"""Seats, sides and suits.

=============  =========================  =============================================================
document       section                    here
=============  =========================  =============================================================
P              Players and Cards          partners opposite, clockwise: ``get_side``, ``get_next_seat``
J              Variante à deux joueurs    two seats, no partners: the same with ``seats=2``
=============  =========================  =============================================================
"""

from enum import IntEnum, StrEnum
from typing import NewType

Seat = NewType("Seat", int)
"""A seat at the table, counted clockwise from 0. Side A has the even seats, side B the odd ones."""

Points = NewType("Points", int)
"""Points of a game or hand: whole numbers, 0 or more."""


class Side(IntEnum):
    """The two sides of a match; a side's value is its index in every pair of totals."""

    A = 0
    B = 1

    @property
    def other(self) -> "Side":
        return Side.B if self is Side.A else Side.A

    def __bool__(self) -> bool:
        """Always true: ``if winner`` asks whether there is one, and side A is one."""
        return True


class Suit(StrEnum):
    """The four suits; a suit's value is its letter in cards and bids."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


def get_side(seat: Seat) -> Side:
    """Return the side of a seat: partners sit opposite (P, Players and Cards)."""
    return Side(seat % 2)


def get_next_seat(seat: Seat, *, seats: int) -> Seat:
    """Return the seat to the left of ``seat``: the next one clockwise."""
    return Seat((seat + 1) % seats)
