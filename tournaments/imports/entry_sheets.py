"""Reading of a spreadsheet of entries saved as CSV. Columns have French or English headings, or are assigned.

>>> sheet = "Joueur 1;Joueur 2;Cote\\nROY, Jeannine;Marcel Dubé;1 500\\n"
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

from clubs.people_import import NO_VALUES
from errors import Refusal
from tournaments.entries.entry_import.apart_list import EntryFinder, split_entry_names
from tournaments.entries.entry_import.couples import TypedLines, read_couple
from tournaments.entries.entry_import.text_list import extract_list_lines, is_heading, read_entry_list
from tournaments.entries.entry_import.values import (
    LEFT_STATES,
    MOST_LINES,
    STATES,
    EntryList,
    ListedEntry,
    check_names,
    check_not_entered,
    clean_label,
    clean_team,
    find_section,
    read_arrival,
    read_disqualification,
    read_rating,
    read_rounds,
    read_side,
    read_table_number,
    read_withdrawal,
)
from web import names
from web.sheets.cells import PARTNER_SEPARATOR, join_full_name, parse_integer, split_cell_names
from web.sheets.columns import Columns, Layout, find_headings, guess_headings, is_name_list, list_columns, read_table
from web.sheets.decoding import read_rows

COLUMNS: Columns = {
    "player_1": (
        *("player 1", "player", "name", "full name", "name 1"),
        *("joueur 1", "joueuse 1", "joueur", "joueuse", "nom", "nom 1", "nom complet"),
        *("nom et prenom", "prenom et nom", "nom prenom", "prenom nom", "nom du joueur", "nom du joueur 1"),
        *("prenom et nom du joueur", "nom et prenom du joueur", "partner 1", "partenaire 1", "captain", "capitaine"),
    ),
    "player_2": (
        *("player 2", "partner", "name 2", "partner 2", "partner name", "teammate"),
        *("joueur 2", "joueuse 2", "partenaire", "nom 2", "partenaire 2", "nom du joueur 2", "nom du partenaire"),
        *("prenom et nom du partenaire", "nom et prenom du partenaire", "coequipier", "coequipiere"),
    ),
    "players": (
        *("players", "both players", "pair", "names", "player names"),
        *("joueurs", "joueuses", "les deux joueurs", "paire", "noms", "noms des joueurs", "noms des partenaires"),
        *("noms et prenoms", "prenoms et noms", "noms et prenoms des joueurs", "prenoms et noms des joueurs"),
    ),
    "first_1": ("first name", "given name", "first name 1", "prenom", "prenom 1", "prenom du joueur 1"),
    "last_1": ("last name", "surname", "family name", "last name 1", "nom de famille", "nom de famille 1"),
    "first_2": ("first name 2", "partner first name", "prenom 2", "prenom du joueur 2", "prenom du partenaire"),
    "last_2": ("last name 2", "partner last name", "nom de famille 2", "nom de famille du partenaire"),
    "entry": ("number", "entry", "numero", "no", "n"),
    "section": ("section", "group", "groupe"),
    "team": ("team", "club", "equipe"),
    "rating": ("rating", "elo", "rtg", "cote"),
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
    "disqualification": ("disqualified because of", "reason for disqualification", "motif de la disqualification"),
    "house": ("house player", "joueur maison", "joueuse maison"),
}

PARTNER_COLUMNS = frozenset({"player_2", "players", "first_2", "last_2"})
"""Columns that only a list of pairs has."""


def read_entry_sheet(  # noqa: PLR0913 (all that a file and an event may say)
    text: str,
    *,
    file: str,
    size: int,
    sections: Collection[str] = (),
    tables: int | None = None,
    taken_names: Iterable[str] = (),
    existing_entries: Mapping[int, Sequence[str]] = MappingProxyType({}),
    taken_tables: Mapping[int, int] = MappingProxyType({}),
    layout: Layout | None = None,
    as_typed: TypedLines = None,
) -> EntryList:
    """Read a file of entries of ``size`` names each.

    Columns follow the assigned ``layout`` if there is one, else the headings; a file with neither is read as
    a list of names. ``sections`` and ``tables`` are those of the event, ``taken_names`` the names already entered,
    ``existing_entries`` the names of each entry by number, ``taken_tables`` the entries that have a fixed table,
    and ``as_typed`` the lines of couples to keep as typed.
    Columns are separated by commas, semicolons or tabs; empty lines are skipped.

    Codes of the refusals, each with its file, line and column: column_missing, column_twice, malformed_csv,
    list_too_long, name_required, one_name_missing, too_many_names, strange_character, name_too_long,
    entered_twice, same_name_twice, table_is_anothers, and what ``find_section``, ``clean_team``,
    ``clean_label`` and the ``read_…`` of ``values`` refuse.
    Of the doubts: nobody_of_that_name, several_of_that_name, apart_from_itself.
    """
    first_number = max(existing_entries, default=0) + 1
    if layout is None and find_headings(text, COLUMNS) is None:
        layout = guess_layout(text, size)
        if layout is None and text.strip() and is_name_list(text):
            entry_list = read_entry_list(text, size=size, taken_names=taken_names, as_typed=as_typed)
            return _number_entries(entry_list, file=file, first_number=first_number)
    reader = _RowReader(
        size=size,
        sections=sections,
        tables=tables,
        seen={names.fold_name(name): 0 for name in taken_names},
        seated=dict(taken_tables),
        as_typed=as_typed,
    )
    entries: list[ListedEntry] = []
    refusals: list[Refusal] = []
    apart_texts: dict[int, str] = {}
    unread: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    headings: Mapping[str, str] = {}
    try:
        table = read_table(text, COLUMNS, required_columns=(), file=file, max_rows=MOST_LINES, layout=layout)
        unread, above, headings = table.unread, table.above, table.headings
        rows = list(table.rows)
        reader.check_columns(headings.keys(), rows, file=file, line=table.line or 1)
        own_numbers = _read_own_numbers(rows, existing_entries)
        for number, (line, row) in enumerate(rows, start=first_number):
            try:
                entry = reader.entry(row, number=own_numbers.get(line, number), line=line)
                entries.append(entry)
                apart_texts[entry.number] = row.get("apart", "")
            except Refusal as refusal:
                details = {"file": file, "line": line, **refusal.details}
                details["heading"] = headings.get(refusal.field or "")
                refusals.append(Refusal(refusal.code, field=refusal.field, **details))
    except Refusal as refusal:
        return EntryList(entries=(), refusals=(*refusals, refusal), unread=unread, above=above)
    entries, doubts = _resolve_apart_names(
        entries, apart_texts, existing_entries, file=file, heading=headings.get("apart")
    )
    return EntryList(
        entries=tuple(entries),
        refusals=tuple(refusals),
        doubts=tuple(doubts),
        unread=unread,
        above=above,
        is_numbered=bool(own_numbers),
    )


def _number_entries(entry_list: EntryList, *, file: str, first_number: int) -> EntryList:
    """Number the entries of a file that is a plain list of names."""
    return replace(
        entry_list,
        entries=tuple(replace(entry, number=number) for number, entry in enumerate(entry_list.entries, first_number)),
        refusals=tuple(Refusal(refusal.code, **{"file": file, **refusal.details}) for refusal in entry_list.refusals),
    )


def guess_layout(text: str, size: int) -> Layout | None:
    """Guess the columns of a file without headings: as many name columns as an entry has players. None if
    somebody must assign them."""
    columns = list_columns(text, COLUMNS, Layout(fields=(), has_headings=False))
    if is_name_list(text):
        return None
    if len(columns) == 1:
        return Layout(fields=("player_1",), has_headings=False)
    if is_heading("".join(column.samples[:1]) for column in columns):
        return None
    names_ = iter(("player_1", "player_2")[:size])
    fields = [next(names_, "?") if _are_names(column.samples) else "" for column in columns]
    is_sure = next(names_, None) is None and "?" not in fields
    return Layout(fields=tuple(fields), has_headings=False) if is_sure else None


def _are_names(values: Sequence[str]) -> bool:
    """Check that all are full names: a column of surnames alone does not say which given names belong to
    them."""
    full_values = [join_full_name(value) for value in values if value]
    return bool(full_values) and all(" " in name and names.find_invalid_character(name) is None for name in full_values)


def _read_own_numbers(rows: Sequence[tuple[int, Mapping[str, str]]], present: Mapping[int, object]) -> dict[int, int]:
    """Return the number of each line of a list that the program exported; such a list has a state column.
    Empty if a number is missing or taken."""
    exported_rows = [(line, row) for line, row in rows if names.fold_name(row.get("state", "")) in STATES]
    cells = {line: parse_integer(row.get("entry", ""), max_digits=4) for line, row in exported_rows}
    numbers = {line: number for line, number in cells.items() if number}
    is_complete = len({*numbers.values()} - present.keys()) == len(rows)
    return numbers if is_complete else {}


def _resolve_apart_names(
    entries: Sequence[ListedEntry],
    apart_texts: Mapping[int, str],
    present: Mapping[int, Sequence[str]],
    *,
    file: str,
    heading: str | None,
) -> tuple[list[ListedEntry], list[Refusal]]:
    """Return the entries with those that each is kept apart from, and a refusal for each name not
    understood."""
    if not any(apart_texts.values()):
        return list(entries), []
    finder = EntryFinder({**present, **{entry.number: entry.players for entry in entries}})
    resolved: list[ListedEntry] = []
    doubts: list[Refusal] = []
    for entry in entries:
        location = {"file": file, "line": entry.line, "heading": heading}
        others: dict[int, None] = {}
        for name in split_entry_names(apart_texts[entry.number]):
            try:
                other = finder.find_entry(name, **location)
                if other == entry.number:
                    raise Refusal("apart_from_itself", field="apart", text=name, **location)
            except Refusal as refusal:
                doubts.append(refusal)
            else:
                others[other] = None
        resolved.append(replace(entry, apart=tuple(others)))
    return resolved, doubts


def extract_sheet_lines(text: str, lines: Collection[int], layout: Layout | None = None) -> str:
    """Return these lines of a sheet as CSV, with its headings if it has any. A plain list is returned as
    typed."""
    has_headings = layout.has_headings if layout is not None else find_headings(text, COLUMNS) is not None
    if not has_headings and layout is None and is_name_list(text):
        return extract_list_lines(text, lines)
    headings = guess_headings(text, COLUMNS)
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    for line, values in read_rows(text, headings.delimiter, file=""):
        if (has_headings and line == headings.line) or line in lines:
            writer.writerow(values)
    return output.getvalue()


def read_players(row: Mapping[str, str], *, size: int, is_alone: bool = False) -> list[tuple[str, str]]:
    """Return the names of a row, each with its column; "" for a missing name.

    Each name has one column, or two (surname and given name), or both players share one. Refuses:
    one_name_missing, too_many_names.
    """
    names_by_column = [(f"player_{place}", _join_name_columns(row, place)) for place in (1, 2)]
    column = "players" if row.get("players") else "player_1"
    shared_names = _split_shared_names(row, column) if size > 1 and not names_by_column[1][1] else []
    if len(shared_names) > 1 or (shared_names and column == "players"):
        names_by_column = [(column, name) for name in shared_names]
        if len(shared_names) < size and not is_alone:
            raise Refusal("one_name_missing", field=column, text=row[column])
    for column, name in [pair for pair in names_by_column[size:] if pair[1]]:
        raise Refusal("too_many_names", field=column, text=name, size=size)
    cleaned = [(column, names.clean_name(name)) for column, name in names_by_column[:size]]
    known = [pair for pair in cleaned if pair[1] and not names.is_placeholder(pair[1])]
    return known or cleaned[:1] if is_alone else cleaned


def _split_shared_names(row: Mapping[str, str], column: str) -> list[str]:
    """Return the names in this column, or those of a couple in two: ``Roy`` and ``Luc et Anne``."""
    is_of_two = PARTNER_SEPARATOR.search(row.get("first_1", ""))
    return split_cell_names(_join_name_columns(row, 1) if is_of_two else row.get(column, ""))


def _join_name_columns(row: Mapping[str, str], place: int) -> str:
    return join_full_name(*(row.get(f"{part}_{place}", "") for part in ("player", "first", "last")))


@dataclass(slots=True, kw_only=True)
class _RowReader:
    """Reader of the rows of a sheet; it remembers the names and tables of earlier rows."""

    size: int
    sections: Collection[str]
    tables: int | None
    seen: dict[str, int]
    seated: dict[int, int]
    as_typed: TypedLines

    def check_columns(
        self,
        columns: Collection[str],
        rows: Sequence[tuple[int, Mapping[str, str]]],
        *,
        file: str,
        line: int,
    ) -> None:
        """Check that there is a column for each player. Refuses: column_missing, of a player."""
        needed_columns = ("player_1", "player_2")[: self.size]
        for column in needed_columns:
            if not {column, column.replace("player", "last"), "players"} & {*columns}:
                shared_names = (_split_shared_names(row, "player_1") for _, row in rows)
                if column == "player_1" or all(len(found) < self.size for found in shared_names):
                    raise Refusal("column_missing", field=column, file=file, line=line)

    def entry(self, row: Mapping[str, str], *, number: int, line: int) -> ListedEntry:
        """Read one row. Refuses: what ``read_entry_sheet`` says of a line."""
        state = STATES.get(names.fold_name(row.get("state", "")), "")
        player_names = read_players(row, size=self.size, is_alone=state == "looking")
        for column, name in player_names:
            if not name:
                raise Refusal("name_required", field=column)
        players, couple = read_couple([name for _, name in player_names], line, self.as_typed)
        player_names = [(column, name) for (column, _), name in zip(player_names, players, strict=True)]
        check_names(player_names)
        values: dict[str, Any] = {
            "section": find_section(row.get("section", ""), self.sections),
            "team": clean_team(row.get("team", "")),
            "rating": read_rating(row.get("rating", "")),
            **{name: clean_label(name, row.get(name, "")) for name in ("family", "car", "labels")},
            "side": read_side(row.get("side", "")),
            "arrives": read_arrival(row.get("plays_from", "")),
            "leaves_after": read_withdrawal(state, row.get("left_after", "")),
            "excused": (excused := read_rounds("excused", row.get("excused", ""))),
            "absent": tuple(sorted({*read_rounds("absent", row.get("absent", "")), *excused})),
            "withdrawn": read_rounds("withdrawn", row.get("withdrawn", "")),
            "byes_asked": read_rounds("byes", row.get("byes", "")),
            "disqualification": read_disqualification(state, row.get("disqualification", "")),
            "table": read_table_number(row.get("table", ""), self.tables),
            "is_house": names.fold_name(row.get("house", "")) not in NO_VALUES,
        }
        if values["disqualification"] and values["leaves_after"] is None:
            values["leaves_after"] = 0
        is_gone = values["leaves_after"] == 0 or state in LEFT_STATES or values["disqualification"]
        if not is_gone:
            self._check_new(player_names, values["table"], number=number, line=line)
        return ListedEntry(
            line=line,
            number=number,
            players=players,
            couple=couple,
            is_waiting=state in ("waiting", "looking"),
            **values,
        )

    def _check_new(self, player_names: Sequence[tuple[str, str]], table: int | None, *, number: int, line: int) -> None:
        """Check that the names and the table are free. Refuses: entered_twice, same_name_twice,
        table_is_anothers."""
        check_not_entered(player_names, seen_names=self.seen, line=line)
        if table is not None and self.seated.setdefault(table, number) != number:
            raise Refusal("table_is_anothers", field="table", table=table, entry=self.seated[table])
