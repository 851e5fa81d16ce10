"""The desk page of an event."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from clubs.wording import join_names, numbered_name
from engine.charts import MatchPlace, WithPlaces
from rules import Side
from scoring.presenters.rows import MatchRow, TableGroup, TableState, match_rows, most_urgent_first
from tournaments.lifecycle import OPEN
from tournaments.models import Event, Round, Table
from tournaments.rounds.presenters.meetings import FinishedTable, RoundMeeting, round_meetings
from tournaments.rounds.queries.rounds import tables_of, unfinished_tables
from tournaments.rounds.rulings import RulingKind, ruling_kind
from tournaments.standings.queries.structure import event_structure
from web.names import tell_apart

from .names import club_played_for, sides_by_surname


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTable:
    """A table of the round. It has its ``row``, its sides' names as short as possible, its place in the stage
    and the kind of the director's ``ruling``, if any."""

    row: MatchRow
    names: tuple[str, str]
    place: MatchPlace | None
    ruling: RulingKind | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskView(WithPlaces):
    """The desk: the current round, its tables, the most urgent first, and the next steps.

    Only tables of the ``group`` are shown, or all. ``order`` has the table numbers as the page first showed
    them; it is kept while the tables are the same, so that no tile moves under a finger.
    """

    round: Round | None
    tables: list[DeskTable]
    meetings: tuple[RoundMeeting, ...] = ()
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
    def tables_in_order(self) -> list[DeskTable]:
        by_number = {table.row.number: table for table in self.tables}
        is_same = sorted(self.order) == sorted(by_number)
        return [by_number[number] for number in self.order] if is_same else self.tables

    @property
    def tables_of_group(self) -> list[DeskTable]:
        return [table for table in self.tables_in_order if self.group in (None, table.row.group)]

    @property
    def is_sorted(self) -> bool:
        """Whether the most urgent tables still come first."""
        return self.tables_in_order == self.tables

    @property
    def is_unmarked(self) -> bool:
        """Whether no table has recorded a hand yet."""
        return all(row.state is TableState.NOT_STARTED for row in self.rows)

    @property
    def counts(self) -> Counter[TableGroup]:
        """Number of tables in each group."""
        return Counter(row.group for row in self.rows)

    def tables_waiting(self, heard: Collection[int]) -> list[DeskTable]:
        """Return the tables that need somebody now.

        A table that stopped recording is included, unless its phones report the silence already (``heard``).
        A silent table without any hand is played on paper, and is not included.
        """
        if self.round is None or self.round.state not in OPEN:
            return []
        return [table for table in self.tables if _needs_somebody(table.row, heard)]

    @property
    def missing_tables(self) -> list[DeskTable]:
        """Tables whose result is missing, by number."""
        return sorted(
            (table for table in self.tables if table.row.is_missing), key=lambda each: each.row.number
        )

    @property
    def still_playing(self) -> list[int]:
        """Numbers of the tables that have not recorded their last hand."""
        playing = (TableState.PLAYING, TableState.SILENT, TableState.NOT_STARTED)
        return sorted(row.number for row in self.rows if row.state in playing)

    @property
    def done_count(self) -> int:
        return sum(not row.is_missing for row in self.rows)

    @property
    def short_of_one(self) -> list[int]:
        """Numbers of finished tables that only one side has confirmed, which does not block the round."""
        return sorted(row.number for row in self.rows if row.state == TableState.ONE_AGREEMENT)

    @property
    def missing(self) -> list[int]:
        return sorted(row.number for row in self.rows if row.is_missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfinishedGames:
    """Tables whose games can be counted as they stand; numbers of those that are tied and need a winner; and
    of the ``others`` without a result."""

    counted: list[DeskTable]
    tied: list[int]
    others: list[int]


def unfinished_games(event: Event, desk: DeskView) -> UnfinishedGames:
    """Divide the tables of the desk without a result. Two queries."""
    assert desk.round is not None
    found = unfinished_tables(event, desk.round)
    counted, tied = ({table.number for table in tables} for tables in (found.counted, found.tied))
    return UnfinishedGames(
        counted=[table for table in desk.missing_tables if table.row.number in counted],
        tied=sorted(tied),
        others=[number for number in desk.missing if number not in counted | tied],
    )


def desk_view(
    event: Event,
    last: Round | None,
    *,
    now: datetime,
    group: TableGroup | None = None,
    order: Sequence[int] = (),
) -> DeskView:
    """Build the desk for the ``last`` published round, with the tables of the ``group`` while the round is
    open. Five queries; four more where there is a bracket."""
    if last is None:
        return DeskView(round=None, tables=[])
    seated = {table.match_id: table for table in tables_of(last) if table.match_id is not None}
    rows = most_urgent_first(
        _as_ruled(row, seated[row.match_id].ruling) for row in match_rows(seated, now=now)
    )
    names = _names_told_apart(event, rows, seated)
    structure = event_structure(event)
    return DeskView(
        round=last,
        tables=[
            DeskTable(
                row=row,
                names=names[row.match_id],
                place=structure.place_of(table.slot, _clubs_at(event, table)),
                ruling=None if table.ruling is None else ruling_kind(table.ruling),
            )
            for row in rows
            for table in [seated[row.match_id]]
        ],
        meetings=round_meetings(_finished_tables(event, rows, seated)) if event.is_interclub else (),
        group=group if last.state in OPEN else None,
        order=order,
    )


def _needs_somebody(row: MatchRow, heard: Collection[int]) -> bool:
    if row.state is TableState.SILENT:
        return row.hand > 1 and row.number not in heard
    return row.state in (TableState.DISPUTED, TableState.TWO_MARKS, TableState.ONE_AGREEMENT)


def _finished_tables(
    event: Event, rows: Iterable[MatchRow], seated: Mapping[int, Table]
) -> Iterator[FinishedTable]:
    for row in rows:
        table = seated[row.match_id]
        if row.is_over:
            yield FinishedTable(
                clubs=_clubs_at(event, table),
                sides=row.sides,
                is_forfeit=table.ruling is not None and ruling_kind(table.ruling).is_forfeit,
            )


def _clubs_at(event: Event, table: Table) -> list[str]:
    return [club_played_for(event, seating.entry) for seating in table.seatings.all()]


def _names_told_apart(
    event: Event, rows: Sequence[MatchRow], seated: Mapping[int, Table]
) -> dict[int, tuple[str, str]]:
    """Return the names of both sides by match, as short as is unique. They are surnames, else full names,
    else full names with the number of the first entry."""
    named = sides_by_surname(event, [name for row in rows for side in row.sides for name in side.names])
    forms = {}
    for row in rows:
        numbers = {seating.side: seating.entry.number for seating in seated[row.match_id].seatings.all()}
        for side, shown in zip(Side, row.sides, strict=True):
            whole = join_names(shown.names)
            forms[row.match_id, side] = (
                named(shown.names),
                whole,
                numbered_name(whole, numbers.get(side, 0)),
            )
    told = tell_apart(forms)
    return {row.match_id: (told[row.match_id, Side.A], told[row.match_id, Side.B]) for row in rows}


def _as_ruled(row: MatchRow, ruling: Mapping[str, Any] | None) -> MatchRow:
    """Return the row as it counts: with the director's ruling, if any, instead of the recorded hands."""
    if ruling is None:
        return row
    points, games = (ruling.get(name, (0, 0)) for name in ("points", "games_won"))
    a, b = (
        replace(shown, points=points[side], games_won=games[side], has_won=ruling["winner"] == side.name)
        for side, shown in zip(Side, row.sides, strict=True)
    )
    return replace(row, state=TableState.AWARDED, is_over=True, sides=(a, b))
