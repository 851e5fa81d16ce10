"""What the pages of an event show, as values. Templates add only words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Any

from clubs.wording import joined
from rules import Side
from scoring.rows import MatchRow, match_rows
from scoring.screens import COLOURS

from . import selectors
from .draws import ReasonCode
from .lifecycle import RoundState
from .models import Entry, Event, Round, Table
from .ranking import Comparison, compare


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSide:
    colour: str
    names: str
    points: int | None
    games_won: int | None
    has_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A table of a round as drawn, and as played so far."""

    number: int
    sides: tuple[TableSide, ...]
    is_over: bool
    reasons: Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A round with its tables, and who sits out."""

    number: int
    state: str
    draw_format: str
    seed: int
    tables: tuple[TableView, ...]
    byes: tuple[str, ...]

    @property
    def is_playing(self) -> bool:
        return self.state == RoundState.PUBLISHED

    @property
    def results(self) -> int:
        """How many tables have a result."""
        return sum(table.is_over for table in self.tables)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """A line of the standings: the row as kept, and the entry's name as this reader may see it."""

    names: str
    values: dict[str, Any]
    below: str = ""
    why: tuple[Comparison, ...] = ()

    @property
    def is_tied(self) -> bool:
        """Whether nothing parts it from the row below."""
        return bool(self.why) and not any(step.decided for step in self.why)


def public_names(entry: Entry) -> str:
    """``Jeannine R. and Marcel D.``: in full only as far as each agreed."""
    return joined([person.public_name for person in entry.players])


def full_names(entry: Entry) -> str:
    return joined([person.name for person in entry.players])


def round_view(drawn: Round, *, is_public: bool) -> RoundView:
    """Three queries."""
    named = public_names if is_public else full_names
    return RoundView(
        number=drawn.number,
        state=drawn.state,
        draw_format=drawn.draw_format,
        seed=drawn.seed,
        tables=tuple(_table(table, is_public=is_public) for table in selectors.tables_of(drawn)),
        byes=tuple(named(seating.entry) for seating in selectors.byes_of(drawn)),
    )


def _table(table: Table, *, is_public: bool) -> TableView:
    named = public_names if is_public else full_names
    match = table.match
    summary = match.summary if match is not None else None
    sides = []
    for seating in table.seatings.all():
        side = Side(seating.side or 0)
        points = None
        if match is not None and summary is not None:
            points = (summary["points"] if match.is_over else summary["running"])[side]
        sides.append(
            TableSide(
                colour=COLOURS[side],
                names=named(seating.entry),
                points=points,
                games_won=None if summary is None else summary["games_won"][side],
                has_won=summary is not None and summary["winner"] == side.name,
            )
        )
    return TableView(
        number=table.number,
        sides=tuple(sides),
        is_over=match is not None and match.is_over,
        reasons=[reason for reason in table.reasons if _is_told(reason)],
    )


def _is_told(reason: dict[str, Any]) -> bool:
    """Whether the draft says it: chance needs no words, nor does an opponent who was a question of price."""
    if reason["code"] == ReasonCode.INSTEAD_OF:
        return "repeats" in reason["levels"]
    return bool(reason["code"] != ReasonCode.BY_LOT)


def standings_rows(event: Event) -> list[StandingsRow]:
    """The standings as last computed, by public names. Two queries."""
    entries = {entry.number: public_names(entry) for entry in selectors.entries_of(event)}
    kept = selectors.standings_of(event)
    return [
        StandingsRow(
            names=entries[row["entry"]],
            values=row,
            below=entries[below["entry"]] if below else "",
            why=compare(row, below, event.ranking) if below else (),
        )
        for row, below in zip_longest(kept, kept[1:])
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskView:
    """The organizer's page: the round under way, its tables, and what can be done next."""

    round: Round | None
    rows: list[MatchRow]

    @property
    def done(self) -> int:
        return sum(not row.is_missing for row in self.rows)

    @property
    def missing(self) -> list[int]:
        return sorted(row.number for row in self.rows if row.is_missing)


def desk_view(event: Event, *, now: datetime) -> DeskView:
    """The last round that was published, table by table. Five queries."""
    last = selectors.rounds_of(event).last()
    if last is None:
        return DeskView(round=None, rows=[])
    matches = last.tables.values_list("match_id", flat=True)
    return DeskView(round=last, rows=match_rows([pk for pk in matches if pk is not None], now=now))
