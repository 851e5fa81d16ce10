"""Stored standings, as far as a page reads them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from engine.standings import CountJson, StandingsRowJson, build_count_key
from engine.visibility import Ranks
from tournaments.models import Event, PublishedStandings, Standings
from tournaments.models.standings import parse_moment
from tournaments.rounds.queries.rounds import get_published_rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsSnapshot:
    """Stored standings: the ``rows`` as last computed, the details of the entries asked for (``counted``, by
    number), and the charts if asked. ``counts`` has the details of all entries, by ``build_count_key``, only if
    clubs are ranked by their meetings.

    ``ranks`` is the kind of standings; reasons may be shown if ``has_reasons`` is true. The first ``rounds``
    rounds count in full; None if an older version computed the standings. Final standings were published as
    ``number``, and correct those numbered ``corrects``, if any.
    """

    rows: Sequence[StandingsRowJson] = ()
    computed_at: datetime | None = None
    counted: Mapping[int, CountJson] = field(default_factory=dict)
    counts: Mapping[str, CountJson] = field(default_factory=dict)
    charts: Sequence[Mapping[str, Any]] = ()
    ranks: Ranks = Ranks.LIVE
    has_reasons: bool = True
    rounds: int | None = None
    number: int | None = None
    corrects: int | None = None

    @property
    def is_kept_back(self) -> bool:
        """Whether this reader sees no standings, even if there are results."""
        return self.ranks is Ranks.NOTHING


def get_latest_snapshot(
    event: Event, *, entry_numbers: Collection[int] = (), charts: bool = False
) -> StandingsSnapshot:
    """Return the standings as last computed, with the details of the entries in ``entry_numbers``; empty before
    the first computation. One query, which reads only the parts asked for."""
    stored = Standings.objects.filter(event=event)
    return _read_snapshot(event, stored, Ranks.LIVE, entry_numbers=entry_numbers, charts=charts)


def get_final_snapshot(event: Event, *, entry_numbers: Collection[int] = (), charts: bool = False) -> StandingsSnapshot:
    """Return the standings published as final, whether or not they are public; empty if there are none. One
    query, or none."""
    if event.final is None:
        return StandingsSnapshot(ranks=Ranks.FINAL)
    stored = _get_final_standings(event)
    return _read_snapshot(event, stored, Ranks.FINAL, entry_numbers=entry_numbers, charts=charts)


def get_public_snapshot(
    event: Event, *, entry_numbers: Collection[int] = (), charts: bool = False
) -> StandingsSnapshot:
    """Return the standings that are public now: the published ones if they are final. Empty before the first
    draw while entries are hidden. One query, or none; one more while entries are hidden."""
    visibility = event.visible
    if not visibility.has_reasons:
        entry_numbers, charts = (), False
    if visibility.standings is Ranks.NOTHING:
        return StandingsSnapshot(ranks=Ranks.NOTHING, has_reasons=False)
    if not visibility.entries and not get_published_rounds(event).exists():
        return StandingsSnapshot(ranks=visibility.standings, has_reasons=False)
    stored: QuerySet[Any] = Standings.objects.filter(event=event)
    if visibility.standings is Ranks.FINAL:
        stored = _get_final_standings(event)
    snapshot = _read_snapshot(event, stored, visibility.standings, entry_numbers=entry_numbers, charts=charts)
    return replace(snapshot, has_reasons=visibility.has_reasons)


def _get_final_standings(event: Event) -> QuerySet[PublishedStandings]:
    return PublishedStandings.objects.filter(event=event, number=event.final or 0)


_EXTRA_COLUMNS: Mapping[Ranks, tuple[str, ...]] = {Ranks.FINAL: ("number", "corrects", "published_at")}


def _read_snapshot(
    event: Event, rows: QuerySet[Any], ranks: Ranks, *, entry_numbers: Collection[int], charts: bool
) -> StandingsSnapshot:
    prefix = "before_silence__" if ranks is Ranks.BEFORE_SILENCE else ""
    names = {number: f"{prefix}counted__{build_count_key(number)}" for number in entry_numbers}
    columns = ["rounds", *_EXTRA_COLUMNS.get(ranks, (f"{prefix}computed_at",))]
    columns += [f"{prefix}charts"] if charts else []
    columns += [f"{prefix}counted"] if event.is_interclub else []
    row = rows.values(f"{prefix}rows", *names.values(), *columns).first()
    if row is None:
        return StandingsSnapshot(ranks=ranks)
    return StandingsSnapshot(
        rows=row[f"{prefix}rows"] or (),
        computed_at=row.get("published_at", parse_moment(row.get(f"{prefix}computed_at"))),
        counted={number: row[name] for number, name in names.items() if row[name] is not None},
        counts=row.get(f"{prefix}counted") or {},
        charts=row.get(f"{prefix}charts") or (),
        ranks=ranks,
        rounds=row.get("rounds"),
        number=row.get("number"),
        corrects=row.get("corrects"),
    )
