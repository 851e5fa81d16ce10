"""People who were present in rounds."""

from collections.abc import Iterable, Iterator

from django.db.models import Exists, F, Q, QuerySet

from clubs.models import Person
from engine.results import ByeReason, why_sat_out
from rules import Side
from scoring.models import Player
from tournaments.models import Event, Seating

from .sitting_out import byes_in, players_then


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


def player_in(event: Event, person_id: int) -> Person | None:
    """Return the person if they take part in the event, sat at one of its tables, or had a bye. Erased people
    are never found. One query; four at most for a person in no entry who sat at no table."""
    entered = event.entries.filter(Q(player_1=person_id) | Q(player_2=person_id))
    seated = Player.objects.filter(person=person_id, match__table__round__event=event)
    known = Person.objects.filter(pk=person_id, anonymized_at=None)
    found = known.filter(Exists(entered) | Exists(seated)).first()
    return known.first() if found is None and person_id in who_sat_out(event) else found


def who_sat_out(event: Event) -> set[int]:
    """Return the ids of the people who had a bye in a published round. One query; two more where somebody was
    replaced."""
    return {person.pk for _, players in byes_with_players(event) for person in players}


def byes_with_players(event: Event) -> list[tuple[Seating, list[Person]]]:
    """Return the byes of the event, each with the people who had it. Three queries at most."""
    byes = byes_in([event])
    players = players_then([(bye.round, bye.entry) for bye in byes])
    return [(bye, players[bye.round_id, bye.entry_id]) for bye in byes]
