"""Effects of a change in an event's visibility."""

from django.utils import timezone

from errors import Refusal
from live.revisions import raise_revision
from tournaments.models import ClubRecord, Event, PersonRecord, Standings, get_records_topic
from tournaments.seasons.queries import find_closed_season, select_open_event_seasons


def apply_release(event: Event, *, stops_counting: bool) -> None:
    """Remove everything that would reveal more of the event than is public now. If it ``stops_counting``, data
    computed from several events is emptied until it is recomputed.

    Refuses: counts_in_closed_season.
    """
    Standings.objects.filter(event=event).update(before_silence=None)
    raise_revision(event.club.topic)
    if not stops_counting:
        return
    closed_season = find_closed_season(event)
    if closed_season is not None:
        raise Refusal("counts_in_closed_season", season=closed_season.name)
    for season in select_open_event_seasons(event).select_for_update():
        season.rows, season.scores, season.computed_at = [], [], None
        season.save(update_fields=["rows", "scores", "computed_at"])
        raise_revision(season.topic)
    # A process that is computing the records may have read this event: it starts again.
    ClubRecord.objects.filter(club=event.club_id).update(
        everything=None, years={}, computed_at=None, begun_at=timezone.now()
    )
    PersonRecord.objects.filter(club=event.club_id).delete()
    raise_revision(get_records_topic(event.club))
