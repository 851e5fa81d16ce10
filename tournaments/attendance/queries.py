"""Queries for attendance at the nights of a club."""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db.models import Exists, OuterRef, Sum

from clubs.models import Club, Person
from engine.attendance import AttendedEvent
from tournaments.models import Entry, Event, Fee
from tournaments.rounds.queries.presence import list_people_on_bye, query_present_players


def get_events_by_id(club: Club, starts: datetime.date, ends: datetime.date) -> dict[int, Event]:
    """Return the events between two days, by id, first to last. One query."""
    events = club.events.filter(held_on__range=(starts, ends), is_arriving=False).order_by("held_on", "pk")
    return {event.pk: event for event in events}


def list_gatherings(events: Collection[Event]) -> list[AttendedEvent]:
    """Return those of these events with any attendance. Three queries; one more with byes, another if those
    players were replaced since."""
    came: dict[int, set[int]] = defaultdict(set)
    checked_in = Entry.objects.filter(event__in=events, is_waiting=False, present_at__isnull=False)
    for event, *people in checked_in.values_list("event", "player_1", "player_2"):
        came[event].update(pk for pk in people if pk is not None)
    event_by_terms = {event.terms_id: event.pk for event in events}
    players = query_present_players().filter(match__terms__in=event_by_terms)
    for terms, person in players.values_list("match__terms", "person").distinct():
        came[event_by_terms[terms]].add(person)
    for event, person in list_people_on_bye(events):
        came[event].add(person)
    return [
        AttendedEvent(event=event.pk, held_on=event.held_on, attendees=frozenset(came[event.pk]))
        for event in events
        if came[event.pk]
    ]


def find_earlier_attendees(club: Club, day: datetime.date, people: Iterable[int]) -> set[int]:
    """Return which of these people came to an event before that day. Four queries at most; the first stops at
    the first such event of each person."""
    earlier_events = Event.objects.filter(club=club, held_on__lt=day)
    seats = query_present_players().filter(person=OuterRef("pk"), match__terms__in=earlier_events.values("terms"))
    check_ins = Entry.objects.filter(is_waiting=False, present_at__isnull=False, event__in=earlier_events).order_by()
    came = (
        Exists(seats)
        | Exists(check_ins.filter(player_1=OuterRef("pk")))
        | Exists(check_ins.filter(player_2=OuterRef("pk")))
    )
    attendee_ids = set(Person.objects.filter(came, pk__in=set(people)).values_list("pk", flat=True))
    return attendee_ids | {person for _, person in list_people_on_bye(earlier_events)} & set(people)


def sum_payments_by_event(events: Collection[Event]) -> dict[int, int]:
    """Return the payments of each event, in cents, if there are any. One query."""
    sums = Fee.objects.filter(event__in=events).values("event").annotate(total=Sum("paid")).order_by("event")
    return {row["event"]: row["total"] for row in sums if row["total"]}
