"""What happened in a club that everybody may hear of: its events, their ends, and changes of its calendar."""

import datetime
from collections.abc import Collection

from django.db.models import Max, Q

from clubs.models import Club, ClubAction
from engine.visibility import Ranks
from tournaments.models import Action, Event, PublishedStandings

CHANGED_DAYS = ("cancel_date", "move_date", "restore_date")
"""Lines of a club's history about a day of its calendar."""
LOOKED_BACK = 60
"""So many of the last ones."""


def ends_of(events: Collection[Event]) -> dict[int, datetime.datetime]:
    """When events were ended, for the last time, by their ids. One query."""
    return _last_times(events, kind="end_event")


def publications_of(events: Collection[Event]) -> dict[int, PublishedStandings]:
    """When the final standings that everybody reads were published, and whether they correct others, by the
    ids of their events. One query, none where no standings are final."""
    final = Q()
    for event in events:
        if event.visible.standings is Ranks.FINAL:
            final |= Q(event=event, number=event.final)
    if not final:
        return {}
    published = PublishedStandings.objects.filter(final).only("event", "corrects", "published_at")
    return {each.event_id: each for each in published}


def appearances_of(events: Collection[Event]) -> dict[int, datetime.datetime]:
    """When events that had been hidden were shown, for the last time, by their ids. One query."""
    return _last_times(events, kind="change_release", details__appears=True)


def _last_times(events: Collection[Event], **deed: object) -> dict[int, datetime.datetime]:
    done = Action.objects.filter(event__in=events, undone_by=None, **deed)
    return dict(done.values_list("event").annotate(Max("created_at")).order_by())


def changed_days_of(club: Club) -> list[ClubAction]:
    """The last changes of days of the calendar, with what undid them. One query."""
    changed = club.actions.filter(kind__in=CHANGED_DAYS).select_related("undone_by")
    return list(changed[:LOOKED_BACK])
