"""What a club shows first to everybody: what is played now, what was played last, and who leads."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from clubs.models import Club
from engine.visibility import Ranks
from tournaments.models import Entry, Event, PublishedStandings, Season, Standings

PODIUM = 3
"""So many of the best are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PodiumPlace:
    rank: int
    entry: Entry


def podiums_of(events: Collection[Event]) -> Mapping[int, tuple[PodiumPlace, ...]]:
    """Of each event the best by the standings that everybody may see; none where there is no result, or where
    it is kept back. Two queries; three where some are final."""
    tops = _tops(events)
    numbers = {row["entry"] for rows in tops.values() for row in rows}
    found = Entry.objects.filter(event__in=tops, number__in=numbers).select_related("player_1", "player_2")
    entries = {(entry.event_id, entry.number): entry for entry in found}
    podiums: dict[int, tuple[PodiumPlace, ...]] = defaultdict(tuple)
    for event, rows in tops.items():
        placed = ((row["rank"], entries.get((event, row["entry"]))) for row in rows)
        podiums[event] = tuple(
            PodiumPlace(rank=rank, entry=entry) for rank, entry in placed if entry is not None
        )
    return podiums


def _tops(events: Collection[Event]) -> dict[int, list[dict[str, Any]]]:
    """The first rows of each."""
    live = [event.pk for event in events if event.visible.standings is Ranks.LIVE]
    final = Q()
    for event in events:
        if event.visible.standings is Ranks.FINAL:
            final |= Q(event=event, number=event.final)
    found: list[QuerySet[Any]] = [Standings.objects.filter(event__in=live)]
    if final:
        found.append(PublishedStandings.objects.filter(final))
    names = ("event", *(f"rows__{place}" for place in range(PODIUM)))
    return {
        event: [row for row in rows if row]
        for standings in found
        for event, *rows in standings.values_list(*names)
    }


def open_seasons_of(club: Club) -> QuerySet[Season]:
    """The seasons of the club that go on, the last one first."""
    return club.seasons.filter(closed_at=None)


def seasons_of(club: Club) -> list[Season]:
    """The seasons of the club, the last one first, without what stands in them. One query."""
    return list(club.seasons.defer("rows", "scores"))
