"""The organizer's page."""

from dataclasses import dataclass
from datetime import datetime

from scoring.rows import MatchRow, match_rows
from tournaments import selectors
from tournaments.models import Event, Round


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
