"""Queries for attendance at the nights of a club."""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db.models import Exists, OuterRef, Sum

from clubs.models import Club, Person
from engine.attendance import Gathering
from tournaments.models import Entry, Event, Fee
from tournaments.rounds.queries.presence import those_who_played, those_who_sat_out


def gatherings_of(club: Club, starts: datetime.date, ends: datetime.date) -> dict[int, Event]:
    """Return the events between two days, by id, first to last. One query."""
    held = club.events.filter(held_on__range=(starts, ends), is_arriving=False).order_by("held_on", "pk")
    return {event.pk: event for event in held}


def attended_gatherings(events: Collection[Event]) -> list[Gathering]:
    """Return those of these events with any attendance. Three queries; one more with byes, another if those
    players were replaced since."""
    came: dict[int, set[int]] = defaultdict(set)
    checked_in = Entry.objects.filter(event__in=events, is_waiting=False, present_at__isnull=False)
    for event, *people in checked_in.values_list("event", "player_1", "player_2"):
        came[event].update(pk for pk in people if pk is not None)
    event_of = {event.terms_id: event.pk for event in events}
    played = those_who_played().filter(match__terms__in=event_of)
    for terms, person in played.values_list("match__terms", "person").distinct():
        came[event_of[terms]].add(person)
    for event, person in those_who_sat_out(events):
        came[event].add(person)
    return [
        Gathering(event=event.pk, held_on=event.held_on, came=frozenset(came[event.pk]))
        for event in events
        if came[event.pk]
    ]


def came_before(club: Club, day: datetime.date, people: Iterable[int]) -> set[int]:
    """Return which of these people came to an event before that day. Four queries at most; the first stops at
    the first such event of each person."""
    before = Event.objects.filter(club=club, held_on__lt=day)
    played = those_who_played().filter(person=OuterRef("pk"), match__terms__in=before.values("terms"))
    entered = Entry.objects.filter(is_waiting=False, present_at__isnull=False, event__in=before).order_by()
    came = (
        Exists(played)
        | Exists(entered.filter(player_1=OuterRef("pk")))
        | Exists(entered.filter(player_2=OuterRef("pk")))
    )
    found = set(Person.objects.filter(came, pk__in=set(people)).values_list("pk", flat=True))
    return found | {person for _, person in those_who_sat_out(before)} & set(people)


def payments_by_event(events: Collection[Event]) -> dict[int, int]:
    """Return the payments of each event, in cents, if there are any. One query."""
    sums = Fee.objects.filter(event__in=events).values("event").annotate(total=Sum("paid")).order_by("event")
    return {row["event"]: row["total"] for row in sums if row["total"]}
