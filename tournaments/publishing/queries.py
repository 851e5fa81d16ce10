"""Which events everybody may see, and which of them a club's seasons and records tell of."""

import datetime

from django.db.models import Q, QuerySet

from clubs.models import Club
from engine.visibility import Names, RanksRelease, Results
from tournaments.interclub.queries import shared_events
from tournaments.models import Event
from tournaments.public.queries.nights import RECENT, events_of


def public_events() -> QuerySet[Event]:
    """The events of all clubs that everybody may see."""
    return Event.objects.filter(is_public=True, is_put_away=False)


def public_events_of(club: Club) -> QuerySet[Event]:
    """The events of the club that everybody may see, the last one first."""
    return events_of(club).filter(is_public=True)


def recent_public_events(club: Club) -> list[Event]:
    """The last of them. One query."""
    return list(public_events_of(club)[:RECENT])


def public_shared_events(club: Club, *, since: datetime.date) -> list[Event]:
    """Those of other clubs in which this one takes part, from that day on, by day. One query."""
    return [event for event in shared_events(club, since=since) if event.is_public]


def counts_publicly(way: str = "") -> Q:
    """``Visible.counts``, for a query; ``way`` leads from its rows to the event: ``"round__event__"``."""
    is_open = Q(**{f"{way}shows_standings": RanksRelease.LIVE.value, f"{way}silent_from": None})
    is_final = ~Q(**{f"{way}final": None}) & ~Q(**{f"{way}shows_standings": RanksRelease.NEVER.value})
    return (
        Q(**{f"{way}is_public": True, f"{way}shows_draw": True})
        & ~Q(**{f"{way}shows_results": Results.NOTHING.value})
        & ~Q(**{f"{way}shows_names": Names.NUMBERS.value})
        & (is_open | is_final)
    )
