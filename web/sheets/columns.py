"""What the columns of a sheet are, by the names at their heads."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from rules import Refusal
from web import names

from .reading import DELIMITERS, read_rows

Columns = Mapping[str, tuple[str, ...]]
"""Each column by what a file may call it: as ``web.names.fold_name`` has it, with spaces for signs."""

_SIGNS = re.compile(r"[\W_]+")
"""``Nom :`` and ``Tél. (cell)`` are what ``nom`` and ``tel cell`` are."""

MOST_ABOVE = 20
"""Among as many lines the headings are looked for, below a title, a date, the name of the club."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Headings:
    """The line that names the columns: by which letter its values are parted, the ``titles``, and the lines
    that stand ``above`` it, which nobody reads."""

    line: int
    delimiter: str
    titles: tuple[str, ...]
    above: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTable:
    """A sheet below the ``line`` of its headings: the ``rows``, each with its line and by column; what the
    file ``called`` each column that is read; the titles of the others, ``unread``; the lines ``above``."""

    line: int
    rows: Iterator[tuple[int, dict[str, str]]]
    called: Mapping[str, str]
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()


def headings_of(text: str, columns: Columns) -> Headings | None:
    """The line of a sheet that names most of these columns; below the first line, only one that names two, or
    nothing else. None where no line does."""
    called = _columns_called(columns)
    best: tuple[int, int] = (0, 0)
    found: Headings | None = None
    for delimiter in DELIMITERS:
        above: list[str] = []
        for line, values in _first_rows(text, delimiter):
            titles = [value for value in values if value]
            known = sum(_fold_title(title) in called for title in titles)
            is_sure = not above or known > 1 or known == len(titles)
            if is_sure and (known, -line) > best and known:
                best = known, -line
                found = Headings(line=line, delimiter=delimiter, titles=tuple(values), above=tuple(above))
            above.append(" ".join(titles))
    return found


def read_table(text: str, columns: Columns, *, needed: Collection[str], file: str, most: int) -> SheetTable:
    """The rows below the headings, ``most`` of them. Commas, semicolons or tabs part the values.

    Refuses: column_twice, column_missing; and as the rows are read: malformed_csv, list_too_long.
    """
    headings = headings_of(text, columns) or _first_line(text, file=file)
    places, unread = _places_of(headings, columns, needed=needed, file=file)
    return SheetTable(
        line=headings.line,
        rows=_below(headings, text, places, file=file, most=most),
        called={column: headings.titles[place] for column, place in places.items()},
        unread=unread,
        above=headings.above,
    )


def _first_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    try:
        yield from islice(read_rows(text, delimiter, file=""), MOST_ABOVE)
    except Refusal:
        return  # with another letter it can perhaps be read


def _first_line(text: str, *, file: str) -> Headings:
    """Where no line names a column: the first one is told what it lacks."""
    first = text.lstrip().partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    line, titles = next(read_rows(text, delimiter, file=file), (1, []))
    return Headings(line=line, delimiter=delimiter, titles=tuple(titles))


def _places_of(
    headings: Headings, columns: Columns, *, needed: Collection[str], file: str
) -> tuple[dict[str, int], tuple[str, ...]]:
    """The place of each column that is read, and the names of the others."""
    called = _columns_called(columns)
    places: dict[str, int] = {}
    unread = []
    for place, title in enumerate(headings.titles):
        column = called.get(_fold_title(title))
        if column is None:
            unread.append(title)
        elif column in places:
            raise Refusal("column_twice", field=title, file=file, line=headings.line)
        else:
            places[column] = place
    for column in needed:
        if column not in places:
            raise Refusal("column_missing", field=column, file=file, line=headings.line)
    return places, tuple(title for title in unread if title)


def _below(
    headings: Headings, text: str, places: Mapping[str, int], *, file: str, most: int
) -> Iterator[tuple[int, dict[str, str]]]:
    """A short line is empty at its end."""
    rows = read_rows(text, headings.delimiter, file=file)
    below = (row for row in rows if row[0] > headings.line)
    for line, values in islice(below, most):
        yield line, {column: _value(values, place) for column, place in places.items()}
    beyond = next(below, None)
    if beyond is not None:
        lines = most + 1 + sum(1 for _ in below)
        raise Refusal("list_too_long", file=file, line=beyond[0], most=most, lines=lines)


def _value(values: Sequence[str], place: int) -> str:
    return values[place] if place < len(values) else ""


def _columns_called(columns: Columns) -> Mapping[str, str]:
    """The column of each name that a file may give it."""
    return {_fold_title(name): column for column, ways in columns.items() for name in ways}


def _fold_title(title: str) -> str:
    return " ".join(_SIGNS.sub(" ", names.fold_name(title)).split())
