"""Services for a club's ratings and records: turn ratings on or off, and recompute both."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, Person
from clubs.services.changes import ClubChange
from engine.chances import find_lowest_chance
from engine.ratings import Rating, compute_ranks, compute_ratings, steps_to_json
from engine.records import ClubRecord as ClubFigures
from engine.records import (
    PersonId,
    RecordedMatch,
    bids_to_json,
    club_record_to_json,
    compute_club_record,
    compute_records,
    compute_yearly_records,
    count_bids,
    person_record_to_json,
)
from jobs.pieces import ROWS_PER_PIECE, Progress, ignore_progress, short_transaction
from live.revisions import Reach, raise_revision, raise_revisions
from scoring.fold import fold_match
from scoring.logs import read_log
from scoring.models import Match
from tournaments.models import CERTAIN_CHANCE, PROOFS, ClubRecord, PersonRecord, Tally, get_records_topic
from tournaments.rounds.chances import get_own_counts

from .queries import list_meetings, list_uncounted_matches


@transaction.atomic
def turn_ratings(*, club_id: int, on: bool, by: Actor = NOBODY) -> Club:
    """Turn a club's ratings on or off. Safe to repeat."""
    change = ClubChange(club_id, "turn_ratings_on" if on else "turn_ratings_off", by)
    if not change.is_repeat and change.club.has_ratings is not on:
        change.update(change.club, has_ratings=on)
        change.record()
    return change.club


def refresh_ratings(*, club_id: int, progress: Progress = ignore_progress) -> None:
    """Recompute ratings and records from all ended events of the club. Safe to repeat.

    Hands are counted only in matches that changed since. It writes some rows at a time, outside any
    transaction of the caller. Of two at once, the one that began first stops.
    """
    started_at = timezone.now()
    if not _claim_work(club_id, started_at):
        return
    matches = list_uncounted_matches(club_id)
    total = len(matches) + Person.objects.filter(club=club_id).count()
    for place in range(0, len(matches), ROWS_PER_PIECE):
        progress(place, total)
        _count_hands(matches[place : place + ROWS_PER_PIECE])
    club = Club.objects.get(pk=club_id)
    excluded = set(map(PersonId, club.people.filter(is_rated=False).values_list("pk", flat=True)))
    meetings = list_meetings(club_id)
    rows = _iter_records(club, meetings, excluded, started_at)
    finished = len(matches)
    while portion := list(islice(rows, ROWS_PER_PIECE)):
        progress(min(finished, total), total)
        if not _save_person_records(club_id, started_at, portion):
            return
        finished += len(portion)
    all_time, years = (
        compute_club_record(meetings, excluded=excluded),
        compute_yearly_records(meetings, excluded=excluded),
    )
    _save_club_record(club, started_at, all_time, years)


def _iter_records(
    club: Club, meetings: Sequence[RecordedMatch], excluded: set[PersonId], started_at: datetime
) -> Iterator[PersonRecord]:
    ratings: Mapping[PersonId, Rating] = compute_ratings(meetings) if club.has_ratings else {}
    ranks = compute_ranks(ratings, excluded=excluded)
    for person, record in compute_records(meetings).items():
        rating = None if person in excluded else ratings.get(person)
        yield PersonRecord(
            club=club,
            person_id=person,
            rating=None if rating is None else rating.display,
            margin=None if rating is None else rating.margin,
            rank=ranks.get(person),
            matches=record.balance.played,
            history=steps_to_json(rating.steps) if rating else [],
            record=person_record_to_json(record),
            computed_at=started_at,
        )


def _count_hands(match_ids: Sequence[int]) -> None:
    matches = Match.objects.filter(pk__in=match_ids).select_related("terms", "table__round__event__terms")
    rows = matches.defer(*(f"table__round__{name}" for name in PROOFS)).prefetch_related("marks").order_by("pk")
    tallies = [_count_match(match) for match in rows]
    topics = sorted({tally.match.table.round.event.topic for tally in tallies})
    with short_transaction():
        Tally.objects.bulk_create(
            tallies, update_conflicts=True, unique_fields=["match"], update_fields=["revision", "bids", "lowest_chance"]
        )
        raise_revisions(dict.fromkeys(topics, Reach.EVERYBODY))  # their stories name comebacks


def _count_match(match: Match) -> Tally:
    """Count a match from its log, read in the order in which hands were recorded."""
    marks = sorted(match.marks.all(), key=lambda mark: mark.pk)
    state = fold_match(match, read_log(marks, match.ruleset).places)
    lowest = find_lowest_chance(state, get_own_counts(match.table.round.event, state.ruleset))
    chance = 1.0 if lowest is None or state.winner is None else lowest.after.get_win_probability(state.winner)
    return Tally(
        match=match,
        revision=match.revision,
        bids=bids_to_json(count_bids(state)),
        lowest_chance=round(CERTAIN_CHANCE * chance),
    )


@transaction.atomic
def _claim_work(club_id: int, started_at: datetime) -> bool:
    """Claim the work, unless a later process has it."""
    club_row, _ = ClubRecord.objects.select_for_update().get_or_create(
        club_id=club_id, defaults={"begun_at": started_at}
    )
    if club_row.begun_at > started_at:
        return False
    ClubRecord.objects.filter(pk=club_row.pk).update(begun_at=started_at)
    return True


def _holds_claim(club_id: int, started_at: datetime) -> bool:
    """Check that nobody has taken over the work. The lock lasts until the transaction ends."""
    return ClubRecord.objects.select_for_update().filter(club=club_id, begun_at=started_at).exists()


def _save_person_records(club_id: int, started_at: datetime, rows: Sequence[PersonRecord]) -> bool:
    with short_transaction():
        if not _holds_claim(club_id, started_at):
            return False
        people = Person.objects.filter(pk__in=[row.person_id for row in rows])
        existing_ids = set(people.values_list("pk", flat=True))
        PersonRecord.objects.bulk_create(
            [row for row in rows if row.person_id in existing_ids],
            update_conflicts=True,
            unique_fields=["person"],
            update_fields=["rating", "margin", "rank", "matches", "history", "record", "computed_at"],
        )
    return True


@transaction.atomic
def _save_club_record(
    club: Club, started_at: datetime, all_time: ClubFigures, years: Mapping[int, ClubFigures]
) -> None:
    """Store the club's records, and delete those of people without any matches left."""
    if not _holds_claim(club.pk, started_at):
        return
    PersonRecord.objects.filter(club=club).exclude(computed_at=started_at).delete()
    ClubRecord.objects.filter(club=club).update(
        everything=club_record_to_json(all_time),
        years={str(year): club_record_to_json(record) for year, record in years.items()},
        computed_at=timezone.now(),
    )
    raise_revision(get_records_topic(club))
