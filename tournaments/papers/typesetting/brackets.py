"""Brackets cut into pages: some rounds side by side, with as many matches as can be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.charts import ChartPart, ChartRound, ChartSlot

MAX_ROUNDS = 4
"""Maximum number of rounds side by side."""

MAX_ROWS = 16
"""Rows of the first round on a page: two for each match."""

MAX_SQUEEZE = 1.5
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


def iter_bracket_pages(part: ChartPart) -> Iterator[tuple[BracketColumn, ...]]:
    """Yield the pages of a part, from the first round to the last, each from top to bottom. Every match
    appears once."""
    count = -(-len(part.rounds) // MAX_ROUNDS)
    step = -(-len(part.rounds) // max(1, count))
    for start in range(0, len(part.rounds), step):
        yield from _iter_pages(part.rounds[start : start + step], part.rows)


def _iter_pages(rounds: tuple[ChartRound, ...], rows: int) -> Iterator[tuple[BracketColumn, ...]]:
    slots = [slot for column in rounds for slot in column.slots]
    min_rows = min((slot.rows for slot in slots), default=2)
    page_rows = min_rows * MAX_ROWS // 2
    page_rows = rows if rows <= page_rows * MAX_SQUEEZE else page_rows
    for top, end in pairwise(_iter_cuts([_get_middle(slot) for slot in slots], rows, page_rows, min_rows)):
        page = tuple(
            BracketColumn(
                round=column,
                matches=tuple(
                    PrintedMatch(
                        slot=slot,
                        middle=round((_get_middle(slot) - top) / page_rows * 100, 3),
                        height=round(min(slot.rows, page_rows) / page_rows * 100, 3),
                    )
                    for slot in column.slots
                    if top <= _get_middle(slot) < end
                ),
            )
            for column in rounds
        )
        if any(column.matches for column in page):
            yield page


def _get_middle(slot: ChartSlot) -> float:
    return slot.top + slot.rows / 2


def _iter_cuts(middles: Sequence[float], rows: int, page_rows: int, min_rows: int) -> Iterator[int]:
    """Yield the first row of each page, and the last row of all. If possible, no cut goes through a
    match, which is printed ``min_rows`` rows high."""
    cut = 0
    while cut + page_rows < rows:
        yield cut
        lower = range(cut + page_rows, cut, -1)
        safe_cuts = (row for row in lower if all(abs(middle - row) >= min_rows / 2 for middle in middles))
        cut = next(safe_cuts, cut + page_rows)
    yield from (cut, rows)
