"""The clock of a round: counted down if the director wants, stopped, given more time; and the last hand."""

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db.models import F
from django.utils import timezone

from clubs.audit.log import Actor
from rules import MatchFormat
from scoring.clock import Clock
from scoring.models import TableCard
from tests.builders import a_running_night, code_of, next_round, play_round, refusal_of
from tests.saved_states import saved_state
from tournaments.history.services.undo import undo_action
from tournaments.models import Event, Round
from tournaments.rounds.clock import clock_of
from tournaments.rounds.services.clock import (
    add_minutes,
    begin_round,
    call_last_hand,
    follow_clock,
    pause_clock,
    resume_clock,
    take_back_last_hand,
)
from tournaments.rounds.services.rounds import close_round, hold_round

pytestmark = pytest.mark.django_db

Act = Callable[..., Round]


@saved_state
def a_counted_round(minutes: int | None = 45, **settings: object) -> Event:
    event = a_running_night(pairs=4, **settings)
    begin_round(event_id=event.pk, number=1, minutes=minutes)
    return event


def clock(event: Event) -> Clock:
    found = clock_of(event.rounds.latest("number"), event.terms.match_format)
    assert found is not None
    return found


def minutes_in_all(event: Event) -> float:
    ends_at = clock(event).ends_at
    assert ends_at is not None
    return (ends_at - clock(event).started_at) / timedelta(minutes=1)


def some_time_passes(event: Event, minutes: int) -> None:
    """Everything that was noted is so much longer ago."""
    earlier = timedelta(minutes=minutes)
    event.rounds.update(started_at=F("started_at") - earlier, paused_at=F("paused_at") - earlier)


class TestACountdown:
    def test_of_matches_by_games_is_as_long_as_the_director_says(self) -> None:
        assert minutes_in_all(a_counted_round(45)) == 45

    def test_there_is_none_where_the_director_wants_none(self) -> None:
        assert not clock(a_counted_round(None)).counts_down

    @pytest.mark.slow
    def test_of_matches_by_time_is_as_long_as_they_are(self) -> None:
        assert minutes_in_all(a_counted_round(45, match_format=MatchFormat(minutes=20))) == 20

    @pytest.mark.parametrize(("minutes", "code"), [(0, "number_too_small"), (601, "number_too_large")])
    def test_is_of_a_length_that_an_evening_has(self, minutes: int, code: str) -> None:
        event = a_running_night(pairs=4)
        refusal = refusal_of(begin_round, event_id=event.pk, number=1, minutes=minutes)
        assert (refusal.code, refusal.field) == (code, "minutes")
        assert event.rounds.get().state == "published"

    def test_begins_anew_after_it_was_taken_back(self) -> None:
        event = a_counted_round(45)
        add_minutes(event_id=event.pk, number=1)
        call_last_hand(event_id=event.pk, number=1)
        hold_round(event_id=event.pk, number=1)
        begin_round(event_id=event.pk, number=1, minutes=30)
        assert minutes_in_all(event) == 30
        assert not clock(event).is_last_hand


@pytest.mark.postgresql("moments are reckoned with")
class TestAStop:
    def test_lets_nothing_run_off_and_the_round_ends_as_much_later(self) -> None:
        event = a_counted_round(45)
        some_time_passes(event, 15)
        pause_clock(event_id=event.pk, number=1)
        left = clock(event).left
        assert left is not None
        assert timedelta(minutes=29) < left <= timedelta(minutes=30)
        some_time_passes(event, 10)
        assert clock(event).left == left
        resume_clock(event_id=event.pk, number=1)
        assert clock(event).left is None
        assert minutes_in_all(event) == pytest.approx(55, abs=1)

    def test_twice_is_one_and_so_is_going_on(self) -> None:
        event = a_counted_round(45)
        for _ in range(2):
            pause_clock(event_id=event.pk, number=1)
        some_time_passes(event, 10)
        for _ in range(2):
            resume_clock(event_id=event.pk, number=1)
        assert minutes_in_all(event) == pytest.approx(55, abs=1)
        kinds = list(event.actions.filter(kind__endswith="_clock").values_list("kind", flat=True))
        assert sorted(kinds) == ["pause_clock", "resume_clock"]


class TestFiveMinutesMore:
    def test_are_added_as_often_as_they_are_asked_for_and_undone_one_by_one(self) -> None:
        event = a_counted_round(45)
        by = Actor(key=uuid4())
        for _ in range(2):
            add_minutes(event_id=event.pk, number=1, by=by)
        assert minutes_in_all(event) == 50
        add_minutes(event_id=event.pk, number=1)
        assert minutes_in_all(event) == 55
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert minutes_in_all(event) == 50

    def test_are_added_to_matches_by_time_as_well(self) -> None:
        event = a_counted_round(None, match_format=MatchFormat(minutes=20))
        add_minutes(event_id=event.pk, number=1)
        assert minutes_in_all(event) == 25

    def test_come_to_an_end(self) -> None:
        event = a_counted_round(45)
        event.rounds.update(added_minutes=600)
        assert code_of(add_minutes, event_id=event.pk, number=1) == "number_too_large"


class TestTheLastHand:
    @pytest.mark.slow
    def test_is_called_with_or_without_a_countdown_and_taken_back(self) -> None:
        for minutes in (45, None):
            event = a_counted_round(minutes)
            call_last_hand(event_id=event.pk, number=1)
            assert clock(event).is_last_hand
            take_back_last_hand(event_id=event.pk, number=1)
            assert not clock(event).is_last_hand

    def test_stops_no_table_from_writing(self) -> None:
        event = a_counted_round(45)
        call_last_hand(event_id=event.pk, number=1)
        play_round(event)
        assert event.rounds.get().state == "closed"


@pytest.mark.parametrize(
    "act", [pause_clock, resume_clock, add_minutes], ids=["stop", "go on", "more minutes"]
)
def test_what_is_not_counted_down_is_neither_stopped_nor_lengthened(act: Act) -> None:
    event = a_counted_round(None)
    assert code_of(act, event_id=event.pk, number=1) == "step_not_allowed"


class TestTheComputersClockIsSet:
    """Ahead, or back: all that is noted of the round was by the clock of before."""

    @pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(hours=-1), timedelta(days=3 * 365)])
    def test_and_as_much_is_left_of_the_round_as_before(self, ahead: timedelta) -> None:
        event = a_counted_round(45)
        some_time_passes(event, 10)
        before = clock(event)
        follow_clock(event_id=event.pk, number=1, ahead=ahead)
        after, now = clock(event), timezone.now()
        assert after.left_at(now + ahead) == before.left_at(now)
        assert after.started_at - before.started_at == ahead

    def test_and_a_clock_that_stands_has_as_much_left_and_goes_on_with_that(self) -> None:
        event = a_counted_round(45)
        some_time_passes(event, 10)
        pause_clock(event_id=event.pk, number=1)
        left = clock(event).left
        follow_clock(event_id=event.pk, number=1, ahead=timedelta(hours=1))
        assert clock(event).left == left

    def test_and_the_history_says_so(self) -> None:
        event = a_counted_round(45)
        follow_clock(event_id=event.pk, number=1, ahead=timedelta(hours=1))
        assert event.actions.latest("pk").kind == "follow_clock"


@pytest.mark.parametrize("act", [pause_clock, resume_clock, add_minutes, call_last_hand, take_back_last_hand])
def test_a_round_that_is_not_played_has_no_clock_to_change(act: Act) -> None:
    event = a_running_night(pairs=4)
    assert code_of(act, event_id=event.pk, number=1) == "step_not_allowed"


class TestThePhonesAtTheTables:
    def shown(self, event: Event) -> set[Clock | None]:
        return {card.clock for card in TableCard.objects.filter(topic=event.topic)}

    def test_have_the_clock_of_the_round_whatever_is_done_to_it(self) -> None:
        event = a_counted_round(45)
        assert self.shown(event) == {clock(event)}
        for act in (add_minutes, pause_clock, resume_clock, call_last_hand):
            act(event_id=event.pk, number=1)
            (there,) = self.shown(event)
            assert there is not None
            assert (there.is_last_hand, there.left is None) == (
                clock(event).is_last_hand,
                clock(event).left is None,
            )

    @pytest.mark.slow
    def test_have_none_once_the_round_is_closed_and_none_of_the_next_before_it_begins(self) -> None:
        event = a_counted_round(45)
        play_round(event)
        assert self.shown(event) == {None}
        next_round(event)
        assert self.shown(event) == {None}
        assert code_of(close_round, event_id=event.pk, number=2) == "tables_missing"
