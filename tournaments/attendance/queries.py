"""Queries for attendance at the nights of a club."""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum

from clubs.models import Club, Person
from engine.attendance import Gathering
from engine.results import ByeReason, why_sat_out
from rules import Side
from scoring.models import Player
from tournaments.models import Entry, Event, Fee
from tournaments.rounds.queries.sitting_out import byes_in, players_then


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


def those_who_played() -> QuerySet[Player]:
    """Return the players at tables with a recorded hand or a score set by the director, and the winners of
    forfeits, who were there. With ``those_who_sat_out``, these are the rounds of the ledger that need
    somebody present."""
    seated = Player.objects.alias(is_at_b=F("seat") % 2, ruling=F("match__table__ruling"))
    won_by_a = Q(ruling__winner=Side.A.name, is_at_b=0)
    won_by_b = Q(ruling__winner=Side.B.name, is_at_b=1)
    came = Q(match__last_marked_at__isnull=False) | Q(ruling__kind="adjusted") | won_by_a | won_by_b
    return seated.filter(came, match__withdrawn_at=None).order_by()


def those_who_sat_out(events: Iterable[Event]) -> Iterator[tuple[int, int]]:
    """Yield event and person, by id, for each bye by rotation in a closed round: these people were present.
    Three queries at most."""
    byes = [
        (bye.round, bye.entry)
        for bye in byes_in(events)
        if bye.round.closed_at is not None
        and why_sat_out(reason["code"] for reason in bye.reasons) is ByeReason.TURN
    ]
    players = players_then(byes)
    for drawn, entry in byes:
        for person in players[drawn.pk, entry.pk]:
            yield drawn.event_id, person.pk
