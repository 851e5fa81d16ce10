"""Effects of a change in an event's visibility."""

from django.utils import timezone

from engine.visibility import Visible
from errors import Refusal
from live.revisions import raise_revision
from tournaments.models import ClubRecord, Event, PersonRecord, Standings, records_topic
from tournaments.seasons.queries import closed_season_with, open_seasons_with


def follow_release(event: Event, *, before: Visible) -> None:
    """Remove everything that would reveal more of the event than is public now, compared with ``before``.
    Data computed from several events is emptied until it is recomputed.

    Refuses: counts_in_closed_season.
    """
    Standings.objects.filter(event=event).update(before_silence=None)
    raise_revision(event.club.topic)
    if not before.counts or event.visible.counts:
        return
    closed = closed_season_with(event)
    if closed is not None:
        raise Refusal("counts_in_closed_season", season=closed.name)
    for season in open_seasons_with(event).select_for_update():
        season.rows, season.scores, season.computed_at = [], [], None
        season.save(update_fields=["rows", "scores", "computed_at"])
        raise_revision(season.topic)
    # A process that is computing the records may have read this event: it starts again.
    ClubRecord.objects.filter(club=event.club_id).update(
        everything=None, years={}, computed_at=None, begun_at=timezone.now()
    )
    PersonRecord.objects.filter(club=event.club_id).delete()
    raise_revision(records_topic(event.club))
