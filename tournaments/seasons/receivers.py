"""Signal receivers that update season standings."""

from typing import Any

from django.dispatch import receiver

from tournaments.models import Event, Season
from tournaments.signals import EventDifference, event_changed, standings_changed
from tournaments.standings.queries.delays import SEASONS
from tournaments.standings.services import request_of_club

from .queries import is_in_a_season


@receiver(event_changed)
def add_up_series(*, difference: EventDifference, **_: Any) -> None:
    """Request the standings of series that the event joined or left."""
    nights = [after or before for kind, _, before, after in difference.rows if kind == "sharednight"]
    series = Season.objects.filter(pk__in=[night["season_id"] for night in nights])
    for club in sorted(set(series.values_list("club", flat=True))) if nights else ():
        request_of_club(SEASONS, club)


@receiver(standings_changed)
def add_up_seasons(*, event: Event, **_: Any) -> None:
    """Request the standings of the seasons that may count the event."""
    if is_in_a_season(event):
        request_of_club(SEASONS, event.club_id)
