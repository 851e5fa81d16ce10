"""Queries about a person's matches in an event, whatever their entries."""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from clubs.models import Person
from scoring.models import Player, TableCard
from tournaments.events.queries import counts_publicly
from tournaments.lifecycle import OPEN_STATES, RoundState
from tournaments.models import Entry, Event, Seating, Table
from tournaments.rounds.queries.presence import get_bye_person_ids, list_byes_with_players, query_present_players


def list_people_at_table(event: Event, match_id: int) -> list[Person]:
    """List the people at a table of the event, by seat; nobody if the match is of another event. One
    query."""
    players = Player.objects.filter(match=match_id, match__table__round__event=event)
    return [player.person for player in players.select_related("person").order_by("seat")]


def list_substitutes(event: Event) -> list[Person]:
    """List the people who sat at a table, or had a bye, without being in an entry now, by id. Two queries;
    two more where somebody was replaced."""
    entries = Entry.objects.filter(event=event)
    seated_ids = Player.objects.filter(match__table__round__event=event).values("person")
    has_played = Q(pk__in=seated_ids) | Q(pk__in=get_bye_person_ids(event))
    people = Person.objects.filter(has_played, club=event.club_id, anonymized_at=None)
    return list(
        people.exclude(pk__in=entries.values("player_1"))
        .exclude(pk__in=entries.exclude(player_2=None).values("player_2"))
        .order_by("pk")
    )


def list_player_tables(event: Event, person: Person, entries: Collection[int]) -> list[Table]:
    """List the person's tables in the published rounds, newest first. Tables with a match count by its
    players; those without one by these ``entries``, which are ids. With round, seatings, match and its
    players: three queries."""
    match_ids = Player.objects.filter(person=person).values("match")
    table_ids = Seating.objects.filter(entry__in=entries, table__isnull=False).values("table")
    tables = Table.objects.filter(round__event=event).exclude(round__state=RoundState.DRAFT)
    return list(
        tables.filter(Q(match__in=match_ids) | Q(match=None, pk__in=table_ids))
        .select_related("round", "match")
        .prefetch_related(
            Prefetch("seatings", queryset=Seating.objects.order_by("side", "place")),
            Prefetch("match__players", queryset=Player.objects.select_related("person").order_by("seat")),
        )
        .order_by("-round__number", "number")
    )


def find_player_card(event: Event, person_id: int, number: int) -> TableCard | None:
    """Return the card of the table, if the person sits there in a round under way. One query."""
    seat_filter = {"matches__table__round__state__in": OPEN_STATES, "matches__players__person": person_id}
    return TableCard.objects.filter(topic=event.topic, number=number, closed_at=None, **seat_filter).first()


def list_player_byes(event: Event, person: Person) -> list[Seating]:
    """List the byes that the person had in published rounds, whoever plays for the entry now. One query; one
    more where somebody had a bye in a round that is closed, another where they were replaced since."""
    return [bye for bye, players in list_byes_with_players(event) if person in players]


def select_player_nights(event: Event, person: Person) -> QuerySet[Event]:
    """Select the public events of the club in which the person sat at a table, newest first. One query."""
    has_played = Exists(query_present_players().filter(person=person, match__table__round__event=OuterRef("pk")))
    nights = Event.objects.filter(counts_publicly(), has_played, club=event.club_id, is_put_away=False)
    return nights.select_related("club", "terms").order_by("-held_on", "-pk")
