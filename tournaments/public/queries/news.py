"""Queries for a club's news: its events, their ends, and changes of its calendar."""

import datetime
from collections.abc import Collection

from django.db.models import Max, Q

from clubs.models import Club, ClubAction
from engine.visibility import Ranks
from tournaments.models import Action, Event, PublishedStandings

CHANGED_DAYS = ("cancel_date", "move_date", "restore_date")
"""Kinds of history lines about a day of the club's calendar."""
MAX_CHANGES = 60
"""How many of the last changes are read."""


def get_end_times(events: Collection[Event]) -> dict[int, datetime.datetime]:
    """Return when events were last ended, by their ids. One query."""
    return _get_last_times(events, kind="end_event")


def get_publications(events: Collection[Event]) -> dict[int, PublishedStandings]:
    """Return the published final standings by event id: when they were published, and which they correct. One
    query, none where no standings are final."""
    final = Q()
    for event in events:
        if event.visible.standings is Ranks.FINAL:
            final |= Q(event=event, number=event.final)
    if not final:
        return {}
    published = PublishedStandings.objects.filter(final).only("event", "corrects", "published_at")
    return {publication.event_id: publication for publication in published}


def get_appearance_times(events: Collection[Event]) -> dict[int, datetime.datetime]:
    """Return when hidden events were last made visible, by their ids. One query."""
    return _get_last_times(events, kind="change_release", details__appears=True)


def _get_last_times(events: Collection[Event], **action_filter: object) -> dict[int, datetime.datetime]:
    actions = Action.objects.filter(event__in=events, undone_by=None, **action_filter)
    return dict(actions.values_list("event").annotate(Max("created_at")).order_by())


def list_calendar_changes(club: Club) -> list[ClubAction]:
    """List the last changes of the calendar, with their undos. One query."""
    changes = club.actions.filter(kind__in=CHANGED_DAYS).select_related("undone_by")
    return list(changes[:MAX_CHANGES])
