"""The columns of a list, known by their headings or assigned by a user."""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from errors import Refusal
from web import names

from .decoding import DELIMITERS, read_rows

Columns = Mapping[str, tuple[str, ...]]
"""The headings that a file may give each column, folded by ``web.names.fold_name`` with spaces for
punctuation."""

IGNORED_COLUMN = ""
"""The assignment of a column that is not read."""

MAX_SKIPPED_LINES = 20
"""Lines in which to look for headings, below a title, a date or the club's name."""
MAX_SAMPLES = 3

_SEPARATORS = re.compile(r"[\W_]+")
"""``Nom :`` and ``Tél. (cell)`` are read as ``nom`` and ``tel cell``."""
_LITTLE_WORDS = frozenset({"d", "de", "des", "du", "l", "la", "le", "les", "of", "s", "the"})
"""``Nom du joueur 1`` is read as ``nom joueur 1``."""
_SECOND_COLUMN = {"player_1": "player_2", "first_1": "first_2", "last_1": "last_2"}
"""The meaning of a second column with the same heading: ``Nom;Prénom;Nom;Prénom`` of two partners."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Headings:
    """A line that may name the columns.

    It has ``titles``, with the ``delimiter`` between them; the lines ``above`` it are not read.
    """

    line: int
    delimiter: str
    titles: tuple[str, ...]
    above: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A key that is the same for all lists with these headings, but does not reveal them."""
        return hashlib.sha256("\n".join(map(_fold_title, self.titles)).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The layout of a list: the meaning of each column, in order, and whether a line has headings."""

    fields: tuple[str, ...]
    has_headings: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ListColumn:
    """A column in a preview: its heading, its first values, and its meaning."""

    title: str
    samples: tuple[str, ...]
    field: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTable:
    """A list, with its headings in ``line`` if it has some: its ``rows`` by column, each with its line number.

    ``headings`` holds the headings of the columns that are read, ``unread`` the others, and ``above`` the lines
    before the headings.
    """

    rows: Iterator[tuple[int, dict[str, str]]]
    line: int = 0
    headings: Mapping[str, str]
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()


def find_headings(text: str, columns: Columns) -> Headings | None:
    """Return the line that names the most of these columns, or None. Below the first line, it must name two,
    or contain nothing else."""
    columns_by_title = _index_columns_by_title(columns)
    best = (0, 0, 0)
    found: Headings | None = None
    for delimiter in DELIMITERS:
        skipped_lines: list[str] = []
        for line, values in _read_first_rows(text, delimiter):
            titles = [value for value in values if value]
            matched_count = sum(_shorten_title(title) in columns_by_title for title in titles)
            is_sure = not skipped_lines or matched_count > 1 or matched_count == len(titles)
            if is_sure and matched_count and (matched_count, -line, len(values)) > best:
                best = matched_count, -line, len(values)
                found = Headings(line=line, delimiter=delimiter, titles=tuple(values), above=tuple(skipped_lines))
            skipped_lines.append(" ".join(titles))
    return found


def guess_headings(text: str, columns: Columns) -> Headings:
    """Return the headings from ``find_headings``, or else the first line of several values, whose meaning is
    unknown."""
    return find_headings(text, columns) or _guess_unknown_headings(text)


def get_layout(text: str, columns: Columns) -> Layout | None:
    """Return the layout that a list's headings say; None if they say nothing. A second column of the same
    heading is the partner's; if that makes no sense, it is assigned twice, which ``read_table`` refuses."""
    headings = find_headings(text, columns)
    return None if headings is None else _build_layout(headings.titles, columns, _index_columns_by_title(columns))


def read_table(
    text: str,
    columns: Columns,
    *,
    required_columns: Collection[str],
    file: str,
    max_rows: int,
    layout: Layout | None = None,
) -> SheetTable:
    """Read the rows below the headings, at most ``max_rows``, by the ``layout`` or else by the headings. Values
    are separated by commas, semicolons or tabs.

    Refuses: column_twice, column_missing; and as the rows are read: malformed_csv, list_too_long.
    """
    found_headings = find_headings(text, columns)
    headings = found_headings or _guess_unknown_headings(text)
    columns_by_title = _index_columns_by_title(columns)
    if layout is None:
        layout = _build_layout(found_headings.titles if found_headings else (), columns, columns_by_title)
    if not layout.has_headings:
        headings = Headings(line=0, delimiter=headings.delimiter, titles=())
    places = _find_column_positions(layout, headings, required_columns=required_columns, file=file)
    unread = (title for place, title in enumerate(headings.titles) if place not in places.values())
    return SheetTable(
        line=headings.line,
        rows=_read_rows_below(
            headings,
            text,
            places,
            file=file,
            max_rows=max_rows,
            is_heading=partial(_is_heading, headings, columns, columns_by_title, layout),
        ),
        headings={column: _get_title(headings, place) for column, place in places.items()},
        unread=tuple(filter(None, unread)),
        above=headings.above,
    )


def is_name_list(text: str) -> bool:
    """Return whether the text is names alone. Commas do not count: they are within names as
    well as between columns."""
    return not any(separator in text for separator in ';\t"')


def list_columns(text: str, columns: Columns, layout: Layout | None) -> tuple[ListColumn, ...]:
    """Return a list's columns with their first values, as read by the ``layout`` or as possible."""
    headings = guess_headings(text, columns)
    has_headings = layout is None or layout.has_headings
    first = headings.line if has_headings else 0
    rows = _read_first_rows(text, headings.delimiter, MAX_SKIPPED_LINES + MAX_SAMPLES)
    samples = list(islice((values for line, values in rows if line > first), MAX_SAMPLES))
    titles, fields = headings.titles if has_headings else (), () if layout is None else layout.fields
    width = max(map(len, [titles, *samples]), default=0)
    return tuple(
        ListColumn(
            title=_get_value(titles, place),
            samples=tuple(_get_value(row, place) for row in samples),
            field=_get_value(fields, place),
        )
        for place in range(width)
    )


def _read_first_rows(text: str, delimiter: str, max_rows: int = MAX_SKIPPED_LINES) -> Iterator[tuple[int, list[str]]]:
    try:
        yield from islice(read_rows(text, delimiter, file=""), max_rows)
    except Refusal:
        return  # another delimiter may be able to read it


def _guess_unknown_headings(text: str) -> Headings:
    delimiter = _guess_delimiter(text)
    skipped_lines: list[str] = []
    for line, values in _read_first_rows(text, delimiter):
        if len(list(filter(None, values))) > 1:
            return Headings(line=line, delimiter=delimiter, titles=tuple(values), above=tuple(skipped_lines))
        skipped_lines.append(" ".join(filter(None, values)))
    line, titles = next(_read_first_rows(text, delimiter), (1, []))
    return Headings(line=line, delimiter=delimiter, titles=tuple(titles))


def _guess_delimiter(text: str) -> str:
    """Return a tab or a semicolon if at least half of the first lines have it. Otherwise return a comma,
    which is also in names."""
    first = [line for line in text[:100_000].splitlines()[:MAX_SKIPPED_LINES] if line.strip()]
    return next(
        (separator for separator in "\t;" if 2 * sum(separator in line for line in first) >= max(len(first), 1)), ","
    )


def _build_layout(titles: Iterable[str], columns: Columns, columns_by_title: Mapping[str, str]) -> Layout:
    fields: list[str] = []
    for title in titles:
        field = columns_by_title.get(_shorten_title(title), IGNORED_COLUMN)
        is_second = field in fields and _SECOND_COLUMN.get(field) in columns
        fields.append(_SECOND_COLUMN[field] if is_second else field)
    return Layout(fields=tuple(fields))


def _is_heading(
    headings: Headings, columns: Columns, columns_by_title: Mapping[str, str], layout: Layout, values: Sequence[str]
) -> bool:
    """Return whether a row repeats the headings, as on each page of a printed list, also in another language."""
    fields = _build_layout(values, columns, columns_by_title).fields
    has_same_meaning = any(fields) and fields == layout.fields[: len(fields)] and not any(layout.fields[len(fields) :])
    return has_same_meaning or tuple(values) == headings.titles


def _find_column_positions(
    layout: Layout, headings: Headings, *, required_columns: Collection[str], file: str
) -> Mapping[str, int]:
    """Return the position of each column that is read.

    Refuses: column_twice, column_missing.
    """
    places: dict[str, int] = {}
    for place, column in enumerate(layout.fields):
        if column in places:
            title = _get_title(headings, place)
            raise Refusal("column_twice", field=title or column, file=file, line=headings.line or 1)
        if column:
            places[column] = place
    for column in required_columns:
        if column not in places:
            raise Refusal("column_missing", field=column, file=file, line=headings.line or 1)
    return places


def _read_rows_below(
    headings: Headings,
    text: str,
    places: Mapping[str, int],
    *,
    file: str,
    max_rows: int,
    is_heading: Callable[[Sequence[str]], bool],
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows below the headings, except those that repeat them (``is_heading``); missing values at the
    end of a line are empty."""
    rows = read_rows(text, headings.delimiter, file=file)
    rows_below = ((line, values) for line, values in rows if line > headings.line and not is_heading(values))
    for line, values in islice(rows_below, max_rows):
        yield line, {column: _get_value(values, place) for column, place in places.items()}
    extra_row = next(rows_below, None)
    if extra_row is not None:
        lines = max_rows + 1 + sum(1 for _ in rows_below)
        raise Refusal("list_too_long", file=file, line=extra_row[0], most=max_rows, lines=lines)


def _get_title(headings: Headings, place: int) -> str:
    return _get_value(headings.titles, place)


def _get_value(values: Sequence[str], place: int) -> str:
    return values[place] if place < len(values) else ""


def _index_columns_by_title(columns: Columns) -> Mapping[str, str]:
    """Return the column of each heading that a file may give it."""
    return {_shorten_title(name): column for column, ways in columns.items() for name in ways}


def _shorten_title(title: str) -> str:
    """Return the words of a heading that tell its meaning."""
    return " ".join(word for word in _fold_title(title).split() if word not in _LITTLE_WORDS)


def _fold_title(title: str) -> str:
    return " ".join(_SEPARATORS.sub(" ", names.fold_name(title)).split())
