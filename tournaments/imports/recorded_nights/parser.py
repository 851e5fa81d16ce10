"""Reading of a recorded night: from its files to a checked value, or to a list of all errors."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any

from engine.json_values import read_value
from errors import Refusal
from rules import (
    MatchFormat,
    MatchState,
    Record,
    Ruleset,
    Seat,
    check_format,
    get_ruleset,
    list_reading_refusals,
    read_record,
)
from tournaments.entries.entry_import.couples import Couple, TypedLines, read_couple
from tournaments.imports.entry_sheets import COLUMNS as ENTRY_COLUMNS
from tournaments.imports.entry_sheets import PARTNER_COLUMNS, read_players
from tournaments.imports.hand_sheets.parser import read_record_data
from tournaments.imports.hand_sheets.words import COLUMNS, REQUIRED_COLUMNS
from web import names
from web.forms import parse_day
from web.sheets.cells import parse_integer
from web.sheets.columns import Columns, Layout, read_table

from .files import MAX_VALUE_LENGTH, Files, read_text_file

Row = dict[str, str]

Place = tuple[int, int]
"""Number of a round, and of a table."""

MAX_REFUSALS = 1_000
"""Reading stops after this many errors; nobody would read more."""

_MAX_NUMBER = 9_999
_MIN_ENTRIES = 2
_MAX_LINES = 100_000
_PLACE_COLUMNS = ("round", "table", "hand")
_ENTRIES: Columns = {
    column: ENTRY_COLUMNS[column] for column in ("entry", "player_1", "first_1", "last_1", *sorted(PARTNER_COLUMNS))
}
_TABLES: Columns = {
    "round": COLUMNS["round"],
    "table": COLUMNS["table"],
    "side_a": ("side a", "number blue side", "numero equipe bleue", "cote a", "camp a"),
    "side_b": ("side b", "number orange side", "numero equipe orange", "cote b", "camp b"),
}
_HANDS: Columns = {
    **COLUMNS,
    "dealer": ("dealer", "donneur", "donneuse"),
    "trump": ("trump", "atout"),
    "outcome": ("outcome", "result", "resultat"),
}
NIGHT_LISTS: Mapping[str, Columns] = {"entries.csv": _ENTRIES, "tables.csv": _TABLES, "hands.csv": _HANDS}
"""Columns of the files that are lists."""

Layouts = Mapping[str, Layout]
"""Assigned columns, by file."""
NO_LAYOUTS: Layouts = MappingProxyType({})


def layouts_to_json(layouts: Layouts) -> dict[str, Any]:
    return {file: asdict(layout) for file, layout in layouts.items()}


def layouts_from_json(data: Mapping[str, Any]) -> Layouts:
    return {file: read_value(Layout, values) for file, values in data.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class NightTable:
    """A match of the night: its place, the two entries, and its hands in the plain form of a record."""

    round: int
    table: int
    side_a: int
    side_b: int
    hands: tuple[dict[str, Any], ...]
    is_over: bool

    @property
    def first_dealer(self) -> int | None:
        dealer = self.hands[0].get("dealer") if self.hands else None
        return int(dealer) if dealer else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedNight:
    """A night that is ready to be imported. ``entries`` are the players' names by entry number; ``held_on``
    and ``name`` are those in its file, if it has them; ``couples`` may share a surname."""

    ruleset: Ruleset
    match_format: MatchFormat
    entries: Mapping[int, tuple[str, ...]]
    rounds: tuple[tuple[NightTable, ...], ...]
    held_on: date | None = None
    name: str = ""
    couples: tuple[Couple, ...] = ()

    @property
    def players(self) -> list[str]:
        """Names of all players, by entry."""
        return [name for _, names in sorted(self.entries.items()) for name in names]

    @property
    def hands(self) -> int:
        return sum(len(table.hands) for tables in self.rounds for table in tables)

    @property
    def is_over(self) -> bool:
        """Whether every match of every round was played to its end."""
        return bool(self.rounds) and all(table.is_over for tables in self.rounds for table in tables)


def read_night(
    files: Files, layouts: Layouts = NO_LAYOUTS, as_typed: TypedLines = None
) -> tuple[RecordedNight | None, list[Refusal]]:
    """Return the night of these files, or None and every refusal, each with its file, line and column.

    Columns without a layout have the meaning of their headings. ``as_typed`` are the lines of couples to keep as
    typed.
    """
    reader = _Reader(files, layouts, as_typed)
    night = reader.read_night()
    return (None, reader.refusals) if reader.refusals else (night, [])


@dataclass(slots=True)
class _MatchReading:
    """A match while its lines are read."""

    line: int
    entries: tuple[int, int]
    hands: list[dict[str, Any]] = field(default_factory=list)
    last_number: int = 0
    state: MatchState | None = None


@dataclass(slots=True)
class _Reader:
    """Reader of one file after another. In files that are ``incomplete`` some lines are unknown, so
    references to them are not refused."""

    files: Files
    layouts: Layouts
    as_typed: TypedLines
    couples: list[Couple] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    incomplete: set[str] = field(default_factory=set)
    held_on: date | None = None
    name: str = ""

    def refuse(self, code: str, file: str, line: int | None = None, column: str | None = None, **details: Any) -> None:
        self.refusals.append(Refusal(code, field=column, file=file, line=line, **details))

    def iter_rows(self, file: str, *needed: str) -> Iterator[tuple[int, Row]]:
        """Yield the values of these columns, the ``needed`` ones first, line by line."""
        try:
            text = read_text_file(self.files, file)
            table = read_table(
                text,
                NIGHT_LISTS[file],
                required_columns=(),
                file=file,
                max_rows=_MAX_LINES,
                layout=self.layouts.get(file),
            )
            missing = [column for column in needed if column not in table.headings]
            for column in missing:
                self.refuse("column_missing", file, table.line, column)
            if missing:
                self.incomplete.add(file)
                return
            for line, row in table.rows:
                if len(self.refusals) >= MAX_REFUSALS:
                    self.incomplete.add(file)
                    return
                values = dict.fromkeys(needed, "") | row
                yield line, {column: value[:MAX_VALUE_LENGTH] for column, value in values.items()}
        except Refusal as refusal:
            self.refusals.append(refusal)
            self.incomplete.add(file)

    def read_number(self, row: Row, column: str, file: str, line: int) -> int | None:
        number = parse_integer(row[column], max_digits=len(str(_MAX_NUMBER)))
        if not number:
            self.refuse("number_expected", file, line, column, most=_MAX_NUMBER)
            self.incomplete.add(file)
        return number or None

    def read_night(self) -> RecordedNight | None:
        ruleset, match_format = self.read_settings() or (None, None)
        entries = self.read_entries(ruleset)
        sheets = self.read_tables(entries)
        self.read_hands(sheets, ruleset, match_format)
        if ruleset is None or match_format is None:
            return None
        return RecordedNight(
            ruleset=ruleset,
            match_format=match_format,
            entries=entries,
            rounds=self.group_by_round(sheets),
            held_on=self.held_on,
            name=self.name,
            couples=tuple(self.couples),
        )

    def read_settings(self) -> tuple[Ruleset, MatchFormat] | None:
        file = "night.json"
        try:
            data = json.loads(read_text_file(self.files, file))
            if not isinstance(data, dict):
                raise Refusal("not_an_object")
            games = data.get("games_to_win")
            if not isinstance(games, int) or isinstance(games, bool) or games > _MAX_NUMBER:
                raise Refusal("not_a_number", field="games_to_win", value=str(games)[:MAX_VALUE_LENGTH])
            self.held_on = self.read_day(data.get("held_on"), file)
            self.name = names.validate_title(str(data.get("name") or "")[:MAX_VALUE_LENGTH], field="name")
            ruleset = get_ruleset(str(data.get("ruleset"))[:MAX_VALUE_LENGTH])
            return ruleset, check_format(MatchFormat(games_to_win=games))
        except json.JSONDecodeError as error:
            self.refuse("not_json", file, error.lineno, str(error.colno))
        except (RecursionError, ValueError):  # nested too deep, or a number of thousands of digits
            self.refuse("not_json", file)
        except Refusal as refusal:
            details = {"line": None} | refusal.details | {"file": file}
            self.refusals.append(Refusal(refusal.code, field=refusal.field, **details))
        return None

    def read_day(self, value: object, file: str) -> date | None:
        """Return the date in the file; None if it has none."""
        try:
            return None if value is None else parse_day(str(value)[:MAX_VALUE_LENGTH], field="held_on")
        except Refusal as refusal:
            self.refuse(refusal.code, file, column=refusal.field, **refusal.details)
        return None

    def read_entries(self, ruleset: Ruleset | None) -> dict[int, tuple[str, ...]]:
        file, entries = "entries.csv", dict[int, tuple[str, ...]]()
        size = 2 if ruleset is None else ruleset.seats // 2
        for line, row in self.iter_rows(file, "entry"):
            number = self.read_number(row, "entry", file, line)
            columns_and_names = self.read_players(row, line, size=size)
            for column, name in columns_and_names:
                self.check_name(name, file, line, column)
            players, couple = read_couple([name for _, name in columns_and_names], line, self.as_typed)
            self.couples += [couple] if couple else []
            if number in entries:
                self.refuse("entry_twice", file, line, "entry", entry=number)
            elif number is not None:
                entries[number] = players
        if len(entries) < _MIN_ENTRIES and file not in self.incomplete:
            self.refuse("too_few_entries", file, entries=len(entries), least=_MIN_ENTRIES)
        return entries

    def read_players(self, row: Row, line: int, *, size: int) -> list[tuple[str, str]]:
        try:
            return read_players(row, size=size)
        except Refusal as refusal:
            self.refuse(refusal.code, "entries.csv", line, refusal.field, **refusal.details)
            return []

    def check_name(self, name: str, file: str, line: int, column: str) -> None:
        if not name:
            self.refuse("name_required", file, line, column)
            return
        try:
            names.check_person_name(name, field=column)
        except Refusal as refusal:
            self.refuse(refusal.code, file, line, column, **refusal.details)

    def read_tables(self, entries: Mapping[int, tuple[str, ...]]) -> dict[Place, _MatchReading]:
        file, sheets = "tables.csv", dict[Place, _MatchReading]()
        seated_entries: dict[int, set[int]] = defaultdict(set)
        for line, row in self.iter_rows(file, "round", "table", "side_a", "side_b"):
            if row["side_a"] and not (row["table"] or row["side_b"]):
                continue  # has the bye, as the program exports it
            round_, table, a, b = (self.read_number(row, column, file, line) for column in row)
            for column, entry in (("side_a", a), ("side_b", b)):
                if entry is None or round_ is None:
                    continue
                if entry not in entries and "entries.csv" not in self.incomplete:
                    self.refuse("no_such_entry", file, line, column, entry=entry)
                elif entry in seated_entries[round_]:
                    self.refuse("seated_twice", file, line, column, entry=entry, round=round_)
                seated_entries[round_].add(entry)
            if round_ is None or table is None:
                continue
            if (round_, table) in sheets:
                self.refuse("table_twice", file, line, "table", table=table, round=round_)
            sheets[round_, table] = _MatchReading(line, (a or 0, b or 0))
        if file not in self.incomplete:
            self.check_rounds(sheets)
        return sheets

    def check_rounds(self, sheets: Mapping[Place, _MatchReading]) -> None:
        """Check that rounds follow one another from 1."""
        first_lines: dict[int, int] = {}
        for (round_, _), sheet in sheets.items():
            first_lines.setdefault(round_, sheet.line)
        for round_, line in first_lines.items():
            if round_ > 1 and round_ - 1 not in first_lines:
                self.refuse("round_missing", "tables.csv", line, "round", round=round_ - 1)

    def read_hands(
        self, sheets: Mapping[Place, _MatchReading], ruleset: Ruleset | None, match_format: MatchFormat | None
    ) -> None:
        for line, row in self.iter_rows("hands.csv", *REQUIRED_COLUMNS):
            sheet = self.find_match(row, line, sheets)
            if ruleset is None or match_format is None:
                continue
            record = self.read_record(ruleset, row, line)
            if sheet is None or record is None:
                continue
            state_before = sheet.state or MatchState(ruleset=ruleset, match_format=match_format, dealer=Seat(0))
            if state_before.is_over:
                self.refuse("match_over", "hands.csv", line, "hand")
            sheet.hands.append(read_record_data(row, ruleset))
            sheet.state = state_before.add_record(len(sheet.hands), record)

    def find_match(self, row: Row, line: int, sheets: Mapping[Place, _MatchReading]) -> _MatchReading | None:
        """Return the match of which this is the next hand."""
        file = "hands.csv"
        round_, table, number = (self.read_number(row, column, file, line) for column in _PLACE_COLUMNS)
        if round_ is None or table is None or number is None:
            return None
        sheet = sheets.get((round_, table))
        if sheet is None:
            if "tables.csv" not in self.incomplete:
                self.refuse("no_such_table", file, line, "table", table=table, round=round_)
            return None
        if number != sheet.last_number + 1:
            self.refuse("number_skips", file, line, "hand", expected=sheet.last_number + 1)
        sheet.last_number = number
        return sheet

    def read_record(self, ruleset: Ruleset, row: Row, line: int) -> Record | None:
        file, data = "hands.csv", read_record_data(row, ruleset)
        refusals = list_reading_refusals(ruleset, data)
        for refusal in refusals:
            column = "outcome" if refusal.field == "kind" else refusal.field
            self.refuse(refusal.code, file, line, column, **refusal.details)
        if refusals:
            self.incomplete.add(file)
            return None
        return read_record(ruleset, data)

    def group_by_round(self, sheets: Mapping[Place, _MatchReading]) -> tuple[tuple[NightTable, ...], ...]:
        """Return the tables by round, and check that all rounds but the last were played to the end."""
        rounds: dict[int, list[NightTable]] = defaultdict(list)
        last_round = max((round_ for round_, _ in sheets), default=0)
        for (round_, table), sheet in sorted(sheets.items()):
            is_over = sheet.state is not None and sheet.state.is_over
            if round_ < last_round and not is_over and "hands.csv" not in self.incomplete:
                self.refuse("match_not_over", "tables.csv", sheet.line, "table", table=table, round=round_)
            a, b = sheet.entries
            rounds[round_].append(
                NightTable(round=round_, table=table, side_a=a, side_b=b, hands=tuple(sheet.hands), is_over=is_over)
            )
        return tuple(tuple(rounds[number]) for number in sorted(rounds))
