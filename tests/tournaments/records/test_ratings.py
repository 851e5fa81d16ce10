"""Ratings and records of a club: which matches count, when they are computed, and who is left out."""

from __future__ import annotations

from datetime import date
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club
from clubs.services.undo import undo_club_action
from engine.records import ContractCount, club_record_from_json, person_record_from_json
from jobs.models import Job
from rules import Side
from scoring.models import Match
from tests.builders import (
    TWO_GAMES,
    build_account,
    build_club,
    build_played_night,
    build_running_night,
    mark,
    matches_of,
    play,
    win,
)
from tournaments.events.services.lifecycle import end_event, resume_event
from tournaments.models import ClubRecord, Event, PersonRecord, Tally
from tournaments.records.queries import list_meetings, list_uncounted_matches, select_ranked_people
from tournaments.records.services import refresh_ratings, turn_ratings
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table, let_cards_count

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("upserts"),
    pytest.mark.slow,
]


def build_night(club: Club, pairs: int = 4) -> Event:
    """Build a night that has ended: one round at two tables, both won by side A 32 to 6."""
    event = build_played_night(pairs, club=club)
    return end_event(event_id=event.pk)


def list_records(club: Club) -> list[PersonRecord]:
    """Compute the records as the worker does, and return them, strongest first."""
    refresh_ratings(club_id=club.pk)
    return list(PersonRecord.objects.filter(club=club).order_by("-rating", "pk"))


def correct_first_hand(match: Match) -> None:
    """Correct the first hand of the match as a director."""
    mark(match, "B 7 made", replaced=match.marks.earliest("pk"), director=build_account())


def pop_refresh_job(club: Club) -> bool:
    """Return whether a refresh of the ratings is queued, and delete its job."""
    return bool(Job.objects.filter(kind="refresh_ratings", key=str(club.pk)).delete()[0])


@pytest.mark.long
def test_ratings_count_only_ended_events_of_the_club() -> None:
    club = build_club()
    night = build_night(club)
    build_night(build_club("Another club"))
    build_played_night(4, club=club)  # this night has not ended
    found = list_records(club)
    assert len(found) == 8
    assert [row.rating for row in found] == [1559] * 4 + [1441] * 4
    assert {row.history[0][0] for row in found} == {night.pk}
    assert {row.rank for row in found} == {None}


@pytest.mark.long
def test_ratings_count_nights_in_order_of_date() -> None:
    """Ratings and streaks follow the date of the nights, not the order in which they were entered."""
    club = build_club()
    nights = [build_night(club) for _ in range(3)]
    days = [date(2026, 11, 10), date(2016, 1, 12), date(2021, 5, 4)]
    for night, day in zip(nights, days, strict=True):
        Event.objects.filter(pk=night.pk).update(held_on=day)
    played = list(dict.fromkeys(meeting.held_on for meeting in list_meetings(club.pk)))
    assert played == sorted(days)


@pytest.mark.long
def test_player_is_ranked_from_ten_matches() -> None:
    club = build_club()
    for _ in range(10):
        build_night(club)
    found = list_records(club)
    assert {row.matches for row in found} == {10}
    assert min(row.rank or 0 for row in found) == 1
    assert [record.rank for record in select_ranked_people(club)] == sorted(row.rank or 0 for row in found)


@pytest.mark.long
def test_records_count_only_marked_hands() -> None:
    club = build_club()
    event = build_running_night(4, club=club)
    first, second = matches_of(event)
    play(first, "B 6 8", "A gros_charlemagne made")
    play(second, "totals 32 12")
    close_round(event_id=event.pk, number=1)
    end_event(event_id=event.pk)
    found = [person_record_from_json(row.record) for row in list_records(club)]
    assert sorted(record.marked for record in found) == [0] * 4 + [1] * 4
    assert sum(record.contracts.get("6", ContractCount()).bid for record in found) == 2
    assert sum(record.contracts.get("6", ContractCount()).over for record in found) == 4
    assert sum(record.contracts.get("gros_charlemagne", ContractCount()).made for record in found) == 2


class TestDirectorResult:
    """A director's ruling at table 1 of a night, given before the night ends."""

    @pytest.mark.long
    def test_forfeit_is_not_counted_as_a_match(self) -> None:
        club = build_club()
        event = build_played_night(4, club=club)
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
        end_event(event_id=event.pk)
        assert len(list_records(club)) == 4

    @pytest.mark.long
    def test_adjusted_score_replaces_the_played_cards(self) -> None:
        club = build_club()
        event = build_played_night(4, club=club)
        adjust_table(event_id=event.pk, number=1, table=1, games=(0, 1), points=(20, 32))
        end_event(event_id=event.pk)
        given = next(meeting for meeting in list_meetings(club.pk) if meeting.points == (20, 32))
        assert (given.winner, given.games) == (Side.B, (0, 1))
        let_cards_count(event_id=event.pk, number=1, table=1)
        assert {meeting.winner for meeting in list_meetings(club.pk)} == {Side.A}

    def test_adjusted_score_without_play_is_not_counted(self) -> None:
        club = build_club()
        event = build_running_night(4, club=club)
        win(matches_of(event)[1])
        adjust_table(event_id=event.pk, number=1, table=1, games=(0, 1), points=(20, 32))
        close_round(event_id=event.pk, number=1)
        end_event(event_id=event.pk)
        assert len(list_meetings(club.pk)) == 1


@pytest.mark.long
def test_repeated_computation_gives_the_same_ratings() -> None:
    club = build_club()
    build_night(club)
    before = [(row.person_id, row.rating, row.record) for row in list_records(club)]
    assert [(row.person_id, row.rating, row.record) for row in list_records(club)] == before
    assert ClubRecord.objects.get(club=club).everything["matches"] == 2


def test_refresh_recounts_only_changed_matches() -> None:
    club = build_club()
    night = build_night(club)
    list_records(club)
    assert list_uncounted_matches(club.pk) == []
    first = matches_of(night)[0]
    correct_first_hand(first)
    assert list_uncounted_matches(club.pk) == [first.pk]
    list_records(club)
    assert ["B", None, "7", 1, 1, 0, 0] in Tally.objects.get(match=first).bids


@pytest.mark.long
def test_resumed_event_removes_its_records() -> None:
    club = build_club()
    night = build_night(club)
    assert list_records(club)
    resume_event(event_id=night.pk)
    assert list_records(club) == []


@pytest.mark.parametrize("step", [1, 2])
def test_outdated_computation_stops_for_a_newer_one(step: int) -> None:
    """Interrupt once while hands are counted, and once after all matches are read."""
    club = build_club()
    build_night(club)
    steps: list[int] = []

    def change_match(done: int, of: int) -> None:
        steps.append(done)
        if len(steps) == step:
            Match.objects.update(summary={**Match.objects.first().summary, "points": [99, 0]})  # type: ignore[union-attr]
            refresh_ratings(club_id=club.pk)

    refresh_ratings(club_id=club.pk, progress=change_match)
    club_record = club_record_from_json(ClubRecord.objects.get(club=club).everything or {})
    assert club_record.highest is not None
    assert club_record.highest.number == 99
    computed = {record.computed_at for record in PersonRecord.objects.filter(club=club)}
    assert computed == {ClubRecord.objects.get(club=club).begun_at}


@pytest.mark.long
def test_progress_reaches_the_total() -> None:
    club = build_club()
    build_night(club)
    progress_steps: list[tuple[int, int]] = []
    refresh_ratings(club_id=club.pk, progress=lambda done, of: progress_steps.append((done, of)))
    assert progress_steps == [(0, 10), (2, 10)]


class TestRefreshTriggers:
    @pytest.mark.long
    def test_ending_or_resuming_an_event_refreshes_ratings(self) -> None:
        club = build_club()
        event = build_played_night(4, club=club)
        pop_refresh_job(club)
        end_event(event_id=event.pk)
        assert pop_refresh_job(club)
        resume_event(event_id=event.pk)
        assert pop_refresh_job(club)
        resume_event(event_id=event.pk)
        assert not pop_refresh_job(club)

    @pytest.mark.long
    def test_changed_result_of_an_ended_event_refreshes_ratings(self) -> None:
        club = build_club()
        ended, going_on = build_night(club), build_running_night(4, club=club, match_format=TWO_GAMES)
        pop_refresh_job(club)
        win(matches_of(going_on)[0])
        assert not pop_refresh_job(club)
        correct_first_hand(matches_of(ended)[0])
        assert pop_refresh_job(club)
        forfeit_table(event_id=ended.pk, number=1, table=1, winner=Side.B)
        assert pop_refresh_job(club)

    def test_turning_ratings_on_refreshes_them(self) -> None:
        club = turn_ratings(club_id=build_club().pk, on=False)
        pop_refresh_job(club)
        turn_ratings(club_id=club.pk, on=False)
        assert not pop_refresh_job(club)
        turn_ratings(club_id=club.pk, on=True)
        assert pop_refresh_job(club)


@pytest.mark.long
def test_club_without_ratings_keeps_its_records() -> None:
    club = build_club()
    build_night(club)
    by = Actor(key=uuid4())
    turn_ratings(club_id=club.pk, on=False, by=by)
    turn_ratings(club_id=club.pk, on=False, by=by)
    found = list_records(club)
    assert len(found) == 8
    assert {(row.rating, row.rank) for row in found} == {(None, None)}
    assert [action.kind for action in club.actions.all()] == ["turn_ratings_off"]
    undo_club_action(club_id=club.pk, action_id=club.actions.get().pk)
    assert {row.rating for row in list_records(club)} == {1559, 1441}


@pytest.mark.long
def test_excluded_player_has_no_rating_but_counts_for_others() -> None:
    club = build_club()
    build_night(club)
    before = {row.person_id: row.rating for row in list_records(club)}
    left_out = club.people.earliest("pk")
    club.people.filter(pk=left_out.pk).update(is_rated=False)
    after = {row.person_id: (row.rating, row.history) for row in list_records(club)}
    assert after.pop(left_out.pk) == (None, [])
    del before[left_out.pk]
    assert {person: rating for person, (rating, _) in after.items()} == before
