"""People who were present in rounds."""

from collections.abc import Iterable, Iterator

from django.db.models import Exists, F, Q, QuerySet

from clubs.models import Person
from engine.results import ByeReason, get_bye_reason
from rules import Side
from scoring.models import Player
from tournaments.models import Event, Seating
from tournaments.rounds.byes import ByeKind, classify_bye

from .bye_players import list_byes, map_players_at_close


def query_present_players() -> QuerySet[Player]:
    """Return the players at tables with a recorded hand or a score set by the director, and the winners of
    forfeits, who were present. ``list_people_on_bye`` returns the people who were present without a table."""
    players = Player.objects.alias(is_at_b=F("seat") % 2, ruling=F("match__table__ruling"))
    won_by_a = Q(ruling__winner=Side.A.name, is_at_b=0)
    won_by_b = Q(ruling__winner=Side.B.name, is_at_b=1)
    was_present = Q(match__last_marked_at__isnull=False) | Q(ruling__kind="adjusted") | won_by_a | won_by_b
    return players.filter(was_present, match__withdrawn_at=None).order_by()


def list_people_on_bye(events: Iterable[Event]) -> Iterator[tuple[int, int]]:
    """Yield event and person, by id, for each bye by rotation, or board won without play, in a closed round: these
    people were present. Three queries at most."""
    byes = [
        (bye.round, bye.entry)
        for bye in list_byes(events)
        if bye.round.closed_at is not None
        and get_bye_reason(reason["code"] for reason in bye.reasons) in (ByeReason.TURN, ByeReason.UNOPPOSED)
    ]
    players = map_players_at_close(byes)
    for round_row, entry in byes:
        for person in players[round_row.pk, entry.pk]:
            yield round_row.event_id, person.pk


def list_substitutes(event: Event) -> set[tuple[int, int]]:
    """Return round number and entry id for each entry without a board in a team match. One query."""
    byes = list_byes([event])
    return {(bye.round.number, bye.entry_id) for bye in byes if classify_bye(bye.reasons) is ByeKind.SUBSTITUTE}


def find_event_player(event: Event, person_id: int) -> Person | None:
    """Return the person if they take part in the event, sat at one of its tables, or had a bye. Erased people
    are never found. One query; four at most for a person in no entry who sat at no table."""
    entries = event.entries.filter(Q(player_1=person_id) | Q(player_2=person_id))
    seats = Player.objects.filter(person=person_id, match__table__round__event=event)
    people = Person.objects.filter(pk=person_id, anonymized_at=None)
    person = people.filter(Exists(entries) | Exists(seats)).first()
    return people.first() if person is None and person_id in get_bye_person_ids(event) else person


def get_bye_person_ids(event: Event) -> set[int]:
    """Return the ids of the people who had a bye in a published round. One query; two more where somebody was
    replaced."""
    return {person.pk for _, players in list_byes_with_players(event) for person in players}


def list_byes_with_players(event: Event) -> list[tuple[Seating, list[Person]]]:
    """Return the byes of the event, each with the people who had it. Three queries at most."""
    byes = list_byes([event])
    players = map_players_at_close([(bye.round, bye.entry) for bye in byes])
    return [(bye, players[bye.round_id, bye.entry_id]) for bye in byes]
