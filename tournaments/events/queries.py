"""Events, by their addresses and by their days."""

import datetime

from django.db.models import F, QuerySet

from clubs.models import Account, Role
from tournaments.agenda.announcement import LONGEST
from tournaments.models import Event


def event_named(short: str) -> Event | None:
    """The event of that short name, whoever may see it. One query."""
    try:
        return Event.objects.select_related("club", "terms", "night").get(short=short, is_put_away=False)
    except Event.DoesNotExist:
        return None


def has_event(short: str) -> bool:
    """Whether one has that short name, even if nobody sees it. One query."""
    return Event.objects.filter(short=short).exists()


def public_event(short: str) -> Event | None:
    """The event of that short name, if everybody may see it. One query."""
    event = event_named(short)
    return event if event is not None and event.is_public else None


def event_at_desk(account: Account, short: str) -> tuple[Event, Role] | None:
    """The same for somebody who has a role in its club, with the role; None for anybody else. One query."""
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
    """Those of them that are held on that day or later, be it only the last of their days. One query."""
    return [event for event in events.filter(held_on__gte=day - LONGEST) if event.last_day >= day]
