"""Queries for a club's home page: events under way, last results and leaders."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.models import Club
from engine.ranking import METRICS, has_result
from engine.visibility import Ranks
from tournaments.lifecycle import OPEN_STATES, EventState
from tournaments.models import Entry, Event, PublishedStandings, Round, Season, Standings
from tournaments.seasons.queries import select_seasons

PODIUM_SIZE = 3
"""How many of the best entries are named."""
MAX_SEASONS = 6
"""How many seasons show their leaders."""
RECENT_PERIOD = timedelta(days=1)
"""How long after its last day or round an event that was never ended may still be under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PodiumPlace:
    rank: int
    entry: Entry


def filter_events_in_progress(events: Iterable[Event], today: date) -> list[Event]:
    """Select the events under way: started, not over, and recent by their day or their last round. An event
    of a later day counts only while a round is played. One query if any of them is older, one if any is of a
    later day."""
    running = [event for event in events if event.state == EventState.RUNNING and not event.is_over]
    later = [event for event in running if event.held_on > today]
    if later:
        open_now = {*Round.objects.filter(event__in=later, state__in=OPEN_STATES).values_list("event", flat=True)}
        running = [event for event in running if event not in later or event.pk in open_now]
    older = [event for event in running if event.last_day < today - RECENT_PERIOD]
    if not older:
        return running
    cutoff = timezone.now() - RECENT_PERIOD
    recent_ids = {*Round.objects.filter(event__in=older, published_at__gte=cutoff).values_list("event", flat=True)}
    return [event for event in running if event not in older or event.pk in recent_ids]


def get_podiums(events: Collection[Event]) -> Mapping[int, tuple[PodiumPlace, ...]]:
    """Return the best entries of each event by the public standings; none without results, or where they are
    hidden. Two queries; three where some are final."""
    tops = _get_top_rows(events)
    numbers = {row["entry"] for rows in tops.values() for row in rows}
    entry_rows = Entry.objects.filter(event__in=tops, number__in=numbers).select_related("player_1", "player_2")
    entries = {(entry.event_id, entry.number): entry for entry in entry_rows}
    podiums: dict[int, tuple[PodiumPlace, ...]] = defaultdict(tuple)
    for event, rows in tops.items():
        ranked_entries = ((row["rank"], entries.get((event, row["entry"]))) for row in rows)
        podiums[event] = tuple(
            PodiumPlace(rank=rank, entry=entry) for rank, entry in ranked_entries if entry is not None
        )
    return podiums


def _get_top_rows(events: Collection[Event]) -> dict[int, list[dict[str, Any]]]:
    """Return the first rows of the standings of each event."""
    live = [event.pk for event in events if event.visible.standings is Ranks.LIVE]
    final = Q()
    for event in events:
        if event.visible.standings is Ranks.FINAL:
            final |= Q(event=event, number=event.final)
    querysets: list[QuerySet[Any]] = [Standings.objects.filter(event__in=live)]
    if final:
        querysets.append(PublishedStandings.objects.filter(final))
    names = ("event", *(f"rows__{place}" for place in range(PODIUM_SIZE)))
    tops = {
        event: [row for row in rows if row] for standings in querysets for event, *rows in standings.values_list(*names)
    }
    return {event: rows for event, rows in tops.items() if any(map(_has_result, rows))}


def _has_result(row: Mapping[str, Any]) -> bool:
    return has_result(tuple((key, value) for key, value in row.items() if key in METRICS))


def select_open_seasons(club: Club) -> QuerySet[Season]:
    """Select the last open seasons of the club, newest first: some clubs never close one."""
    return club.seasons.filter(closed_at=None)[:MAX_SEASONS]


def list_club_seasons(club: Club) -> list[Season]:
    """List the club's seasons, and the series of other clubs that it plays in, newest first. Without their
    standings. One query."""
    seasons = select_seasons(club.pk).select_related("club").order_by("-starts", "-pk")
    return list(seasons.defer("rows", "scores"))
