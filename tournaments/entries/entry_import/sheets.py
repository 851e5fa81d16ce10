"""A sheet of entries, as spreadsheets save it: French or English column names, and what comes with them.

>>> sheet = "Joueur 1;Joueur 2;Cote\\nJeannine Roy;Marcel Dubé;1500\\n"
>>> read_entry_sheet(sheet, file="list.csv", size=2).entries[0].rating
1500
"""

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from rules import Refusal
from web import names
from web.sheets import Columns, headings_of, read_rows, read_table

from .apart_list import EntryFinder, names_in_line
from .values import (
    MOST_LINES,
    EntryList,
    ListedEntry,
    check_names,
    check_new,
    checked_label,
    checked_team,
    read_rating,
    read_side,
    section_named,
)

COLUMNS: Columns = {
    "player_1": ("player 1", "player", "name", "joueur 1", "joueuse 1", "joueur", "joueuse", "nom"),
    "player_2": ("player 2", "partner", "joueur 2", "joueuse 2", "partenaire"),
    "section": ("section", "group", "groupe"),
    "team": ("team", "club", "equipe"),
    "rating": ("rating", "cote"),
    "family": ("family", "famille"),
    "car": ("car", "carpool", "voiture", "auto", "covoiturage"),
    "labels": ("category", "categories", "prize category", "categorie", "categorie de prix"),
    "side": ("side", "always on side", "toujours dans l'equipe"),
    "apart": ("keep apart from", "keep apart", "must not meet", "ne pas rencontrer", "a ne pas rencontrer"),
}


def read_entry_sheet(
    text: str,
    *,
    file: str,
    size: int,
    sections: Collection[str] = (),
    taken: Iterable[str] = (),
    present: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> EntryList:
    """Reads a file of entries of ``size`` names each; ``sections`` are those of the event, ``taken`` are the
    names that take part already, ``present`` those of each entry by number. Commas, semicolons or tabs part
    the columns; empty lines are passed over.

    Codes of the refusals, each with its file, line and column: column_missing, column_twice, malformed_csv,
    list_too_long, name_required, too_many_names, strange_character, name_too_long, entered_twice,
    same_name_twice, and what ``section_named``, ``checked_team``, ``read_rating``, ``checked_label`` and
    ``read_side`` refuse.
    Of the doubts: nobody_of_that_name, several_of_that_name, apart_from_itself.
    """
    seen = {names.fold_name(name): 0 for name in taken}
    entries: list[ListedEntry] = []
    refusals: list[Refusal] = []
    said_apart: dict[int, str] = {}
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    called: Mapping[str, str] = {}
    try:
        needed = ("player_1", "player_2")[:size]
        table = read_table(text, COLUMNS, needed=needed, file=file, most=MOST_LINES)
        unread, above, called = table.unread, table.above, table.called
        for number, (line, row) in enumerate(table.rows, start=max(present, default=0) + 1):
            try:
                entry = _entry(row, size=size, sections=sections, seen=seen, file=file, line=line)
                entries.append(replace(entry, number=number))
                said_apart[number] = row.get("apart", "")
            except Refusal as refusal:
                details = refusal.details | {"heading": called.get(refusal.field or "")}
                refusals.append(Refusal(refusal.code, field=refusal.field, **details))
    except Refusal as refusal:
        return EntryList(entries=(), refusals=(*refusals, refusal), unread=unread, above=above)
    entries, doubts = _kept_apart(entries, said_apart, present, file=file, heading=called.get("apart"))
    return EntryList(
        entries=tuple(entries), refusals=tuple(refusals), doubts=tuple(doubts), unread=unread, above=above
    )


def _kept_apart(
    entries: Sequence[ListedEntry],
    said: Mapping[int, str],
    present: Mapping[int, Sequence[str]],
    *,
    file: str,
    heading: str | None,
) -> tuple[list[ListedEntry], list[Refusal]]:
    """The entries with those from which each is kept apart, and what of that nobody can follow."""
    if not any(said.values()):
        return list(entries), []
    finder = EntryFinder({**present, **{entry.number: entry.players for entry in entries}})
    found: list[ListedEntry] = []
    doubts: list[Refusal] = []
    for entry in entries:
        where = {"file": file, "line": entry.line, "heading": heading}
        meant: dict[int, None] = {}
        for name in names_in_line(said[entry.number]):
            try:
                other = finder.entry_meant(name, **where)
                if other == entry.number:
                    raise Refusal("apart_from_itself", field="apart", text=name, **where)
            except Refusal as refusal:
                doubts.append(refusal)
            else:
                meant[other] = None
        found.append(replace(entry, apart=tuple(meant)))
    return found, doubts


def lines_of_entry_sheet(text: str, lines: Collection[int]) -> str:
    """The headings of a sheet that can be read, and these lines of it, as CSV."""
    headings = headings_of(text, COLUMNS)
    assert headings is not None
    kept = io.StringIO()
    writer = csv.writer(kept, lineterminator="\n")
    for line, values in read_rows(text, headings.delimiter, file=""):
        if line == headings.line or line in lines:
            writer.writerow(values)
    return kept.getvalue()


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
        family, car, labels = (checked_label(name, row.get(name, "")) for name in ("family", "car", "labels"))
        side = read_side(row.get("side", ""))
    except Refusal as refusal:
        raise Refusal(refusal.code, field=refusal.field, **refusal.details, file=file, line=line) from None
    check_new(named, seen=seen, line=line, file=file)
    return ListedEntry(
        line=line,
        players=tuple(name for _, name in named),
        section=section,
        team=team,
        rating=rating,
        family=family,
        car=car,
        labels=labels,
        side=side,
    )
