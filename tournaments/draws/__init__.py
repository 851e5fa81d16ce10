"""Draws: who meets whom in the next round, and why. Plain Python, one file a format.

A draw is a function of entrants, history, settings and seed: the same input gives the same draw on every
machine. So a format takes its chance from ``Random(seed).random()`` alone (the one method whose numbers Python
promises to keep), and lets neither the order of a set nor the value of an entry's id decide anything.

>>> entrants = tuple(Entrant(id=EntryId(7 + number), number=number) for number in (1, 2, 3, 4))
>>> drawn = draw("swiss", DrawInput(round=1, entrants=entrants, seed=1))
>>> [(table.a, table.b) for table in drawn.tables]
[((8,), (10,)), ((11,), (9,))]
"""

from collections.abc import Callable, Mapping

from .random import draw_at_random
from .swiss import draw_swiss
from .values import (
    Bond,
    Certificate,
    Draw,
    DrawInput,
    DrawnBye,
    DrawnTable,
    Entrant,
    EntryId,
    LockedTable,
    Partners,
    Played,
    Reason,
    ReasonCode,
)

__all__ = [
    "FORMATS",
    "Bond",
    "Certificate",
    "Draw",
    "DrawInput",
    "DrawnBye",
    "DrawnTable",
    "Entrant",
    "EntryId",
    "LockedTable",
    "Partners",
    "Played",
    "Reason",
    "ReasonCode",
    "draw",
]

FORMATS: Mapping[str, Callable[[DrawInput], Draw]] = {"random": draw_at_random, "swiss": draw_swiss}
"""Every format by its key. A format draws any field, however small, and after any history."""


def draw(format_key: str, draw_input: DrawInput) -> Draw:
    """The next round by the format of this key, one of ``FORMATS``."""
    return FORMATS[format_key](draw_input)
