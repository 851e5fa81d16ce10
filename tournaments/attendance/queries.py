"""Who came to the nights of a club, over a time."""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from django.db.models import Exists, OuterRef, QuerySet, Sum

from clubs.models import Club, Person
from engine.attendance import Gathering
from engine.results import ByeReason, why_sat_out
from scoring.models import Player
from tournaments.models import Entry, Event, Fee
from tournaments.rounds.queries.sitting_out import byes_in, players_then


def gatherings_of(club: Club, starts: datetime.date, ends: datetime.date) -> dict[int, Event]:
    """The events between two days, by id, first to last. One query."""
    held = club.events.filter(held_on__range=(starts, ends), is_arriving=False).order_by("held_on", "pk")
    return {event.pk: event for event in held}


def attended_gatherings(events: Collection[Event]) -> list[Gathering]:
    """Of these events, those to which anybody came. Three queries; one more where somebody sat out,
    another where they were replaced since."""
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
    """Who of these came to an event before that day. Four queries at most; in the first one, somebody's first
    such evening is the last that is looked at."""
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
    """What was paid for each, in cents, where anything was. One query."""
    sums = Fee.objects.filter(event__in=events).values("event").annotate(total=Sum("paid")).order_by("event")
    return {row["event"]: row["total"] for row in sums if row["total"]}


def those_who_played() -> QuerySet[Player]:
    """Who sat at a table where something was marked."""
    return Player.objects.filter(match__withdrawn_at=None, match__last_marked_at__isnull=False).order_by()


def those_who_sat_out(events: Iterable[Event]) -> Iterator[tuple[int, int]]:
    """Event and person, by id, of whoever had no table in a round when it was their turn, once it is closed:
    they were there for it. Three queries at most."""
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
