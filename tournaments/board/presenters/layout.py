"""Layout of the rows of a wall screen on its pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from textwrap import wrap

from tournaments.rounds.presenters.rounds import ByeView, TableView
from tournaments.rounds.presenters.seats import SeatRow
from tournaments.standings.presenters.table import StandingsRow
from web.names import get_surname

BoardRow = TableView | ByeView | SeatRow | StandingsRow


def get_row_names(row: BoardRow) -> str:
    """Return the names in a row; "" for a table, which has its own."""
    return row.label if isinstance(row, SeatRow) else "" if isinstance(row, TableView) else row.names


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLayout:
    """Heights and widths of rows that share a page: in hundredths of its height, and in characters per line.

    A row is at least ``least`` high, or ``line`` for each line of its names plus ``padding``. If ``grows`` is true,
    names are as large as possible without another page.
    """

    columns: int
    column_height: float
    letters: int
    least: float
    line: float
    padding: float
    grows: bool = False

    def scale_names(self, scale: int) -> BoardLayout:
        """Return the layout with names of this size, in hundredths."""
        return replace(self, letters=self.letters * 100 // scale, line=self.line * scale / 100)

    def height(self, row: BoardRow) -> float:
        return max(self.least, self.line * self._count_lines(row) + self.padding)

    def _count_lines(self, row: BoardRow) -> int:
        texts = [side.names for side in row.sides] if isinstance(row, TableView) else [get_row_names(row)]
        if isinstance(row, ByeView):
            texts.append("")  # the line for the bye
        if isinstance(row, TableView):
            texts += [""] * (row.has_decision + sum(line is not None for line in (row.place, row.chance)))
        return sum(_count_text_lines(text, self.letters) for text in texts)

    def fill_pages(self, rows: Sequence[BoardRow]) -> list[tuple[tuple[BoardRow, ...], ...]]:
        """Arrange the rows in order on as few pages as possible, by page and column. No column exceeds its
        room, and columns are balanced, so that no row is left alone on the last page."""
        heights = [self.height(row) for row in rows]
        ends = self._find_column_ends(heights)
        needed = [0] * (len(rows) + 1)
        for place in reversed(range(len(rows))):
            needed[place] = 1 + needed[ends[place]]
        columns: list[tuple[BoardRow, ...]] = []
        start, remaining = 0, sum(heights)
        for column_count in range(-(-needed[0] // self.columns) * self.columns, 0, -1):
            if start == len(rows):
                break
            end, height, share = start + 1, heights[start], remaining / column_count + ROUNDING
            while end < ends[start] and (height + heights[end] / 2 <= share or needed[end] >= column_count):
                height += heights[end]
                end += 1
            columns.append(tuple(rows[start:end]))
            start, remaining = end, remaining - height
        return [tuple(columns[first : first + self.columns]) for first in range(0, len(columns), self.columns)]

    def _find_column_ends(self, heights: Sequence[float]) -> list[int]:
        """Return, for each row, the first row that no longer fits a column beginning with it."""
        ends: list[int] = []
        end, height = 0, 0.0
        for place, row_height in enumerate(heights):
            while end < len(heights) and (end == place or height + heights[end] <= self.column_height):
                height += heights[end]
                end += 1
            ends.append(end)
            height -= row_height
        return ends


@lru_cache(maxsize=1 << 14)
def _count_text_lines(text: str, letters: int) -> int:
    """Count the lines of a text. Cached, as every size is tried on every page, and screens share their
    names."""
    return 1 if len(text) <= letters else len(wrap(text, letters))


ROUNDING = 1e-9
"""Tolerance for sums of heights."""

SCALES = (200, 170, 140, 120, 100)
"""Sizes of names when there is room, in hundredths, as in ``static/css/board.css``."""

LAYOUTS = {
    "tables": BoardLayout(columns=2, column_height=76.5, letters=28, least=15.2, line=5.3, padding=4, grows=True),
    "live": BoardLayout(columns=2, column_height=76.5, letters=22, least=15.2, line=5.3, padding=4, grows=True),
    "names": BoardLayout(columns=3, column_height=75, letters=18, least=6.2, line=5, padding=1.2, grows=True),
    "standings": BoardLayout(columns=1, column_height=70.9, letters=34, least=5.9, line=4.8, padding=1.1),
    "prize": BoardLayout(columns=1, column_height=0, letters=1, least=0, line=0, padding=0),
    "clock": BoardLayout(columns=1, column_height=0, letters=1, least=0, line=0, padding=0),
    "nothing": BoardLayout(columns=1, column_height=0, letters=1, least=0, line=0, padding=0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPage:
    """One page of a wall screen: ``number`` of ``of`` of its kind, a key of ``LAYOUTS``. ``scale`` is the
    size of its names, in hundredths of the smallest."""

    kind: str
    columns: tuple[tuple[BoardRow, ...], ...]
    number: int = 1
    of: int = 1
    scale: int = 100

    @property
    def span(self) -> tuple[str, str]:
        """First letters of the first and last surname on the page."""
        rows = [row for column in self.columns for row in column]
        names = (row.name if isinstance(row, SeatRow) else get_row_names(row) for row in (rows[0], rows[-1]))
        first, last = (get_surname(name)[:1].upper() for name in names)
        return first, last


def build_board_pages(kind: str, rows: Sequence[BoardRow], layout: str = "") -> list[BoardPage]:
    """Return the rows of this kind, page by page, in its own layout or the given one."""
    scale, pages = _maximize_scale(LAYOUTS[layout or kind], rows)
    return [
        BoardPage(kind=kind, columns=columns, number=number, of=len(pages), scale=scale)
        for number, columns in enumerate(pages, start=1)
    ]


def _maximize_scale(
    layout: BoardLayout, rows: Sequence[BoardRow]
) -> tuple[int, list[tuple[tuple[BoardRow, ...], ...]]]:
    """Return the largest scale that needs no more pages, and the pages."""
    fewest = layout.fill_pages(rows)
    for scale in SCALES if layout.grows else ():
        larger = layout.scale_names(scale)
        pages = larger.fill_pages(rows)
        if len(pages) <= len(fewest) and all(larger.height(row) <= larger.column_height for row in rows):
            return scale, pages
    return SCALES[-1], fewest
