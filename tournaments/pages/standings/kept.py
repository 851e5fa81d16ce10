"""What is kept of the standings, as far as one page reads it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tournaments.models import Event, Standings
from tournaments.standings import PlainCount, PlainRow, key_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The rows as last computed, what those ``counted`` are made of (by number), and the charts if asked."""

    rows: Sequence[PlainRow] = ()
    computed_at: datetime | None = None
    counted: Mapping[int, PlainCount] = field(default_factory=dict)
    charts: Sequence[Mapping[str, Any]] = ()


def kept_standings(event: Event, *, counted: Collection[int] = (), charts: bool = False) -> Kept:
    """As last computed, empty before that; with what these entries' rows are made of. One query, which reads
    no more of them than it is asked for."""
    names = {number: f"counted__{key_of(number)}" for number in counted}
    found = (
        Standings.objects.filter(event=event)
        .values("rows", "computed_at", *names.values(), *(["charts"] if charts else []))
        .first()
    )
    if found is None:
        return Kept()
    return Kept(
        rows=found["rows"],
        computed_at=found["computed_at"],
        counted={number: found[name] for number, name in names.items() if found[name] is not None},
        charts=found.get("charts", ()),
    )
