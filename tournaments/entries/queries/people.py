"""Queries for the events that people took part in, and their fees and prizes."""

from django.db.models import Q, QuerySet

from clubs.models import Person
from tournaments.models import Entry, Event, Fee, Prize


def events_of_person(person: Person) -> QuerySet[Entry]:
    """Return the entries of a person, newest event first. One query."""
    entries = Entry.objects.filter(Q(player_1=person) | Q(player_2=person))
    return entries.select_related("event", "player_1", "player_2").order_by("-event__held_on", "-pk")


def events_of_both(one: Person, other: Person) -> QuerySet[Event]:
    """Return the events in which both took part, also as substitutes. One query."""
    return _events_of(one).filter(pk__in=_events_of(other).values("pk"))


def _events_of(person: Person) -> QuerySet[Event]:
    """Return the events of a person, also those at other clubs, where they have another row."""
    elsewhere = person.elsewhere.values("known_as")
    rows = Q(player_1=person) | Q(player_2=person) | Q(player_1__in=elsewhere) | Q(player_2__in=elsewhere)
    entered = Entry.objects.filter(rows).values("event")
    return Event.objects.filter(Q(pk__in=entered) | Q(terms__in=person.seats.values("match__terms")))


def fees_of_person(person: Person) -> QuerySet[Fee]:
    """Select the person's fees. One query."""
    return Fee.objects.filter(person=person).order_by("pk")


def prizes_of_person(person: Person) -> QuerySet[Prize]:
    """Select the prizes that the person won. One query."""
    return (
        Prize.objects.filter(Q(winner_1=person) | Q(winner_2=person))
        .select_related("winner_1", "winner_2")
        .order_by("pk")
    )
