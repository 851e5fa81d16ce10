"""A table as a value: what a page lists, before anybody decides in which kind of file it is taken away."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any


class ColumnKind(StrEnum):
    """What a column holds: each is a thing of its own to a spreadsheet."""

    TEXT = "text"
    NUMBER = "number"
    MONEY = "money"
    """In dollars."""
    DAY = "day"


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetColumn:
    """``key`` is for programs and never changes; ``heading`` is for people, where ``called`` is a word of its
    own for it. ``said`` names the words by which a code in the column is told to people: programs get the
    code."""

    key: str
    kind: ColumnKind = ColumnKind.TEXT
    said: str = ""
    called: str = ""
    heading: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Rows with a value for each column: a text, a whole or a decimal number, a day; None where it is empty.

    ``key`` says what it is a table of, ``name`` so in words; ``about`` of whom and when: parts of the name of
    the file.
    """

    key: str
    columns: tuple[SheetColumn, ...]
    rows: Sequence[Sequence[Any]]
    about: tuple[str, ...] = ()
    name: str = ""

    @property
    def title(self) -> str:
        """``Standings · Tuesday night · 2026-11-17``."""
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
    """
    >>> dollars(1250)
    Decimal('12.50')
    """
    return Decimal(cents).scaleb(-2)
