"""Events by short name or by day."""

import datetime

from django.db.models import F, QuerySet

from clubs.models import Account, Role
from tournaments.announcement import LONGEST
from tournaments.models import Event


def event_named(short: str) -> Event | None:
    """Return the event with this short name, whatever its visibility. One query."""
    try:
        return Event.objects.select_related("club", "terms", "night").get(short=short, is_put_away=False)
    except Event.DoesNotExist:
        return None


def has_event(short: str) -> bool:
    """Check whether an event has this short name, even a hidden one. One query."""
    return Event.objects.filter(short=short).exists()


def public_event(short: str) -> Event | None:
    """Return the event with this short name, if it is public. One query."""
    event = event_named(short)
    return event if event is not None and event.is_public else None


def event_at_desk(account: Account, short: str) -> tuple[Event, Role] | None:
    """Return the event with this short name and the role of the account in its club; None without a role. One
    query."""
    try:
        found = (
            Event.objects.select_related("club", "terms")
            .filter(short=short, is_put_away=False, club__memberships__account=account)
            .annotate(role=F("club__memberships__role"))
            .get()
        )
    except Event.DoesNotExist:
        return None
    return found, Role(found.role)


def events_from(events: QuerySet[Event], day: datetime.date) -> list[Event]:
    """Return the events whose last day is this day or later. One query."""
    return [event for event in events.filter(held_on__gte=day - LONGEST) if event.last_day >= day]
