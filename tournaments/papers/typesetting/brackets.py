"""Brackets cut into pages: some rounds side by side, with as many matches as can be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.charts import ChartPart, ChartRound, ChartSlot

LINE_LETTERS = {4: 26, 3: 38, 2: 58}
"""Letters of 9 points on a line of a match, by the number of rounds side by side, the most first."""

MAX_ROWS, MAX_ROWS_OF_LONG_NAMES = 16, 8
"""Rows of the first round on a page, two for each match; fewer if names need several lines."""

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


def iter_bracket_pages(part: ChartPart, *, longest_name: int = 0) -> Iterator[tuple[BracketColumn, ...]]:
    """Yield the pages of a part, from the first round to the last, each from top to bottom. Every match
    appears once; names of up to ``longest_name`` letters are readable."""
    widest = next((count for count, letters in LINE_LETTERS.items() if longest_name <= letters), 0)
    page_count = -(-len(part.rounds) // (widest or 3))
    step = -(-len(part.rounds) // max(1, page_count))
    for start in range(0, len(part.rounds), step):
        yield from _iter_pages(part.rounds[start : start + step], part.rows, has_long_names=not widest)


def _iter_pages(
    rounds: tuple[ChartRound, ...], rows: int, *, has_long_names: bool
) -> Iterator[tuple[BracketColumn, ...]]:
    slots = [slot for column in rounds for slot in column.slots]
    min_rows = min((slot.rows for slot in slots), default=2)
    page_rows = min_rows * (MAX_ROWS_OF_LONG_NAMES if has_long_names else MAX_ROWS) // 2
    page_rows = rows if rows <= page_rows * (1 if has_long_names else MAX_SQUEEZE) else page_rows
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
