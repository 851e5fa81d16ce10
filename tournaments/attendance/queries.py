"""Who came to the nights of a club, over a time."""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db.models import QuerySet, Sum

from clubs.models import Club
from engine.attendance import Gathering
from scoring.models import Player
from tournaments.models import Entry, Event, Fee


def gatherings_of(club: Club, starts: datetime.date, ends: datetime.date) -> dict[int, Event]:
    """The events between two days, by id, first to last. One query."""
    held = club.events.filter(held_on__range=(starts, ends), is_arriving=False).order_by("held_on", "pk")
    return {event.pk: event for event in held}


def attended_gatherings(events: Collection[Event]) -> list[Gathering]:
    """Of these events, those to which anybody came. Two queries."""
    came: dict[int, set[int]] = defaultdict(set)
    checked_in = Entry.objects.filter(event__in=events, is_waiting=False, present_at__isnull=False)
    for event, *people in checked_in.values_list("event", "player_1", "player_2"):
        came[event].update(pk for pk in people if pk is not None)
    event_of = {event.terms_id: event.pk for event in events}
    played = those_who_played().filter(match__terms__in=event_of)
    for terms, person in played.values_list("match__terms", "person").distinct():
        came[event_of[terms]].add(person)
    return [
        Gathering(event=event.pk, held_on=event.held_on, came=frozenset(came[event.pk]))
        for event in events
        if came[event.pk]
    ]


def came_before(club: Club, day: datetime.date, people: Iterable[int]) -> set[int]:
    """Who of these came to an event before that day. Two queries, whatever they are many of."""
    wanted = set(people)
    entries = Entry.objects.filter(
        event__club=club, event__held_on__lt=day, is_waiting=False, present_at__isnull=False
    )
    found: set[int] = set()
    for pair in entries.values_list("player_1", "player_2").distinct():
        found.update(pk for pk in pair if pk is not None)
    before = Event.objects.filter(club=club, held_on__lt=day).values("terms")
    played = those_who_played().filter(match__terms__in=before)
    found.update(played.values_list("person", flat=True).distinct())
    return found & wanted


def payments_by_event(events: Collection[Event]) -> dict[int, int]:
    """What was paid for each, in cents, where anything was. One query."""
    sums = Fee.objects.filter(event__in=events).values("event").annotate(total=Sum("paid")).order_by("event")
    return {row["event"]: row["total"] for row in sums if row["total"]}


def those_who_played() -> QuerySet[Player]:
    """Who sat at a table where something was marked."""
    return Player.objects.filter(match__withdrawn_at=None, match__last_marked_at__isnull=False).order_by()
