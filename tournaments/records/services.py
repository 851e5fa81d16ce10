"""Services for a club's ratings and records: turn ratings on or off, and recompute both."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, Person
from clubs.services.changes import ClubChange
from engine.ratings import Rating, ranks_of, ratings_of, steps_to_json
from engine.records import ClubRecord as ClubFigures
from engine.records import (
    PersonId,
    RecordedMatch,
    bids_of,
    bids_to_json,
    by_year,
    club_record,
    club_record_to_json,
    person_record_to_json,
    records_of,
)
from jobs.pieces import ROWS, short_transaction
from live.revisions import raise_revision
from scoring.fold import fold_match
from scoring.logs import read_log
from scoring.models import Match
from tournaments.models import ClubRecord, PersonRecord, Tally, records_topic

from .queries import matches_to_count, meetings_of

Progress = Callable[[int, int], None]


@transaction.atomic
def turn_ratings(*, club_id: int, on: bool, by: Actor = NOBODY) -> Club:
    """Turn a club's ratings on or off. Safe to repeat."""
    change = ClubChange(club_id, "turn_ratings_on" if on else "turn_ratings_off", by)
    if not change.is_repeat and change.club.has_ratings is not on:
        change.alter(change.club, has_ratings=on)
        change.record()
    return change.club


def refresh_ratings(*, club_id: int, progress: Progress = lambda done, of: None) -> None:
    """Recompute ratings and records from all ended events of the club. Safe to repeat.

    Hands are counted only in matches that changed since. It writes some rows at a time, outside any
    transaction of the caller. Of two at once, the one that began first stops.
    """
    begun = timezone.now()
    if not _is_mine(club_id, begun):
        return
    matches = matches_to_count(club_id)
    of = len(matches) + Person.objects.filter(club=club_id).count()
    for place in range(0, len(matches), ROWS):
        progress(place, of)
        _count_hands(matches[place : place + ROWS])
    club = Club.objects.get(pk=club_id)
    left_out = set(map(PersonId, club.people.filter(is_rated=False).values_list("pk", flat=True)))
    meetings = meetings_of(club_id)
    rows = _rows(club, meetings, left_out, begun)
    done = len(matches)
    while some := list(islice(rows, ROWS)):
        progress(min(done, of), of)
        if not _keep_people(club_id, begun, some):
            return
        done += len(some)
    everything, years = club_record(meetings, left_out=left_out), by_year(meetings, left_out=left_out)
    _keep_club(club, begun, everything, years)


def _rows(
    club: Club, meetings: Sequence[RecordedMatch], left_out: set[PersonId], begun: datetime
) -> Iterator[PersonRecord]:
    ratings: Mapping[PersonId, Rating] = ratings_of(meetings) if club.has_ratings else {}
    ranks = ranks_of(ratings, left_out=left_out)
    for person, record in records_of(meetings).items():
        rating = None if person in left_out else ratings.get(person)
        yield PersonRecord(
            club=club,
            person_id=person,
            rating=None if rating is None else rating.display,
            margin=None if rating is None else rating.margin,
            rank=ranks.get(person),
            matches=record.balance.played,
            history=steps_to_json(rating.steps) if rating else [],
            record=person_record_to_json(record),
            computed_at=begun,
        )


def _count_hands(match_ids: Sequence[int]) -> None:
    matches = Match.objects.filter(pk__in=match_ids).select_related("terms").prefetch_related("marks")
    tallies = [
        Tally(match=match, revision=match.revision, bids=_bids(match)) for match in matches.order_by("pk")
    ]
    with short_transaction():
        Tally.objects.bulk_create(
            tallies, update_conflicts=True, unique_fields=["match"], update_fields=["revision", "bids"]
        )


def _bids(match: Match) -> list[Any]:
    """Return the bids of the match from its log, read in the order in which hands were recorded."""
    marks = sorted(match.marks.all(), key=lambda mark: mark.pk)
    return bids_to_json(bids_of(fold_match(match, read_log(marks, match.ruleset).places)))


@transaction.atomic
def _is_mine(club_id: int, begun: datetime) -> bool:
    """Claim the work, unless a later process has it."""
    kept, _ = ClubRecord.objects.select_for_update().get_or_create(
        club_id=club_id, defaults={"begun_at": begun}
    )
    if kept.begun_at > begun:
        return False
    ClubRecord.objects.filter(pk=kept.pk).update(begun_at=begun)
    return True


def _holds(club_id: int, begun: datetime) -> bool:
    """Check that nobody has taken over the work. The lock lasts until the transaction ends."""
    return ClubRecord.objects.select_for_update().filter(club=club_id, begun_at=begun).exists()


def _keep_people(club_id: int, begun: datetime, rows: Sequence[PersonRecord]) -> bool:
    with short_transaction():
        if not _holds(club_id, begun):
            return False
        people = Person.objects.filter(pk__in=[row.person_id for row in rows])
        there = set(people.values_list("pk", flat=True))
        PersonRecord.objects.bulk_create(
            [row for row in rows if row.person_id in there],
            update_conflicts=True,
            unique_fields=["person"],
            update_fields=["rating", "margin", "rank", "matches", "history", "record", "computed_at"],
        )
    return True


@transaction.atomic
def _keep_club(
    club: Club, begun: datetime, everything: ClubFigures, years: Mapping[int, ClubFigures]
) -> None:
    """Store the club's records, and delete those of people without any matches left."""
    if not _holds(club.pk, begun):
        return
    PersonRecord.objects.filter(club=club).exclude(computed_at=begun).delete()
    ClubRecord.objects.filter(club=club).update(
        everything=club_record_to_json(everything),
        years={str(year): club_record_to_json(record) for year, record in years.items()},
        computed_at=timezone.now(),
    )
    raise_revision(records_topic(club))
