"""A sheet of a workbook as rows of text, whatever program wrote it."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field

from web import names

MOST_ROWS = 20_000
MOST_COLUMNS = 40
MOST_LETTERS = 4_000_000
"""Of all that stands on a sheet: of a list of 20,000 people, 200 each."""


class TooManyLettersError(Exception):
    """More stands on a sheet than on any list of people."""


@dataclass(slots=True)
class Grid:
    """The rows of a sheet, each where it was. ``uncounted`` is the row and the place, both from 0, of the
    first formula whose value nobody has kept; it ``is_too_long`` where something stands below the rows that
    are read."""

    name: str
    rows: list[list[str]] = field(default_factory=list)
    uncounted: tuple[int, int] | None = None
    is_too_long: bool = False
    letters: int = 0

    def add(self, row: Sequence[str], *, repeated: int = 1) -> None:
        """One more row, or so many alike. Raises TooManyLettersError."""
        room = MOST_ROWS - len(self.rows)
        self.letters += sum(map(len, row)) * min(repeated, room)
        if self.letters > MOST_LETTERS:
            raise TooManyLettersError
        cleaned = [names.clean_text(value) for value in row]
        if repeated > room and any(cleaned):
            self.is_too_long = True
        self.rows += [cleaned] * min(repeated, room)

    def note_uncounted(self, place: int) -> None:
        """In the row that is added next, there is such a formula at that place."""
        if self.uncounted is None:
            self.uncounted = len(self.rows), place

    @property
    def is_empty(self) -> bool:
        return self.uncounted is None and not any(any(row) for row in self.rows)

    @property
    def text(self) -> str:
        """As a file with tabs, its lines where they were, without those and the columns at the end that are
        empty: spreadsheets keep what held something once."""
        last = max((number for number, row in enumerate(self.rows) if any(row)), default=-1)
        width = max((_width(row) for row in self.rows), default=0)
        text = io.StringIO()
        rows = ([*row, *[""] * width][:width] for row in self.rows[: last + 1])
        csv.writer(text, delimiter="\t", lineterminator="\n").writerows(rows)
        return text.getvalue()

    @property
    def rows_filled(self) -> int:
        """How many rows are not empty."""
        return sum(map(any, self.rows))


def plain_number(value: str) -> str:
    """As it is typed: ``1500``, not ``1500.0``."""
    whole, _, rest = value.partition(".")
    return whole if rest and not rest.strip("0") else value


def _width(row: Sequence[str]) -> int:
    """Up to where something stands in it."""
    return max((place for place, value in enumerate(row, start=1) if value), default=0)
