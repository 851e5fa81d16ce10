"""Queries for a club's home page: events under way, last results and leaders."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.models import Club
from engine.visibility import Ranks
from tournaments.lifecycle import OPEN, EventState
from tournaments.models import Entry, Event, PublishedStandings, Round, Season, Standings
from tournaments.seasons.queries import seasons_with

PODIUM = 3
"""How many of the best entries are named."""
SEASONS = 6
"""How many seasons show their leaders."""
STILL = timedelta(days=1)
"""How long after its last day or round an event that was never ended may still be under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PodiumPlace:
    rank: int
    entry: Entry


def playing_now(events: Iterable[Event], today: date) -> list[Event]:
    """Select the events under way: started, not over, and recent by their day or their last round. An event
    of a later day counts only while a round is played. One query if any of them is older, one if any is of a
    later day."""
    going_on = [event for event in events if event.state == EventState.RUNNING and not event.is_over]
    later = [event for event in going_on if event.held_on > today]
    if later:
        open_now = {*Round.objects.filter(event__in=later, state__in=OPEN).values_list("event", flat=True)}
        going_on = [event for event in going_on if event not in later or event.pk in open_now]
    older = [event for event in going_on if event.last_day < today - STILL]
    if not older:
        return going_on
    since = timezone.now() - STILL
    played = {*Round.objects.filter(event__in=older, published_at__gte=since).values_list("event", flat=True)}
    return [event for event in going_on if event not in older or event.pk in played]


def podiums_of(events: Collection[Event]) -> Mapping[int, tuple[PodiumPlace, ...]]:
    """Return the best entries of each event by the public standings; none without results, or where they are
    hidden. Two queries; three where some are final."""
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
    """Return the first rows of the standings of each event."""
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
    """Select the last open seasons of the club, newest first: some clubs never close one."""
    return club.seasons.filter(closed_at=None)[:SEASONS]


def seasons_of(club: Club) -> list[Season]:
    """List the club's seasons, and the series of other clubs that it plays in, newest first. Without their
    standings. One query."""
    found = seasons_with(club.pk).select_related("club").order_by("-starts", "-pk")
    return list(found.defer("rows", "scores"))
