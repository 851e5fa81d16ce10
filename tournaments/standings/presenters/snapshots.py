"""Stored standings, as far as a page reads them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from engine.standings import PlainCount, PlainRow, count_key
from engine.visibility import Ranks
from tournaments.models import Event, PublishedStandings, Standings
from tournaments.models.standings import moment_of
from tournaments.rounds.queries.rounds import rounds_of


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsSnapshot:
    """Stored standings: the ``rows`` as last computed, what those ``counted`` are made of (by number), and
    the charts if asked. ``counts`` holds what all are made of, by ``count_key``, only if clubs are ranked by
    their meetings.

    ``ranks`` says which standings these are, and ``has_reasons`` whether reasons may be shown. They count the
    first ``rounds`` rounds in full; None if an older version computed them. Final standings were published as
    ``number``, and correct those numbered ``corrects``, if any.
    """

    rows: Sequence[PlainRow] = ()
    computed_at: datetime | None = None
    counted: Mapping[int, PlainCount] = field(default_factory=dict)
    counts: Mapping[str, PlainCount] = field(default_factory=dict)
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


def latest_snapshot(
    event: Event, *, counted: Collection[int] = (), charts: bool = False
) -> StandingsSnapshot:
    """Return the standings as last computed, with the details of the ``counted`` entries; empty before the
    first time. One query, which reads only what is asked for."""
    found = Standings.objects.filter(event=event)
    return _snapshot_of(event, found, Ranks.LIVE, counted=counted, charts=charts)


def final_snapshot(event: Event, *, charts: bool = False) -> StandingsSnapshot:
    """Return the standings published as final, whether or not they are public; empty if there are none. One
    query, or none."""
    if event.final is None:
        return StandingsSnapshot(ranks=Ranks.FINAL)
    return _snapshot_of(event, _final(event), Ranks.FINAL, counted=(), charts=charts)


def public_snapshot(
    event: Event, *, counted: Collection[int] = (), charts: bool = False
) -> StandingsSnapshot:
    """Return the standings that are public now: the published ones if they are final. Empty before the first
    draw while entries are hidden. One query, or none; one more while entries are hidden."""
    seen = event.visible
    if not seen.has_reasons:
        counted, charts = (), False
    if seen.standings is Ranks.NOTHING:
        return StandingsSnapshot(ranks=Ranks.NOTHING, has_reasons=False)
    if not seen.entries and not rounds_of(event).exists():
        return StandingsSnapshot(ranks=seen.standings, has_reasons=False)
    found: QuerySet[Any] = Standings.objects.filter(event=event)
    if seen.standings is Ranks.FINAL:
        found = _final(event)
    kept = _snapshot_of(event, found, seen.standings, counted=counted, charts=charts)
    return replace(kept, has_reasons=seen.has_reasons)


def _final(event: Event) -> QuerySet[PublishedStandings]:
    return PublishedStandings.objects.filter(event=event, number=event.final or 0)


_MORE: Mapping[Ranks, tuple[str, ...]] = {Ranks.FINAL: ("number", "corrects", "published_at")}


def _snapshot_of(
    event: Event, rows: QuerySet[Any], ranks: Ranks, *, counted: Collection[int], charts: bool
) -> StandingsSnapshot:
    at = "before_silence__" if ranks is Ranks.BEFORE_SILENCE else ""
    names = {number: f"{at}counted__{count_key(number)}" for number in counted}
    more = ["rounds", *_MORE.get(ranks, (f"{at}computed_at",))]
    more += [f"{at}charts"] if charts else []
    more += [f"{at}counted"] if event.is_interclub else []
    found = rows.values(f"{at}rows", *names.values(), *more).first()
    if found is None:
        return StandingsSnapshot(ranks=ranks)
    return StandingsSnapshot(
        rows=found[f"{at}rows"] or (),
        computed_at=found.get("published_at", moment_of(found.get(f"{at}computed_at"))),
        counted={number: found[name] for number, name in names.items() if found[name] is not None},
        counts=found.get(f"{at}counted") or {},
        charts=found.get(f"{at}charts") or (),
        ranks=ranks,
        rounds=found.get("rounds"),
        number=found.get("number"),
        corrects=found.get("corrects"),
    )
