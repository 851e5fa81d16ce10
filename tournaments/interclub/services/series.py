"""Service that assigns an event to a series of several clubs."""

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from errors import Refusal
from tournaments.history.services.changes import Change
from tournaments.interclub.queries import list_open_series
from tournaments.models import SharedNight


@transaction.atomic
def assign_to_series(*, event_id: int, season_id: int | None, by: Actor = NOBODY) -> None:
    """Count the event in this series, or in none. Safe to repeat.

    Refuses: no_such_event, no_such_season where its club takes part in no such series; season_closed where it
    would leave one that is closed.
    """
    change = Change(event_id, "put_in_series", by)
    if change.is_repeat:
        return
    night = SharedNight.objects.select_related("season").filter(event=change.event).first()
    if season_id == (None if night is None else night.season_id):
        return
    if night is not None and night.season.closed_at is not None:
        raise Refusal("season_closed", field="series")
    if night is not None:
        change.remove(night)
    season = next((candidate for candidate in list_open_series(change.event.club) if candidate.pk == season_id), None)
    if season is not None:
        change.add(SharedNight(season=season, event=change.event))
    elif season_id is not None:
        raise Refusal("no_such_season", field="series")
    change.record(series="–" if season is None else season.name)
