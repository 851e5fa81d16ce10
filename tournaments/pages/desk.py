"""The organizer's page."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from rules import Side
from scoring.rows import MatchRow, TableGroup, TableState, in_order, match_rows
from tournaments import selectors
from tournaments.lifecycle import OPEN
from tournaments.models import Event, Round


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskView:
    """The organizer's page: the round under way, its tables, and what can be done next. Of the tables it
    shows those of the ``group``, or all."""

    round: Round | None
    rows: list[MatchRow]
    group: TableGroup | None = None

    @property
    def shown(self) -> list[MatchRow]:
        return [row for row in self.rows if self.group in (None, row.group)]

    @property
    def counts(self) -> Counter[TableGroup]:
        """How many tables are in each group."""
        return Counter(row.group for row in self.rows)

    @property
    def done(self) -> int:
        return sum(not row.is_missing for row in self.rows)

    @property
    def short_of_one(self) -> list[int]:
        """Over, with the agreement of one side, which holds nobody up."""
        return sorted(row.number for row in self.rows if row.state == TableState.ONE_AGREEMENT)

    @property
    def missing(self) -> list[int]:
        return sorted(row.number for row in self.rows if row.is_missing)


def desk_view(event: Event, *, now: datetime, group: TableGroup | None = None) -> DeskView:
    """The last round that was published, table by table, those of the ``group`` while it is open. Five
    queries."""
    last = selectors.rounds_of(event).last()
    if last is None:
        return DeskView(round=None, rows=[])
    rulings = dict(last.tables.exclude(match=None).values_list("match_id", "ruling"))
    rows = (_as_ruled(row, rulings[row.match_id]) for row in match_rows(rulings, now=now))
    return DeskView(round=last, rows=in_order(rows), group=group if last.state in OPEN else None)


def _as_ruled(row: MatchRow, ruling: Mapping[str, Any] | None) -> MatchRow:
    """As the table counts: what the director decided, if anything, instead of what was marked."""
    if ruling is None:
        return row
    points, games = (ruling.get(name, (0, 0)) for name in ("points", "games_won"))
    a, b = (
        replace(shown, points=points[side], games_won=games[side], has_won=ruling["winner"] == side.name)
        for side, shown in zip(Side, row.sides, strict=True)
    )
    return replace(row, state=TableState.AWARDED, is_over=True, sides=(a, b))
