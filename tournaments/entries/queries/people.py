"""Queries for the events that people took part in, and their fees and prizes."""

from django.db.models import Q, QuerySet

from clubs.models import Person
from tournaments.models import Entry, Event, Fee, Prize


def list_entries_of_person(person: Person) -> QuerySet[Entry]:
    """Return the entries of a person, newest event first. One query."""
    entries = Entry.objects.filter(Q(player_1=person) | Q(player_2=person))
    return entries.select_related("event", "player_1", "player_2").order_by("-event__held_on", "-pk")


def list_common_events(person: Person, other_person: Person) -> QuerySet[Event]:
    """Return the events in which both took part, also as substitutes. One query."""
    return _list_events_of_person(person).filter(pk__in=_list_events_of_person(other_person).values("pk"))


def _list_events_of_person(person: Person) -> QuerySet[Event]:
    """Return the events of a person, also those at other clubs, where they have another row."""
    elsewhere = person.elsewhere.values("known_as")
    rows = Q(player_1=person) | Q(player_2=person) | Q(player_1__in=elsewhere) | Q(player_2__in=elsewhere)
    entry_events = Entry.objects.filter(rows).values("event")
    return Event.objects.filter(Q(pk__in=entry_events) | Q(terms__in=person.seats.values("match__terms")))


def list_person_fees(person: Person) -> QuerySet[Fee]:
    """Select the person's fees. One query."""
    return Fee.objects.filter(person=person).order_by("pk")


def list_person_prizes(person: Person) -> QuerySet[Prize]:
    """Select the prizes that the person won. One query."""
    return (
        Prize.objects.filter(Q(winner_1=person) | Q(winner_2=person))
        .select_related("winner_1", "winner_2")
        .order_by("pk")
    )
