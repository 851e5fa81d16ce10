"""Brackets cut into pages: some rounds side by side, with as many matches as can be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.charts import ChartPart, ChartRound, ChartSlot

ROUNDS = 4
"""Maximum number of rounds side by side."""

ROWS = 16
"""Rows of the first round on a page: two for each match."""

SQUEEZED = 1.5
"""Factor by which a page may exceed its rows, rather than leave a second page almost empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedMatch:
    """A match on the page: its ``middle`` and its ``height``, in hundredths of the page's height."""

    slot: ChartSlot
    middle: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketColumn:
    round: ChartRound
    matches: tuple[PrintedMatch, ...]


def bracket_pages(part: ChartPart) -> Iterator[tuple[BracketColumn, ...]]:
    """Yield the pages of a part, from the first round to the last, each from top to bottom. Every match
    appears once."""
    count = -(-len(part.rounds) // ROUNDS)
    step = -(-len(part.rounds) // max(1, count))
    for first in range(0, len(part.rounds), step):
        yield from _pages(part.rounds[first : first + step], part.rows)


def _pages(rounds: tuple[ChartRound, ...], rows: int) -> Iterator[tuple[BracketColumn, ...]]:
    slots = [slot for column in rounds for slot in column.slots]
    least = min((slot.rows for slot in slots), default=2)
    room = least * ROWS // 2
    room = rows if rows <= room * SQUEEZED else room
    for top, end in pairwise(_cuts([_middle(slot) for slot in slots], rows, room, least)):
        page = tuple(
            BracketColumn(
                round=column,
                matches=tuple(
                    PrintedMatch(
                        slot=slot,
                        middle=round((_middle(slot) - top) / room * 100, 3),
                        height=round(min(slot.rows, room) / room * 100, 3),
                    )
                    for slot in column.slots
                    if top <= _middle(slot) < end
                ),
            )
            for column in rounds
        )
        if any(column.matches for column in page):
            yield page


def _middle(slot: ChartSlot) -> float:
    return slot.top + slot.rows / 2


def _cuts(middles: Sequence[float], rows: int, room: int, least: int) -> Iterator[int]:
    """Yield the first row of each page, and the last row of all. No cut goes through a match, which is
    printed as high as the ``least`` rows, if possible."""
    cut = 0
    while cut + room < rows:
        yield cut
        lower = range(cut + room, cut, -1)
        whole = (row for row in lower if all(abs(middle - row) >= least / 2 for middle in middles))
        cut = next(whole, cut + room)
    yield from (cut, rows)
