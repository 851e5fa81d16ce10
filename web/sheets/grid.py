"""A sheet of a workbook as rows of text, from any program."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field

from web import names

MAX_ROWS = 20_000
MAX_COLUMNS = 40
MAX_CHARACTERS = 4_000_000
"""Characters on a sheet: for a list of 20,000 people, 200 each."""


class TooManyCharactersError(Exception):
    """The sheet contains more than any list of people."""


@dataclass(slots=True)
class Grid:
    """The rows of a sheet at their original positions. ``uncounted`` is the row and column,
    from 0, of the first formula without a stored value; it ``is_too_long`` if there is anything
    below the rows that are read."""

    name: str
    rows: list[list[str]] = field(default_factory=list)
    uncounted: tuple[int, int] | None = None
    is_too_long: bool = False
    letters: int = 0

    def add(self, row: Sequence[str], *, count: int = 1) -> None:
        """Add a row, or several equal ones. Raises TooManyCharactersError."""
        free_rows = MAX_ROWS - len(self.rows)
        self.letters += sum(map(len, row)) * min(count, free_rows)
        if self.letters > MAX_CHARACTERS:
            raise TooManyCharactersError
        cleaned = [names.clean_text(value) for value in row]
        if count > free_rows and any(cleaned):
            self.is_too_long = True
        self.rows += [cleaned] * min(count, free_rows)

    def note_missing_value(self, place: int) -> None:
        """Note a formula without a value at that position of the next row."""
        if self.uncounted is None:
            self.uncounted = len(self.rows), place

    @property
    def is_empty(self) -> bool:
        return self.uncounted is None and not any(any(row) for row in self.rows)

    @property
    def text(self) -> str:
        """The sheet as tab-separated text with its original line numbers. Empty rows and columns at the end
        are left out: spreadsheets keep cells that once had content."""
        last = max((number for number, row in enumerate(self.rows) if any(row)), default=-1)
        width = max((_count_columns(row) for row in self.rows), default=0)
        text = io.StringIO()
        rows = ([*row, *[""] * width][:width] for row in self.rows[: last + 1])
        csv.writer(text, delimiter="\t", lineterminator="\n").writerows(rows)
        return text.getvalue()

    @property
    def filled_row_count(self) -> int:
        """The number of rows that are not empty."""
        return sum(map(any, self.rows))


def format_number_as_entered(value: str) -> str:
    """Return a number as it is typed: ``1500``, not ``1500.0``."""
    integer_part, _, rest = value.partition(".")
    return integer_part if rest and not rest.strip("0") else value


def _count_columns(row: Sequence[str]) -> int:
    """Return the number of columns up to the last one with content."""
    return max((place for place, value in enumerate(row, start=1) if value), default=0)
