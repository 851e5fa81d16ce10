"""Events, by their addresses."""

from django.db.models import F

from clubs.models import Account, Role
from tournaments.models import Event


def public_event(short: str) -> Event | None:
    """The event of that short name, for anybody who has its address. One query."""
    return Event.objects.select_related("club", "terms").filter(short=short, is_put_away=False).first()


def event_at_desk(account: Account, short: str) -> tuple[Event, Role] | None:
    """The same for somebody who has a role in its club, with the role; None for anybody else. One query."""
    found = (
        Event.objects.select_related("club", "terms")
        .filter(short=short, is_put_away=False, club__memberships__account=account)
        .annotate(role=F("club__memberships__role"))
        .first()
    )
    return None if found is None else (found, Role(found.role))
