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
    ``called`` if the key needs other words. ``said`` names the words that people see instead of the column's
    codes; programs get the codes."""

    key: str
    kind: ColumnKind = ColumnKind.TEXT
    said: str = ""
    called: str = ""
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


def number(key: str, *, called: str = "") -> SheetColumn:
    return SheetColumn(key=key, kind=ColumnKind.NUMBER, called=called)


def text_column(key: str, *, said: str = "", called: str = "") -> SheetColumn:
    return SheetColumn(key=key, said=said, called=called)


def money(key: str) -> SheetColumn:
    return SheetColumn(key=key, kind=ColumnKind.MONEY)


def day(key: str) -> SheetColumn:
    return SheetColumn(key=key, kind=ColumnKind.DAY)


def dollars(cents: int) -> Decimal:
    """Convert cents to dollars.

    >>> dollars(1250)
    Decimal('12.50')
    """
    return Decimal(cents).scaleb(-2)
