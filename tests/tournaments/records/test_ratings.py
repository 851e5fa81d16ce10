"""Ratings and records of a club: what counts, when they are worked out, and who is left out."""

from __future__ import annotations

from datetime import date
from uuid import uuid4

import pytest

from clubs.audit.log import Actor
from clubs.models import Club
from clubs.services import undo_club_action
from engine.records import ContractCount, club_record_from_json, person_record_from_json
from jobs.models import Job
from rules import Side
from scoring.models import Match
from tests.builders import (
    TWO_GAMES,
    a_club,
    a_played_night,
    a_running_night,
    an_account,
    mark,
    matches_of,
    play,
    win,
)
from tournaments.events.services.lifecycle import end_event, resume_event
from tournaments.models import ClubRecord, Event, PersonRecord, Tally
from tournaments.records.queries import matches_to_count, meetings_of, ranked_people
from tournaments.records.services import refresh_ratings, turn_ratings
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table, let_cards_count

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("rows are written over where they are there"),
    pytest.mark.slow,
]


def a_night(club: Club, pairs: int = 4) -> Event:
    """Two tables play a round, at which the sides A win 32 to 6; the night is over."""
    event = a_played_night(pairs, club=club)
    return end_event(event_id=event.pk)


def rows(club: Club) -> list[PersonRecord]:
    """The records, worked out at once as the worker does, the strongest first."""
    refresh_ratings(club_id=club.pk)
    return list(PersonRecord.objects.filter(club=club).order_by("-rating", "pk"))


def corrected(match: Match) -> None:
    """The director writes that the first hand was another one."""
    mark(match, "B 7 made", replacing=match.marks.earliest("pk"), director=an_account())


def is_asked(club: Club) -> bool:
    """Whether the worker is to look at the ratings again; afterwards, it has."""
    return bool(Job.objects.filter(kind="refresh_ratings", key=str(club.pk)).delete()[0])


def test_ended_events_of_the_club_count() -> None:
    club = a_club()
    night = a_night(club)
    a_night(a_club("Another club"))
    a_played_night(4, club=club)  # and goes on
    found = rows(club)
    assert len(found) == 8
    assert [row.rating for row in found] == [1559] * 4 + [1441] * 4
    assert {row.history[0][0] for row in found} == {night.pk}
    assert {row.rank for row in found} == {None}


def test_a_night_that_is_brought_in_later_counts_where_it_was_played() -> None:
    """Ratings and series go from night to night: the oldest comes first, whenever it is typed."""
    club = a_club()
    nights = [a_night(club) for _ in range(3)]
    days = [date(2026, 11, 10), date(2016, 1, 12), date(2021, 5, 4)]
    for night, day in zip(nights, days, strict=True):
        Event.objects.filter(pk=night.pk).update(held_on=day)
    played = list(dict.fromkeys(meeting.held_on for meeting in meetings_of(club.pk)))
    assert played == sorted(days)


def test_somebody_has_a_rank_from_ten_matches_on() -> None:
    club = a_club()
    for _ in range(10):
        a_night(club)
    found = rows(club)
    assert {row.matches for row in found} == {10}
    assert min(row.rank or 0 for row in found) == 1
    assert [record.rank for record in ranked_people(club)] == sorted(row.rank or 0 for row in found)


def test_hands_are_counted_as_far_as_they_were_marked() -> None:
    club = a_club()
    event = a_running_night(4, club=club)
    first, second = matches_of(event)
    play(first, "B 6 8", "A gros_charlemagne made")
    play(second, "totals 32 12")
    close_round(event_id=event.pk, number=1)
    end_event(event_id=event.pk)
    found = [person_record_from_json(row.record) for row in rows(club)]
    assert sorted(record.marked for record in found) == [0] * 4 + [1] * 4
    assert sum(record.contracts.get("6", ContractCount()).bid for record in found) == 2
    assert sum(record.contracts.get("6", ContractCount()).over for record in found) == 4
    assert sum(record.contracts.get("gros_charlemagne", ContractCount()).made for record in found) == 2


class TestAResultOfTheDirector:
    """At table 1 of a night that goes on."""

    def test_is_no_match_if_it_is_a_forfeit(self) -> None:
        club = a_club()
        event = a_played_night(4, club=club)
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.A)
        end_event(event_id=event.pk)
        assert len(rows(club)) == 4

    def test_counts_instead_of_the_cards_where_cards_were_played(self) -> None:
        club = a_club()
        event = a_played_night(4, club=club)
        adjust_table(event_id=event.pk, number=1, table=1, games=(0, 1), points=(20, 32))
        end_event(event_id=event.pk)
        given = next(meeting for meeting in meetings_of(club.pk) if meeting.points == (20, 32))
        assert (given.winner, given.games) == (Side.B, (0, 1))
        let_cards_count(event_id=event.pk, number=1, table=1)
        assert {meeting.winner for meeting in meetings_of(club.pk)} == {Side.A}

    def test_is_no_match_where_nothing_was_played(self) -> None:
        club = a_club()
        event = a_running_night(4, club=club)
        win(matches_of(event)[1])
        adjust_table(event_id=event.pk, number=1, table=1, games=(0, 1), points=(20, 32))
        close_round(event_id=event.pk, number=1)
        end_event(event_id=event.pk)
        assert len(meetings_of(club.pk)) == 1


def test_it_is_the_same_however_often_it_is_worked_out() -> None:
    club = a_club()
    a_night(club)
    before = [(row.person_id, row.rating, row.record) for row in rows(club)]
    assert [(row.person_id, row.rating, row.record) for row in rows(club)] == before
    assert ClubRecord.objects.get(club=club).everything["matches"] == 2


def test_hands_are_counted_again_only_where_a_match_changed() -> None:
    club = a_club()
    night = a_night(club)
    rows(club)
    assert matches_to_count(club.pk) == []
    first = matches_of(night)[0]
    corrected(first)
    assert matches_to_count(club.pk) == [first.pk]
    rows(club)
    assert ["B", None, "7", 1, 1, 0, 0] in Tally.objects.get(match=first).bids


def test_nobody_keeps_a_record_of_what_was_taken_back() -> None:
    club = a_club()
    night = a_night(club)
    assert rows(club)
    resume_event(event_id=night.pk)
    assert rows(club) == []


@pytest.mark.parametrize("step", [1, 2])
def test_work_that_began_earlier_stops_where_later_work_has_begun(step: int) -> None:
    """While it counts hands, and when it has read all matches and begins to write."""
    club = a_club()
    a_night(club)
    steps: list[int] = []

    def meanwhile(done: int, of: int) -> None:
        steps.append(done)
        if len(steps) == step:
            Match.objects.update(summary={**Match.objects.first().summary, "points": [99, 0]})  # type: ignore[union-attr]
            refresh_ratings(club_id=club.pk)

    refresh_ratings(club_id=club.pk, progress=meanwhile)
    kept = club_record_from_json(ClubRecord.objects.get(club=club).everything or {})
    assert kept.highest is not None
    assert kept.highest.number == 99
    computed = {record.computed_at for record in PersonRecord.objects.filter(club=club)}
    assert computed == {ClubRecord.objects.get(club=club).begun_at}


def test_progress_goes_up_to_everything() -> None:
    club = a_club()
    a_night(club)
    told: list[tuple[int, int]] = []
    refresh_ratings(club_id=club.pk, progress=lambda done, of: told.append((done, of)))
    assert told == [(0, 10), (2, 10)]


class TestTheWorkerIsAsked:
    def test_when_an_event_ends_and_when_it_goes_on(self) -> None:
        club = a_club()
        event = a_played_night(4, club=club)
        is_asked(club)
        end_event(event_id=event.pk)
        assert is_asked(club)
        resume_event(event_id=event.pk)
        assert is_asked(club)
        resume_event(event_id=event.pk)
        assert not is_asked(club)

    def test_when_a_result_of_an_ended_event_changes_but_of_no_other(self) -> None:
        club = a_club()
        ended, going_on = a_night(club), a_running_night(4, club=club, match_format=TWO_GAMES)
        is_asked(club)
        win(matches_of(going_on)[0])
        assert not is_asked(club)
        corrected(matches_of(ended)[0])
        assert is_asked(club)
        forfeit_table(event_id=ended.pk, number=1, table=1, winner=Side.B)
        assert is_asked(club)

    def test_when_the_club_turns_ratings_on(self) -> None:
        club = turn_ratings(club_id=a_club().pk, on=False)
        is_asked(club)
        turn_ratings(club_id=club.pk, on=False)
        assert not is_asked(club)
        turn_ratings(club_id=club.pk, on=True)
        assert is_asked(club)


def test_a_club_that_turned_ratings_off_has_records_and_no_rating() -> None:
    club = a_club()
    a_night(club)
    by = Actor(key=uuid4())
    turn_ratings(club_id=club.pk, on=False, by=by)
    turn_ratings(club_id=club.pk, on=False, by=by)
    found = rows(club)
    assert len(found) == 8
    assert {(row.rating, row.rank) for row in found} == {(None, None)}
    assert [action.kind for action in club.actions.all()] == ["turn_ratings_off"]
    undo_club_action(club_id=club.pk, action_id=club.actions.get().pk)
    assert {row.rating for row in rows(club)} == {1559, 1441}


def test_who_is_left_out_has_no_rating_and_counts_for_the_others_all_the_same() -> None:
    club = a_club()
    a_night(club)
    before = {row.person_id: row.rating for row in rows(club)}
    left_out = club.people.earliest("pk")
    club.people.filter(pk=left_out.pk).update(is_rated=False)
    after = {row.person_id: (row.rating, row.history) for row in rows(club)}
    assert after.pop(left_out.pk) == (None, [])
    del before[left_out.pk]
    assert {person: rating for person, (rating, _) in after.items()} == before
