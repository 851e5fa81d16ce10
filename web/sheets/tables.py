"""Tables as values, independent of the kind of file to export."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any


class ColumnKind(StrEnum):
    """The kind of a column's values, for a spreadsheet."""

    TEXT = "text"
    NUMBER = "number"
    MONEY = "money"
    """Amounts in dollars."""
    DAY = "day"


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetColumn:
    """A column of a table. ``key`` is for programs and never changes; ``heading`` is for people, from
    ``heading_key`` if the key needs other words. ``said`` names the words that people see instead of the column's
    codes; programs get the codes."""

    key: str
    kind: ColumnKind = ColumnKind.TEXT
    formatter: str = ""
    heading_key: str = ""
    heading: str = ""


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

    @property
    def title(self) -> str:
        """The title: ``Standings · Tuesday night · 2026-11-17``."""
        return " · ".join([self.name, *self.about])


def number_column(key: str, *, heading_key: str = "") -> SheetColumn:
    return SheetColumn(key=key, kind=ColumnKind.NUMBER, heading_key=heading_key)


def text_column(key: str, *, formatter: str = "", heading_key: str = "") -> SheetColumn:
    return SheetColumn(key=key, formatter=formatter, heading_key=heading_key)


def money_column(key: str) -> SheetColumn:
    return SheetColumn(key=key, kind=ColumnKind.MONEY)


def date_column(key: str) -> SheetColumn:
    return SheetColumn(key=key, kind=ColumnKind.DAY)


def convert_to_dollars(cents: int) -> Decimal:
    """Convert cents to dollars.

    >>> convert_to_dollars(1250)
    Decimal('12.50')
    """
    return Decimal(cents).scaleb(-2)
