"""The columns of a list: known by their headings, or as somebody assigned them."""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from rules import Refusal
from web import names

from .reading import DELIMITERS, read_rows

Columns = Mapping[str, tuple[str, ...]]
"""The headings that a file may give each column, as ``web.names.fold_name`` has them, spaces for signs."""

IGNORED = ""
"""What a column is assigned to that is not read."""

MOST_ABOVE = 20
"""Headings are looked for in so many lines, below a title, a date, the name of the club."""
MOST_SAMPLES = 3

_SIGNS = re.compile(r"[\W_]+")
"""``Nom :`` and ``Tél. (cell)`` are read as ``nom`` and ``tel cell``."""
_SECOND = {"player_1": "player_2", "first_1": "first_2", "last_1": "last_2"}
"""What a second column of the same heading is: ``Nom;Prénom;Nom;Prénom`` of two partners."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Headings:
    """The line that names the columns, or may: its ``titles``, the ``delimiter`` between them, and the lines
    ``above`` it, which are not read."""

    line: int
    delimiter: str
    titles: tuple[str, ...]
    above: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The same for all lists with these headings; tells nobody what they are."""
        return hashlib.sha256("\n".join(map(_fold_title, self.titles)).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a list is read: what each of its columns is, in order, and whether a line of it has headings."""

    fields: tuple[str, ...]
    has_headings: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ListColumn:
    """A column as a preview shows it: its heading, its first values, and what it is read as."""

    title: str
    samples: tuple[str, ...]
    field: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTable:
    """A sheet below the ``line`` of its headings: the ``rows``, each with its line and by column; the heading
    of each column that is read (``called``) and of those ``unread``; the lines ``above``."""

    line: int
    rows: Iterator[tuple[int, dict[str, str]]]
    called: Mapping[str, str]
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()


def headings_of(text: str, columns: Columns) -> Headings | None:
    """The line of a sheet that names most of these columns; below the first line, only one that names two, or
    nothing else. None where no line does."""
    called = _columns_called(columns)
    best = (0, 0, 0)
    found: Headings | None = None
    for delimiter in DELIMITERS:
        above: list[str] = []
        for line, values in _first_rows(text, delimiter):
            titles = [value for value in values if value]
            known = sum(_fold_title(title) in called for title in titles)
            is_sure = not above or known > 1 or known == len(titles)
            if is_sure and known and (known, -line, len(values)) > best:
                best = known, -line, len(values)
                found = Headings(line=line, delimiter=delimiter, titles=tuple(values), above=tuple(above))
            above.append(" ".join(titles))
    return found


def possible_headings(text: str, columns: Columns) -> Headings:
    """The line of ``headings_of``; else the first line of several values, whose headings nobody knows."""
    return headings_of(text, columns) or _unknown_headings(text)


def layout_of(text: str, columns: Columns) -> Layout | None:
    """What the headings of a list say its columns are; None where they say nothing. A second column of the
    same heading is the partner's; where that is none, it is assigned twice, and ``read_table`` refuses it."""
    headings = headings_of(text, columns)
    return None if headings is None else _layout_named(headings, columns)


def read_table(
    text: str,
    columns: Columns,
    *,
    needed: Collection[str],
    file: str,
    most: int,
    layout: Layout | None = None,
) -> SheetTable:
    """The rows below the headings, ``most`` of them; read by the ``layout``, else by the headings. Commas,
    semicolons or tabs part the values.

    Refuses: column_twice, column_missing; and as the rows are read: malformed_csv, list_too_long.
    """
    known = headings_of(text, columns)
    headings = known or _unknown_headings(text)
    if layout is None:
        layout = Layout(fields=()) if known is None else _layout_named(known, columns)
    if not layout.has_headings:
        headings = Headings(line=0, delimiter=headings.delimiter, titles=())
    places = _places_of(layout, headings, needed=needed, file=file)
    unread = (title for place, title in enumerate(headings.titles) if place not in places.values())
    return SheetTable(
        line=headings.line,
        rows=_below(headings, text, places, file=file, most=most),
        called={column: _title(headings, place) for column, place in places.items()},
        unread=tuple(filter(None, unread)),
        above=headings.above,
    )


def is_plain_list(text: str) -> bool:
    """Whether it has names alone, or commas, which are within names as well as between columns."""
    return not any(sign in text for sign in ';\t"')


def columns_of(text: str, columns: Columns, layout: Layout | None) -> tuple[ListColumn, ...]:
    """The columns of a list with their first values, as it is read by the ``layout``, or might be."""
    headings = possible_headings(text, columns)
    has_headings = layout is None or layout.has_headings
    first = headings.line if has_headings else 0
    rows = _first_rows(text, headings.delimiter, MOST_ABOVE + MOST_SAMPLES)
    samples = list(islice((values for line, values in rows if line > first), MOST_SAMPLES))
    titles, fields = headings.titles if has_headings else (), () if layout is None else layout.fields
    width = max(map(len, [titles, *samples]), default=0)
    return tuple(
        ListColumn(
            title=_value(titles, place),
            samples=tuple(_value(row, place) for row in samples),
            field=_value(fields, place),
        )
        for place in range(width)
    )


def _first_rows(text: str, delimiter: str, most: int = MOST_ABOVE) -> Iterator[tuple[int, list[str]]]:
    try:
        yield from islice(read_rows(text, delimiter, file=""), most)
    except Refusal:
        return  # with another letter it can perhaps be read


def _unknown_headings(text: str) -> Headings:
    delimiter = _likely_delimiter(text)
    above: list[str] = []
    for line, values in _first_rows(text, delimiter):
        if len(list(filter(None, values))) > 1:
            return Headings(line=line, delimiter=delimiter, titles=tuple(values), above=tuple(above))
        above.append(" ".join(filter(None, values)))
    line, titles = next(_first_rows(text, delimiter), (1, []))
    return Headings(line=line, delimiter=delimiter, titles=tuple(titles))


def _likely_delimiter(text: str) -> str:
    """A tab or a semicolon that most of the first lines have; else a comma, which names have, too."""
    first = [line for line in text[:100_000].splitlines()[:MOST_ABOVE] if line.strip()]
    return next(
        (sign for sign in "\t;" if 2 * sum(sign in line for line in first) >= max(len(first), 1)), ","
    )


def _layout_named(headings: Headings, columns: Columns) -> Layout:
    called = _columns_called(columns)
    fields: list[str] = []
    for title in headings.titles:
        field = called.get(_fold_title(title), IGNORED)
        is_again = field in fields and _SECOND.get(field) in columns
        fields.append(_SECOND[field] if is_again else field)
    return Layout(fields=tuple(fields))


def _places_of(
    layout: Layout, headings: Headings, *, needed: Collection[str], file: str
) -> Mapping[str, int]:
    """The place of each column that is read."""
    places: dict[str, int] = {}
    for place, column in enumerate(layout.fields):
        if column in places:
            title = _title(headings, place)
            raise Refusal("column_twice", field=title or column, file=file, line=headings.line or 1)
        if column:
            places[column] = place
    for column in needed:
        if column not in places:
            raise Refusal("column_missing", field=column, file=file, line=headings.line or 1)
    return places


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


def _title(headings: Headings, place: int) -> str:
    return _value(headings.titles, place)


def _value(values: Sequence[str], place: int) -> str:
    return values[place] if place < len(values) else ""


def _columns_called(columns: Columns) -> Mapping[str, str]:
    """The column of each name that a file may give it."""
    return {_fold_title(name): column for column, ways in columns.items() for name in ways}


def _fold_title(title: str) -> str:
    return " ".join(_SIGNS.sub(" ", names.fold_name(title)).split())
