"""A CSV file of entries, as spreadsheets save it: French or English column names, and what comes with them.

>>> sheet = "Joueur 1;Joueur 2;Cote\\nJeannine Roy;Marcel Dubé;1500\\n"
>>> read_entry_sheet(sheet, file="list.csv", size=2).entries[0].rating
1500
"""

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from clubs import names
from rules import Refusal

from .values import (
    MOST_LINES,
    EntryList,
    ListedEntry,
    check_names,
    check_new,
    checked_team,
    read_rating,
    section_named,
)

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "player_1": ("player 1", "player", "name", "joueur 1", "joueuse 1", "joueur", "joueuse", "nom"),
    "player_2": ("player 2", "partner", "joueur 2", "joueuse 2", "partenaire"),
    "section": ("section", "group", "groupe"),
    "team": ("team", "club", "equipe"),
    "rating": ("rating", "cote"),
}
"""Each column by what a file may call it, as ``clubs.names.folded`` has it, with spaces for underscores."""

_DELIMITERS = ",;\t"
_MARKS_OF_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def text_of_sheet(content: bytes, *, file: str) -> str:
    """The text of a file in UTF-8, in UTF-16 with its mark, or in Windows-1252. Refuses: not_utf8."""
    encodings = ("utf-16",) if content.startswith(_MARKS_OF_UTF_16) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
    raise Refusal("not_utf8", field="file", file=file, line=line)


def read_entry_sheet(
    text: str, *, file: str, size: int, sections: Collection[str] = (), taken: Iterable[str] = ()
) -> EntryList:
    """Reads a file of entries of ``size`` names each; ``sections`` are those of the event, ``taken`` are the
    names that take part already. Commas, semicolons or tabs part the columns; empty lines are passed over.

    Codes of the refusals, each with its file, line and column: column_missing, column_twice, malformed_csv,
    list_too_long, name_required, too_many_names, strange_character, name_too_long, entered_twice,
    and what ``section_named``, ``checked_team`` and ``read_rating`` refuse.
    """
    seen = {names.folded(name): 0 for name in taken}
    entries: list[ListedEntry] = []
    refusals: list[Refusal] = []
    unread: tuple[str, ...] = ()
    try:
        lines = _lines(text, file)
        places, unread = _columns(next(lines, (1, []))[1], file=file, size=size)
        for line, values in lines:
            row = {column: values[place] if place < len(values) else "" for column, place in places.items()}
            try:
                entries.append(_entry(row, size=size, sections=sections, seen=seen, file=file, line=line))
            except Refusal as refusal:
                refusals.append(refusal)
    except Refusal as refusal:
        refusals.append(refusal)
    return EntryList(entries=tuple(entries), refusals=tuple(refusals), unread=unread)


def _lines(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """The values of each line that is not empty, with its number."""
    first = text.lstrip().partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for values in reader:
            if any(value.strip() for value in values):
                yield line, [names.cleaned(value) for value in values]
            line = reader.line_num + 1
            if line > MOST_LINES + 1:
                raise Refusal("list_too_long", file=file, line=line, most=MOST_LINES, lines=text.count("\n"))
    except csv.Error:
        raise Refusal("malformed_csv", file=file, line=line) from None


def _columns(header: Sequence[str], *, file: str, size: int) -> tuple[dict[str, int], tuple[str, ...]]:
    """The place of each column that is read, and the names of the others."""
    called = {name: column for column, ways in COLUMNS.items() for name in ways}
    places: dict[str, int] = {}
    unread = []
    for place, title in enumerate(header):
        column = called.get(names.folded(title.replace("_", " ")))
        if column is None:
            unread.append(title)
        elif column in places:
            raise Refusal("column_twice", field=title, file=file, line=1)
        else:
            places[column] = place
    for column in ("player_1", "player_2")[:size]:
        if column not in places:
            raise Refusal("column_missing", field=column, file=file, line=1)
    return places, tuple(title for title in unread if title)


def _entry(
    row: Mapping[str, str],
    *,
    size: int,
    sections: Collection[str],
    seen: dict[str, int],
    file: str,
    line: int,
) -> ListedEntry:
    named = [(column, row[column]) for column in ("player_1", "player_2")[:size]]
    for column, name in named:
        if not name:
            raise Refusal("name_required", field=column, file=file, line=line)
    more = row.get("player_2", "")
    if size == 1 and more:
        raise Refusal("too_many_names", field="player_2", text=more, size=size, file=file, line=line)
    check_names(named, file=file, line=line)
    try:
        section = section_named(row.get("section", ""), sections)
        team = checked_team(row.get("team", ""))
        rating = read_rating(row.get("rating", ""))
    except Refusal as refusal:
        raise Refusal(refusal.code, field=refusal.field, **refusal.details, file=file, line=line) from None
    check_new(named, seen=seen, line=line, file=file)
    return ListedEntry(players=tuple(name for _, name in named), section=section, team=team, rating=rating)
