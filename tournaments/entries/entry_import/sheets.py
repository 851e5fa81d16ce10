"""Reading of a spreadsheet of entries saved as CSV. Columns have French or English headings, or are assigned.

>>> sheet = "Joueur 1;Joueur 2;Cote\nROY, Jeannine;Marcel Dubé;1 500\n"
>>> (entry,) = read_entry_sheet(sheet, file="list.csv", size=2).entries
>>> entry.players, entry.rating
(('Jeannine Roy', 'Marcel Dubé'), 1500)
"""

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from errors import Refusal
from web import names
from web.sheets import (
    Columns,
    Layout,
    columns_of,
    full_name,
    headings_of,
    is_plain_list,
    names_in_cell,
    possible_headings,
    read_rows,
    read_table,
    whole_number,
)

from .apart_list import EntryFinder, names_in_line
from .typed import lines_of_entry_list, read_entry_list
from .values import (
    GONE,
    MOST_LINES,
    STATES,
    EntryList,
    ListedEntry,
    check_names,
    check_new,
    checked_label,
    checked_team,
    read_arrival,
    read_disqualification,
    read_rating,
    read_rounds,
    read_side,
    read_table_number,
    read_withdrawal,
    section_named,
)

COLUMNS: Columns = {
    "player_1": (
        *("player 1", "player", "name", "full name", "name 1"),
        *("joueur 1", "joueuse 1", "joueur", "joueuse", "nom", "nom 1", "nom complet"),
        *("nom et prenom", "prenom et nom", "nom prenom", "prenom nom"),
    ),
    "player_2": ("player 2", "partner", "name 2", "joueur 2", "joueuse 2", "partenaire", "nom 2"),
    "players": (
        *("players", "both players", "pair", "names"),
        *("joueurs", "joueuses", "les deux joueurs", "paire", "noms"),
    ),
    "first_1": ("first name", "given name", "first name 1", "prenom", "prenom 1"),
    "last_1": ("last name", "surname", "family name", "last name 1", "nom de famille", "nom de famille 1"),
    "first_2": ("first name 2", "prenom 2"),
    "last_2": ("last name 2", "nom de famille 2"),
    "entry": ("number", "entry", "numero", "no"),
    "section": ("section", "group", "groupe"),
    "team": ("team", "club", "equipe"),
    "rating": ("rating", "cote"),
    "table": ("always at table", "fixed table", "toujours a cette table", "table fixe"),
    "side": ("side", "always on side", "toujours dans l'equipe", "camp"),
    "family": ("family", "famille"),
    "car": ("car", "carpool", "voiture", "auto", "covoiturage"),
    "labels": ("category", "categories", "prize category", "categorie", "categorie de prix"),
    "apart": ("keep apart from", "keep apart", "must not meet", "ne pas rencontrer", "a ne pas rencontrer"),
    "state": ("state", "etat"),
    "plays_from": ("plays from", "joue a partir de"),
    "left_after": ("withdrew after round", "retrait apres la ronde"),
    "absent": ("absent in rounds", "absence aux rondes"),
    "excused": ("excused in rounds", "absence motivee aux rondes"),
    "withdrawn": ("withdrawn in rounds", "retrait aux rondes"),
    "byes": ("bye requested in rounds", "exemption demandee aux rondes"),
    "disqualification": ("disqualified because of", "motif de la disqualification"),
}

OF_PARTNERS = frozenset({"player_2", "players", "first_2", "last_2"})
"""Columns that only a list of pairs has."""


def read_entry_sheet(
    text: str,
    *,
    file: str,
    size: int,
    sections: Collection[str] = (),
    tables: int | None = None,
    taken: Iterable[str] = (),
    present: Mapping[int, Sequence[str]] = MappingProxyType({}),
    tables_taken: Mapping[int, int] = MappingProxyType({}),
    layout: Layout | None = None,
) -> EntryList:
    """Read a file of entries of ``size`` names each.

    Columns follow the assigned ``layout`` if there is one, else the headings; a file with neither is read as
    a list of names. ``sections`` and ``tables`` are those of the event, ``taken`` the names already entered,
    ``present`` the names of each entry by number, and ``tables_taken`` the entries that have a fixed table.
    Columns are separated by commas, semicolons or tabs; empty lines are skipped.

    Codes of the refusals, each with its file, line and column: column_missing, column_twice, malformed_csv,
    list_too_long, name_required, one_name_missing, too_many_names, strange_character, name_too_long,
    entered_twice, same_name_twice, table_is_anothers, and what ``section_named``, ``checked_team``,
    ``checked_label`` and the ``read_…`` of ``values`` refuse.
    Of the doubts: nobody_of_that_name, several_of_that_name, apart_from_itself.
    """
    first = max(present, default=0) + 1
    if layout is None and headings_of(text, COLUMNS) is None:
        layout = likely_layout(text, size)
        if layout is None and text.strip() and is_plain_list(text):
            return _read_names(text, file=file, size=size, taken=taken, first=first)
    reader = _Reader(
        size=size,
        sections=sections,
        tables=tables,
        seen={names.fold_name(name): 0 for name in taken},
        seated=dict(tables_taken),
    )
    entries: list[ListedEntry] = []
    refusals: list[Refusal] = []
    said_apart: dict[int, str] = {}
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    called: Mapping[str, str] = {}
    try:
        table = read_table(text, COLUMNS, needed=(), file=file, most=MOST_LINES, layout=layout)
        unread, above, called = table.unread, table.above, table.called
        rows = list(table.rows)
        reader.check_columns(called.keys(), rows, file=file, line=table.line or 1)
        own = _own_numbers(rows, present)
        for number, (line, row) in enumerate(rows, start=first):
            try:
                entry = reader.entry(row, number=own.get(line, number), line=line)
                entries.append(entry)
                said_apart[entry.number] = row.get("apart", "")
            except Refusal as refusal:
                details = {"file": file, "line": line, **refusal.details}
                details["heading"] = called.get(refusal.field or "")
                refusals.append(Refusal(refusal.code, field=refusal.field, **details))
    except Refusal as refusal:
        return EntryList(entries=(), refusals=(*refusals, refusal), unread=unread, above=above)
    entries, doubts = _kept_apart(entries, said_apart, present, file=file, heading=called.get("apart"))
    return EntryList(
        entries=tuple(entries),
        refusals=tuple(refusals),
        doubts=tuple(doubts),
        unread=unread,
        above=above,
        is_numbered=bool(own),
    )


def _read_names(text: str, *, file: str, size: int, taken: Iterable[str], first: int) -> EntryList:
    """Read a file that is a plain list of names, as if typed."""
    listed = read_entry_list(text, size=size, taken=taken)
    return replace(
        listed,
        entries=tuple(replace(entry, number=number) for number, entry in enumerate(listed.entries, first)),
        refusals=tuple(Refusal(one.code, **{"file": file, **one.details}) for one in listed.refusals),
    )


def likely_layout(text: str, size: int) -> Layout | None:
    """Guess the columns of a file without headings: as many name columns as an entry has players. None if
    somebody must assign them."""
    columns = columns_of(text, COLUMNS, Layout(fields=(), has_headings=False))
    if is_plain_list(text):
        return None
    if len(columns) == 1:
        return Layout(fields=("player_1",), has_headings=False)
    names_ = iter(("player_1", "player_2")[:size])
    fields = [next(names_, "?") if _are_names(column.samples) else "" for column in columns]
    is_sure = next(names_, None) is None and "?" not in fields
    return Layout(fields=tuple(fields), has_headings=False) if is_sure else None


def _are_names(values: Sequence[str]) -> bool:
    """Check that all are full names: a column of surnames alone does not say which given names belong to
    them."""
    whole = [full_name(value) for value in values if value]
    return bool(whole) and all(" " in name and names.strange_character(name) is None for name in whole)


def _own_numbers(
    rows: Sequence[tuple[int, Mapping[str, str]]], present: Mapping[int, object]
) -> dict[int, int]:
    """Return the number of each line of a list that the program exported; such a list has a state column.
    Empty if a number is missing or taken."""
    ours = [(line, row) for line, row in rows if names.fold_name(row.get("state", "")) in STATES]
    said = {line: whole_number(row.get("entry", ""), most=4) for line, row in ours}
    numbers = {line: number for line, number in said.items() if number}
    is_whole = len({*numbers.values()} - present.keys()) == len(rows)
    return numbers if is_whole else {}


def _kept_apart(
    entries: Sequence[ListedEntry],
    said: Mapping[int, str],
    present: Mapping[int, Sequence[str]],
    *,
    file: str,
    heading: str | None,
) -> tuple[list[ListedEntry], list[Refusal]]:
    """Return the entries with those that each is kept apart from, and a refusal for each name not
    understood."""
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


def lines_of_entry_sheet(text: str, lines: Collection[int], layout: Layout | None = None) -> str:
    """Return these lines of a sheet as CSV, with its headings if it has any. A plain list is returned as
    typed."""
    has_headings = layout.has_headings if layout is not None else headings_of(text, COLUMNS) is not None
    if not has_headings and layout is None and is_plain_list(text):
        return lines_of_entry_list(text, lines)
    headings = possible_headings(text, COLUMNS)
    kept = io.StringIO()
    writer = csv.writer(kept, lineterminator="\n")
    for line, values in read_rows(text, headings.delimiter, file=""):
        if (has_headings and line == headings.line) or line in lines:
            writer.writerow(values)
    return kept.getvalue()


def players_of_line(row: Mapping[str, str], *, size: int, is_alone: bool = False) -> list[tuple[str, str]]:
    """Return the names of a row, each with its column; "" for a missing name.

    Each name has one column, or two (surname and given name), or both players share one. Refuses:
    one_name_missing, too_many_names.
    """
    parts = ("player", "first", "last")
    named = [
        (f"player_{place}", full_name(*(row.get(f"{part}_{place}", "") for part in parts)))
        for place in (1, 2)
    ]
    column = "players" if row.get("players") else "player_1"
    both = names_in_cell(row.get(column, "")) if size > 1 and not named[1][1] else []
    if len(both) > 1 or (both and column == "players"):
        named = [(column, name) for name in both]
        if len(both) < size and not is_alone:
            raise Refusal("one_name_missing", field=column, text=row[column])
    for column, name in [one for one in named[size:] if one[1]]:
        raise Refusal("too_many_names", field=column, text=name, size=size)
    cleaned = [(column, names.clean_name(name)) for column, name in named[:size]]
    return [one for one in cleaned if one[1]] or cleaned[:1] if is_alone else cleaned


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Reader of the rows of a sheet; it remembers the names and tables of earlier rows."""

    size: int
    sections: Collection[str]
    tables: int | None
    seen: dict[str, int]
    seated: dict[int, int]

    def check_columns(
        self,
        columns: Collection[str],
        rows: Sequence[tuple[int, Mapping[str, str]]],
        *,
        file: str,
        line: int,
    ) -> None:
        """Check that there is a column for each player. Refuses: column_missing, of a player."""
        wanted = ("player_1", "player_2")[: self.size]
        for column in wanted:
            if not {column, column.replace("player", "last"), "players"} & {*columns}:
                both = (names_in_cell(row.get("player_1", "")) for _, row in rows)
                if column == "player_1" or all(len(found) < self.size for found in both):
                    raise Refusal("column_missing", field=column, file=file, line=line)

    def entry(self, row: Mapping[str, str], *, number: int, line: int) -> ListedEntry:
        """Read one row. Refuses: what ``read_entry_sheet`` says of a line."""
        state = STATES.get(names.fold_name(row.get("state", "")), "")
        named = players_of_line(row, size=self.size, is_alone=state == "looking")
        for column, name in named:
            if not name:
                raise Refusal("name_required", field=column)
        check_names(named)
        said: dict[str, Any] = {
            "section": section_named(row.get("section", ""), self.sections),
            "team": checked_team(row.get("team", "")),
            "rating": read_rating(row.get("rating", "")),
            **{name: checked_label(name, row.get(name, "")) for name in ("family", "car", "labels")},
            "side": read_side(row.get("side", "")),
            "arrives": read_arrival(row.get("plays_from", "")),
            "leaves_after": read_withdrawal(state, row.get("left_after", "")),
            "excused": (excused := read_rounds("excused", row.get("excused", ""))),
            "absent": tuple(sorted({*read_rounds("absent", row.get("absent", "")), *excused})),
            "withdrawn": read_rounds("withdrawn", row.get("withdrawn", "")),
            "byes_asked": read_rounds("byes", row.get("byes", "")),
            "disqualification": read_disqualification(state, row.get("disqualification", "")),
            "table": read_table_number(row.get("table", ""), self.tables),
        }
        if said["disqualification"] and said["leaves_after"] is None:
            said["leaves_after"] = 0
        is_gone = said["leaves_after"] == 0 or state in GONE or said["disqualification"]
        if not is_gone:
            self._check_new(named, said["table"], number=number, line=line)
        return ListedEntry(
            line=line,
            number=number,
            players=tuple(name for _, name in named),
            is_waiting=state in ("waiting", "looking"),
            **said,
        )

    def _check_new(
        self, named: Sequence[tuple[str, str]], table: int | None, *, number: int, line: int
    ) -> None:
        """Check that the names and the table are free. Refuses: entered_twice, same_name_twice,
        table_is_anothers."""
        check_new(named, seen=self.seen, line=line)
        if table is not None and self.seated.setdefault(table, number) != number:
            raise Refusal("table_is_anothers", field="table", table=table, entry=self.seated[table])
