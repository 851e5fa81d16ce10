"""Matches of a club's ended events, and the ratings and records computed from them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from django.db.models import F, Q, QuerySet

from clubs.models import Club, Person
from engine.records import PersonId, Players, RecordedMatch, bids_from_json, compute_records
from engine.records import PersonRecord as Record
from rules import Side
from scoring.models import Match, Player
from tournaments.events.queries import counts_publicly
from tournaments.lifecycle import EventState
from tournaments.models import ClubRecord, PersonRecord, Table
from tournaments.rounds.rulings import get_played_outcome

PlayersByMatch = Mapping[int, tuple[list[PersonId], list[PersonId]]]


def list_uncounted_matches(club_id: int) -> list[int]:
    """List the matches of ended events whose hands have changed since they were counted, or that an older version
    counted."""
    matches = Match.objects.filter(
        Q(tally=None) | ~Q(tally__revision=F("revision")) | Q(tally__lowest_chance=None),
        counts_publicly("table__round__event__"),
        table__round__event__club=club_id,
        table__round__event__state=EventState.ENDED,
        table__round__event__is_arriving=False,
        withdrawn_at=None,
    )
    return list(matches.order_by("pk").values_list("pk", flat=True))


def list_meetings(club_id: int, *, person_ids: Collection[int] = ()) -> list[RecordedMatch]:
    """Return every match that counts for ratings and records, in the order of play, from public events only.
    With ``person_ids``, only matches in which all of these people sat. Two queries.

    Byes and forfeits are not matches. If the director ruled another result, it counts if cards were played;
    hands count as recorded.
    """
    tables = Table.objects.filter(
        counts_publicly("round__event__"),
        round__event__club=club_id,
        round__event__state=EventState.ENDED,
        round__event__is_arriving=False,
        match__withdrawn_at=None,
    ).exclude(match=None)
    for person in person_ids:
        tables = tables.filter(match__players__person=person)
    rows = tables.order_by("round__event__held_on", "round__event", "round__number", "number").values_list(
        "round__event",
        "round__event__held_on",
        "ruling",
        "match",
        "match__is_over",
        "match__summary",
        "match__tally__bids",
    )
    players_by_match = _get_players_by_match(club_id, person_ids)
    meetings = []
    for event, held_on, ruling, match, is_over, summary, bids in rows.iterator():
        outcome = get_played_outcome(ruling, summary, is_over=is_over)
        if outcome is None or not all(players_by_match[match]):
            continue
        meetings.append(
            RecordedMatch(
                event=event,
                held_on=held_on,
                sides=_build_sides(players_by_match[match]),
                winner=None if outcome["winner"] is None else Side[outcome["winner"]],
                games=tuple(outcome["games_won"]),
                points=tuple(outcome["points"]),
                bids=bids_from_json(bids or ()),
            )
        )
    return meetings


def select_ranked_people(club: Club) -> QuerySet[PersonRecord]:
    """Return the ranked people of a club who are not hidden, strongest first, without their history and
    record."""
    records = PersonRecord.objects.filter(club=club, person__is_rated=True, person__is_hidden=False).exclude(rank=None)
    return records.select_related("person").defer("history", "record").order_by("rank", "person__folded_name")


def find_person_record(club: Club, person_id: int) -> PersonRecord | None:
    """Return the record of a person who has played. One query."""
    return PersonRecord.objects.select_related("person").filter(club=club, person=person_id).first()


def has_public_page(club: Club, person: Person) -> bool:
    """Check whether a person's record, if any, is public. No query."""
    return club.has_public_people and person.is_rated and not person.is_hidden


def find_people_with_pages(club: Club, people: Iterable[int]) -> frozenset[int]:
    """Return which of these people, by id, have a public record. One query, or none."""
    if not club.has_public_people:
        return frozenset()
    records = PersonRecord.objects.filter(
        club=club, person__in=list(people), person__is_rated=True, person__is_hidden=False
    )
    return frozenset(records.values_list("person", flat=True))


def compute_pair_record(club: Club, first_person: Person, second_person: Person) -> Record | None:
    """Compute the joint record of two people from their matches. Two queries."""
    pair = {PersonId(first_person.pk), PersonId(second_person.pk)}
    all_meetings = list_meetings(club.pk, person_ids=pair)
    together = [meeting for meeting in all_meetings if any(pair <= set(side) for side in meeting.sides)]
    return compute_records(together).get(PersonId(first_person.pk))


def find_club_record(club: Club) -> ClubRecord | None:
    """Return the records of a club; None before they are computed. One query."""
    return ClubRecord.objects.filter(club=club).exclude(everything=None).first()


def _get_players_by_match(club_id: int, person_ids: Collection[int]) -> PlayersByMatch:
    """Return the people of each match by side, in the order of the seats."""
    players_by_match: dict[int, tuple[list[PersonId], list[PersonId]]] = defaultdict(lambda: ([], []))
    seats = Player.objects.filter(
        match__table__round__event__club=club_id, match__table__round__event__state=EventState.ENDED
    )
    for person in person_ids:
        seats = seats.filter(match__players__person=person)
    for match, seat, person in seats.order_by("seat").values_list("match", "seat", "person").iterator():
        players_by_match[match][seat % 2].append(PersonId(person))
    return players_by_match


def _build_sides(players: tuple[list[PersonId], list[PersonId]]) -> tuple[Players, Players]:
    a, b = players
    return tuple(a), tuple(b)
