"""Queries about a person's matches in an event, whatever their entries."""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from clubs.models import Person
from scoring.models import Player, TableCard
from tournaments.events.queries import counts_publicly
from tournaments.lifecycle import OPEN, RoundState
from tournaments.models import Entry, Event, Seating, Table
from tournaments.rounds.queries.presence import byes_with_players, those_who_played, who_sat_out


def people_at(event: Event, match_id: int) -> list[Person]:
    """List the people at a table of the event, by seat; nobody if the match is of another event. One
    query."""
    seated = Player.objects.filter(match=match_id, match__table__round__event=event)
    return [player.person for player in seated.select_related("person").order_by("seat")]


def substitutes_of(event: Event) -> list[Person]:
    """List the people who sat at a table, or had a bye, without being in an entry now, by id. Two queries;
    two more where somebody was replaced."""
    entries = Entry.objects.filter(event=event)
    seated = Player.objects.filter(match__table__round__event=event).values("person")
    played = Q(pk__in=seated) | Q(pk__in=who_sat_out(event))
    people = Person.objects.filter(played, club=event.club_id, anonymized_at=None)
    return list(
        people.exclude(pk__in=entries.values("player_1"))
        .exclude(pk__in=entries.exclude(player_2=None).values("player_2"))
        .order_by("pk")
    )


def tables_of_person(event: Event, person: Person, entries: Collection[int]) -> list[Table]:
    """List the person's tables in the published rounds, newest first. Tables with a match count by its
    players; those without one by these ``entries``, which are ids. With round, seatings, match and its
    players: three queries."""
    seated = Player.objects.filter(person=person).values("match")
    entered = Seating.objects.filter(entry__in=entries, table__isnull=False).values("table")
    tables = Table.objects.filter(round__event=event).exclude(round__state=RoundState.DRAFT)
    return list(
        tables.filter(Q(match__in=seated) | Q(match=None, pk__in=entered))
        .select_related("round", "match")
        .prefetch_related(
            Prefetch("seatings", queryset=Seating.objects.order_by("side", "place")),
            Prefetch("match__players", queryset=Player.objects.select_related("person").order_by("seat")),
        )
        .order_by("-round__number", "number")
    )


def card_at_table_of(event: Event, person_id: int, number: int) -> TableCard | None:
    """Return the card of the table, if the person sits there in a round under way. One query."""
    sits_there = {"matches__table__round__state__in": OPEN, "matches__players__person": person_id}
    return TableCard.objects.filter(topic=event.topic, number=number, closed_at=None, **sits_there).first()


def byes_of(event: Event, person: Person) -> list[Seating]:
    """List the byes that the person had in published rounds, whoever plays for the entry now. One query; one
    more where somebody had a bye in a round that is closed, another where they were replaced since."""
    return [bye for bye, players in byes_with_players(event) if person in players]


def nights_of_person(event: Event, person: Person) -> QuerySet[Event]:
    """Select the public events of the club in which the person sat at a table, newest first. One query."""
    played = Exists(those_who_played().filter(person=person, match__table__round__event=OuterRef("pk")))
    nights = Event.objects.filter(counts_publicly(), played, club=event.club_id, is_put_away=False)
    return nights.select_related("club", "terms").order_by("-held_on", "-pk")
