"""The desk page of an event."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.charts import MatchPlace, PlacesMixin
from engine.draws.team_lineups import put_home_team_first
from engine.ranking import ClubResult
from rules import Side
from scoring.presenters.rows import MatchRow, TableGroup, TableState, build_match_rows, sort_by_urgency
from tournaments.lifecycle import OPEN_STATES
from tournaments.models import Entry, Event, Round, Table
from tournaments.rounds.presenters.meetings import (
    ClubMeetingView,
    iterate_table_results,
    iterate_unopposed_results,
    list_club_meetings,
)
from tournaments.rounds.queries.rounds import list_tables, unfinished_tables
from tournaments.rounds.queries.team_matches import list_open_requests
from tournaments.rounds.rulings import RulingKind, get_ruling_kind
from tournaments.standings.queries.standings import build_event_structure

from .names import NamedSide, get_entry_club, shorten_side_names


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTable:
    """A table of the round. It has its ``row``, its sides' names as short as possible, its place in the stage
    and the kind of the director's ``ruling``, if any."""

    row: MatchRow
    names: tuple[str, str]
    place: MatchPlace | None
    ruling: RulingKind | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskView(PlacesMixin):
    """The desk: the current round, its tables, the most urgent first, and the next steps.

    Only tables of the ``group`` are shown, or all. ``order`` has the table numbers as the page first showed
    them; it is kept while the tables are the same, so that no tile moves under a finger.
    """

    round: Round | None
    tables: list[DeskTable]
    meetings: tuple[ClubMeetingView, ...] = ()
    group: TableGroup | None = None
    order: Sequence[int] = ()

    @property
    def rows(self) -> list[MatchRow]:
        return [table.row for table in self.tables]

    @property
    def damaged_matches(self) -> list[int]:
        """Matches whose log was found damaged."""
        return [row.match_id for row in self.rows if row.is_damaged]

    @property
    def ordered_tables(self) -> list[DeskTable]:
        tables_by_number = {table.row.number: table for table in self.tables}
        is_same = sorted(self.order) == sorted(tables_by_number)
        return [tables_by_number[number] for number in self.order] if is_same else self.tables

    @property
    def group_tables(self) -> list[DeskTable]:
        return [table for table in self.ordered_tables if self.group in (None, table.row.group)]

    @property
    def is_sorted(self) -> bool:
        """Whether the most urgent tables still come first."""
        return self.ordered_tables == self.tables

    @property
    def has_no_hands(self) -> bool:
        """Whether no table has recorded a hand yet."""
        return all(row.state is TableState.NOT_STARTED for row in self.rows)

    @property
    def counts(self) -> Counter[TableGroup]:
        """Number of tables in each group."""
        return Counter(row.group for row in self.rows)

    def list_waiting_tables(self, silent_numbers: Collection[int]) -> list[DeskTable]:
        """Return the tables that need attention now.

        A table that stopped recording is included, except the ``silent_numbers``, whose phones already report it.
        A silent table without any hand is played on paper, and is not included.
        """
        if self.round is None or self.round.state not in OPEN_STATES:
            return []
        return [table for table in self.tables if _needs_attention(table.row, silent_numbers)]

    @property
    def missing_tables(self) -> list[DeskTable]:
        """Tables whose result is missing, by number."""
        return sorted((table for table in self.tables if table.row.is_awaited), key=lambda each: each.row.number)

    @property
    def playing_numbers(self) -> list[int]:
        """Numbers of the tables that have not recorded their last hand."""
        playing_states = (TableState.PLAYING, TableState.SILENT, TableState.NOT_STARTED)
        return sorted(row.number for row in self.rows if row.state in playing_states)

    @property
    def done_count(self) -> int:
        return sum(not table.row.is_awaited for table in self._expected_tables)

    @property
    def table_count(self) -> int:
        """Number of tables that play in this round."""
        return len(self._expected_tables)

    @property
    def _expected_tables(self) -> list[DeskTable]:
        return [table for table in self.tables if table.ruling is not RulingKind.POSTPONED]

    @property
    def missing(self) -> list[int]:
        return sorted(row.number for row in self.rows if row.is_awaited)


def build_unfinished_games(event: Event, desk: DeskView) -> dict[str, Any]:
    """Divide the tables of the desk without a result: those whose games can be ``counted`` as they stand, and the
    numbers of those that are ``tied`` and need a winner, and of the ``others``. Two queries."""
    assert desk.round is not None
    unfinished = unfinished_tables(event, desk.round)
    countable_numbers, tied_numbers = (
        {table.number for table in tables} for tables in (unfinished.counted, unfinished.tied)
    )
    return {
        "counted": [table for table in desk.missing_tables if table.row.number in countable_numbers],
        "tied": sorted(tied_numbers),
        "others": [number for number in desk.missing if number not in countable_numbers | tied_numbers],
    }


def build_desk_view(
    event: Event,
    round_row: Round | None,
    entries: Sequence[Entry],
    *,
    now: datetime,
    group: TableGroup | None = None,
    order: Sequence[int] = (),
) -> DeskView:
    """Build the desk for a published round, with the tables of the ``group`` while the round is open. Without a
    ``round_row``, the desk is empty. Five queries; four more with a bracket."""
    if round_row is None:
        return DeskView(round=None, tables=[])
    tables_by_match = {table.match_id: table for table in list_tables(round_row) if table.match_id is not None}
    decided_rows = [
        _apply_ruling(row, tables_by_match[row.match_id].ruling) for row in build_match_rows(tables_by_match, now=now)
    ]
    postponed_numbers = {
        row.number for row in decided_rows if row.is_awaited and str(row.number) in round_row.postponed
    }
    requested_numbers = {number for request in list_open_requests(event, round_row) for number in request.tables}
    rows = sort_by_urgency(_apply_postponement(row, postponed_numbers, requested_numbers) for row in decided_rows)
    names = _shorten_names(event, entries, rows, tables_by_match)
    structure = build_event_structure(event)
    return DeskView(
        round=round_row,
        tables=[
            DeskTable(
                row=row,
                names=names[row.match_id],
                place=structure.get_place(table.slot, _list_table_clubs(event, table)),
                ruling=RulingKind.POSTPONED if row.number in postponed_numbers else _get_ruling_kind(table),
            )
            for row in rows
            for table in [tables_by_match[row.match_id]]
        ],
        meetings=_list_meetings(event, round_row, decided_rows, tables_by_match) if event.is_interclub else (),
        group=group if round_row.state in OPEN_STATES else None,
        order=order,
    )


def _apply_postponement(row: MatchRow, postponed: Collection[int], requested: Collection[int]) -> MatchRow:
    """Return the row of a match that is postponed, or that a captain asks to postpone, unless its score is over or
    disputed."""
    if row.number in postponed:
        return replace(row, state=TableState.AWARDED, is_over=True)
    if row.number not in requested or row.is_over or row.state in (TableState.DISPUTED, TableState.TWO_MARKS):
        return row
    return replace(row, state=TableState.POSTPONEMENT_REQUESTED)


def _needs_attention(row: MatchRow, silent_numbers: Collection[int]) -> bool:
    if row.state is TableState.SILENT:
        return row.hand > 1 and row.number not in silent_numbers
    return row.state in (TableState.DISPUTED, TableState.TWO_MARKS, TableState.ONE_AGREEMENT)


def _list_meetings(
    event: Event, round_row: Round, rows: Iterable[MatchRow], tables_by_match: Mapping[int, Table]
) -> tuple[ClubMeetingView, ...]:
    byes = round_row.seatings.filter(table=None).select_related("entry") if event.has_team_matches else ()
    results: list[ClubResult] = []
    for row in rows:
        table = tables_by_match[row.match_id]
        if row.is_over:
            results += iterate_table_results(
                _list_table_clubs(event, table),
                has_won=[side.has_won for side in row.sides],
                points=[side.points for side in row.sides],
                is_forfeit=table.ruling is not None and get_ruling_kind(table.ruling).is_forfeit,
            )
    results += iterate_unopposed_results(event, [(bye.entry, bye.reasons) for bye in byes])
    return list_club_meetings(results)


def _list_table_clubs(event: Event, table: Table) -> Sequence[str]:
    clubs = [get_entry_club(event, seating.entry) for seating in table.seatings.all()]
    return put_home_team_first(table.reasons, clubs)


def _shorten_names(
    event: Event, entries: Sequence[Entry], rows: Sequence[MatchRow], tables_by_match: Mapping[int, Table]
) -> dict[int, tuple[str, str]]:
    """Return the names of both sides by match, as short as is unique in the event."""
    sides = {}
    for row in rows:
        seatings = tables_by_match[row.match_id].seatings.all()
        for side, row_side in zip(Side, row.sides, strict=True):
            seated = [seating.entry for seating in seatings if seating.side == side]
            numbers = {person.name: entry.number for entry in seated for person in entry.players}
            substituted = seated[0].number if seated else 0
            sides[row.match_id, side] = NamedSide(
                names=row_side.names, numbers=[numbers.get(name, substituted) for name in row_side.names]
            )
    names = shorten_side_names(event, entries, sides)
    return {row.match_id: (names[row.match_id, Side.A], names[row.match_id, Side.B]) for row in rows}


def _get_ruling_kind(table: Table) -> RulingKind | None:
    return None if table.ruling is None else get_ruling_kind(table.ruling)


def _apply_ruling(row: MatchRow, ruling: Mapping[str, Any] | None) -> MatchRow:
    """Return the row as it counts: with the director's ruling, if any, instead of the recorded hands."""
    if ruling is None:
        return row
    points, games = (ruling.get(name, (0, 0)) for name in ("points", "games_won"))
    a, b = (
        replace(row_side, points=points[side], games_won=games[side], has_won=ruling["winner"] == side.name)
        for side, row_side in zip(Side, row.sides, strict=True)
    )
    return replace(row, state=TableState.AWARDED, is_over=True, is_decided_by_charlemagne=False, sides=(a, b))
