"""Queries for public events, and for those that count in a club's seasons and records."""

import datetime

from django.db.models import Q, QuerySet

from clubs.models import Club
from engine.visibility import Names, RanksRelease, Results
from tournaments.interclub.queries import shared_events
from tournaments.models import Event
from tournaments.public.queries.nights import RECENT, events_of


def public_events() -> QuerySet[Event]:
    """Return the public events of all clubs."""
    return Event.objects.filter(is_public=True, is_put_away=False)


def public_events_of(club: Club) -> QuerySet[Event]:
    """Return the public events of the club, newest first."""
    return events_of(club).filter(is_public=True)


def recent_public_events(club: Club) -> list[Event]:
    """Return the newest public events of the club. One query."""
    return list(public_events_of(club)[:RECENT])


def public_shared_events(club: Club, *, since: datetime.date) -> list[Event]:
    """List the public events of other clubs in which this one takes part, from that day on, by day. One
    query."""
    return [event for event in shared_events(club, since=since) if event.is_public]


def counts_publicly(way: str = "") -> Q:
    """Return ``Visible.counts`` as a query; ``way`` leads from its rows to the event:
    ``"round__event__"``."""
    is_open = Q(**{f"{way}shows_standings": RanksRelease.LIVE.value, f"{way}silent_from": None})
    is_final = ~Q(**{f"{way}final": None}) & ~Q(**{f"{way}shows_standings": RanksRelease.NEVER.value})
    return (
        Q(**{f"{way}is_public": True, f"{way}shows_draw": True})
        & ~Q(**{f"{way}shows_results": Results.NOTHING.value})
        & ~Q(**{f"{way}shows_names": Names.NUMBERS.value})
        & (is_open | is_final)
    )
