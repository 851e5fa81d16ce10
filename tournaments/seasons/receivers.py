"""Signal receivers that update season standings."""

from typing import Any

from django.dispatch import receiver

from tournaments.models import Event, Season
from tournaments.signals import EventDifference, event_changed, standings_changed
from tournaments.standings.queries.delays import SEASONS_KIND
from tournaments.standings.services import enqueue_club_task

from .queries import is_in_open_season, select_seasons

PLACING_FIELDS = {"held_on", "is_put_away"}
"""Fields of an event that place it in a season, or in none."""


@receiver(event_changed)
def request_series_standings(*, difference: EventDifference, **_: Any) -> None:
    """Request the standings of series that the event joined or left."""
    nights = [after or before for kind, _, before, after in difference.rows if kind == "sharednight"]
    series = Season.objects.filter(pk__in=[night["season_id"] for night in nights])
    for club in sorted(set(series.values_list("club", flat=True))) if nights else ():
        enqueue_club_task(SEASONS_KIND, club)


@receiver(event_changed)
def request_seasons_left(*, difference: EventDifference, **_: Any) -> None:
    """Request the standings of seasons that may have counted the event, once it is hidden or moved."""
    is_moved = any(
        kind == "event" and before and PLACING_FIELDS & before.keys() for kind, _, before, _ in difference.rows
    )
    club_id = difference.event.club_id
    if (is_moved or difference.stops_counting) and select_seasons(club_id).filter(closed_at=None).exists():
        enqueue_club_task(SEASONS_KIND, club_id)


@receiver(standings_changed)
def request_season_standings(*, event: Event, **_: Any) -> None:
    """Request the standings of the seasons that may count the event."""
    if is_in_open_season(event):
        enqueue_club_task(SEASONS_KIND, event.club_id)
