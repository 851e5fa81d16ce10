"""Draws: who meets whom in the next round, and why. Plain Python, one file a format.

A draw is a function of standings, history and seed: the same input gives the same draw on every machine. So a
format takes its chance from ``Random(seed).random()`` alone (the one method whose numbers Python promises to
keep), and lets neither the order of a set nor the value of an entry's id decide anything.

>>> drawn = draw("random", DrawInput(entries=(EntryId(7), EntryId(3), EntryId(5)), history=(), seed=1))
>>> [(table.side_a, table.side_b) for table in drawn.tables], drawn.bye
([(5, 3)], 7)
"""

from collections.abc import Callable, Mapping

from .random import draw_at_random
from .values import Draw, DrawInput, DrawnTable, EntryId, Meeting, Reason, ReasonCode

__all__ = [
    "FORMATS",
    "Draw",
    "DrawInput",
    "DrawnTable",
    "EntryId",
    "Meeting",
    "Reason",
    "ReasonCode",
    "draw",
]

FORMATS: Mapping[str, Callable[[DrawInput], Draw]] = {"random": draw_at_random}
"""Every format by its key. A format draws any field, however small, and after any history."""


def draw(format_key: str, draw_input: DrawInput) -> Draw:
    """The next round by the format of this key, one of ``FORMATS``."""
    return FORMATS[format_key](draw_input)
