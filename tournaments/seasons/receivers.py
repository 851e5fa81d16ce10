"""Signal receivers that update season standings."""

from collections.abc import Mapping
from typing import Any

from django.dispatch import receiver

from errors import Refusal
from tournaments.models import Event, Season
from tournaments.signals import EventDifference, event_changed, standings_changed
from tournaments.standings.queries.delays import SEASONS_KIND
from tournaments.standings.services import enqueue_club_task

from .queries import find_closed_season, is_in_open_season, select_seasons

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
def keep_in_closed_seasons(*, difference: EventDifference, **_: Any) -> None:
    """Keep an event on its day while a closed season counts it. Refuses: counts_in_closed_season."""
    day_before = _get_values_before(difference).get("held_on")
    if day_before is None or find_closed_season(difference.event) is not None:
        return
    season = find_closed_season(difference.event, held_on=day_before)
    if season is not None:
        raise Refusal("counts_in_closed_season", field="held_on", season=season.name)


@receiver(event_changed)
def request_seasons_left(*, difference: EventDifference, **_: Any) -> None:
    """Request the standings of seasons that may have counted the event, once it is hidden or moved."""
    is_moved = PLACING_FIELDS & _get_values_before(difference).keys()
    club_id = difference.event.club_id
    if (is_moved or difference.stops_counting) and select_seasons(club_id).filter(closed_at=None).exists():
        enqueue_club_task(SEASONS_KIND, club_id)


def _get_values_before(difference: EventDifference) -> Mapping[str, Any]:
    """Return the former values of the event's own fields that changed; none of a new event."""
    return next((before for kind, _, before, _ in difference.rows if kind == "event" and before), {})


@receiver(standings_changed)
def request_season_standings(*, event: Event, **_: Any) -> None:
    """Request the standings of the seasons that may count the event."""
    if is_in_open_season(event):
        enqueue_club_task(SEASONS_KIND, event.club_id)
