"""Tables as values, independent of the kind of file to export."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from operator import attrgetter
from typing import Any


class ColumnKind(StrEnum):
    """The kind of a column's values, for a spreadsheet."""

    TEXT = "text"
    NUMBER = "number"
    MONEY = "money"
    """Amounts in dollars."""
    DAY = "day"


Source = str | Callable[[Any], Any]
"""Where the values of a column come from: an attribute of the line, such as ``person.name``, or a function of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetColumn:
    """A column of a table. ``key`` is for programs and never changes; ``heading`` is for people, from
    ``heading_key`` if the key needs other words. ``formatter`` names the words that people see instead of the
    column's codes; programs get the codes."""

    key: str
    source: Source = ""
    kind: ColumnKind = ColumnKind.TEXT
    formatter: str = ""
    heading_key: str = ""
    heading: str = ""

    def build_getter(self) -> Callable[[Any], Any]:
        """Return a function that gets the value from a line, by default from the attribute named as the key."""
        get_value = attrgetter(self.source or self.key) if isinstance(self.source, str) else self.source
        if self.kind is not ColumnKind.MONEY:
            return get_value
        return lambda line: None if (cents := get_value(line)) is None else convert_to_dollars(cents)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Rows with a value for each column: text, integer, decimal or date; None if empty.

    ``key`` names the table for programs, ``name`` in words; ``about`` says whose it is and of when. They make
    the name of the file.
    """

    key: str
    columns: tuple[SheetColumn, ...]
    rows: Sequence[Sequence[Any]]
    about: tuple[str, ...] = ()
    name: str = ""

    @classmethod
    def from_lines(
        cls, key: str, lines: Iterable[Any], columns: Iterable[SheetColumn], *, about: tuple[str, ...] = ()
    ) -> "Sheet":
        """Build a table with a row for each line; the columns say where the values are."""
        columns = tuple(columns)
        getters = [column.build_getter() for column in columns]
        rows = [[get_value(line) for get_value in getters] for line in lines]
        return cls(key=key, columns=columns, rows=rows, about=about)

    @property
    def title(self) -> str:
        """The title: ``Standings · Tuesday night · 2026-11-17``."""
        return " · ".join([self.name, *self.about])


def number_column(key: str, source: Source = "", *, heading_key: str = "") -> SheetColumn:
    return SheetColumn(key=key, source=source, kind=ColumnKind.NUMBER, heading_key=heading_key)


def text_column(key: str, source: Source = "", *, formatter: str = "", heading_key: str = "") -> SheetColumn:
    return SheetColumn(key=key, source=source, formatter=formatter, heading_key=heading_key)


def money_column(key: str, source: Source = "") -> SheetColumn:
    """Return a column of amounts, whose source is in cents."""
    return SheetColumn(key=key, source=source, kind=ColumnKind.MONEY)


def date_column(key: str, source: Source = "") -> SheetColumn:
    return SheetColumn(key=key, source=source, kind=ColumnKind.DAY)


def convert_to_dollars(cents: int) -> Decimal:
    """Convert cents to dollars.

    >>> convert_to_dollars(1250)
    Decimal('12.50')
    """
    return Decimal(cents).scaleb(-2)
