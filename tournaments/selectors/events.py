"""Events, by their addresses."""

from clubs.models import Account
from clubs.selectors import clubs_of
from tournaments.models import Event


def public_event(short: str) -> Event | None:
    """The event of that short name, for anybody who has its address. One query."""
    return Event.objects.select_related("club", "terms").filter(short=short).first()


def directed_event(account: Account, short: str) -> Event | None:
    """The same for somebody who has a role in its club; None for anybody else. One query."""
    clubs = clubs_of(account)
    return Event.objects.select_related("club", "terms").filter(short=short, club__in=clubs).first()
