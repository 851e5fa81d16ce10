"""The clock of a round: optional countdown, pause, added time, and the last hand."""

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
from tests.builders import build_running_night, get_refusal, get_refusal_code, play_round, start_next_round
from tests.saved_states import saved_state
from tournaments.history.services.undo import undo_action
from tournaments.models import Event, Round
from tournaments.rounds.clock import build_clock
from tournaments.rounds.services.clock import (
    add_minutes,
    adjust_clock,
    begin_round,
    call_last_hand,
    pause_clock,
    resume_clock,
    take_back_last_hand,
)
from tournaments.rounds.services.rounds import close_round, hold_round

pytestmark = pytest.mark.django_db

Act = Callable[..., Round]


@saved_state
def build_timed_round(minutes: int | None = 45, **settings: object) -> Event:
    event = build_running_night(pairs=4, **settings)
    begin_round(event_id=event.pk, number=1, minutes=minutes)
    return event


def get_clock(event: Event) -> Clock:
    found = build_clock(event.rounds.latest("number"), event.terms.match_format)
    assert found is not None
    return found


def get_total_minutes(event: Event) -> float:
    ends_at = get_clock(event).ends_at
    assert ends_at is not None
    return (ends_at - get_clock(event).started_at) / timedelta(minutes=1)


def advance_clock(event: Event, minutes: int) -> None:
    """Make all recorded times of the rounds so many minutes older."""
    earlier = timedelta(minutes=minutes)
    event.rounds.update(started_at=F("started_at") - earlier, paused_at=F("paused_at") - earlier)


class TestCountdown:
    @pytest.mark.long
    def test_countdown_of_game_matches_uses_the_given_minutes(self) -> None:
        assert get_total_minutes(build_timed_round(45)) == 45

    def test_round_without_minutes_has_no_countdown(self) -> None:
        assert not get_clock(build_timed_round(None)).is_countdown

    @pytest.mark.long
    def test_countdown_of_timed_matches_uses_their_length(self) -> None:
        assert get_total_minutes(build_timed_round(45, match_format=MatchFormat(minutes=20))) == 20

    @pytest.mark.parametrize(("minutes", "code"), [(0, "number_too_small"), (601, "number_too_large")])
    def test_countdown_of_invalid_length_is_refused(self, minutes: int, code: str) -> None:
        event = build_running_night(pairs=4)
        refusal = get_refusal(begin_round, event_id=event.pk, number=1, minutes=minutes)
        assert (refusal.code, refusal.field) == (code, "minutes")
        assert event.rounds.get().state == "published"

    def test_restarted_round_resets_its_countdown(self) -> None:
        event = build_timed_round(45)
        add_minutes(event_id=event.pk, number=1)
        call_last_hand(event_id=event.pk, number=1)
        hold_round(event_id=event.pk, number=1)
        begin_round(event_id=event.pk, number=1, minutes=30)
        assert get_total_minutes(event) == 30
        assert not get_clock(event).is_last_hand


@pytest.mark.postgresql("arithmetic with times")
class TestPause:
    def test_pause_extends_the_round_by_its_duration(self) -> None:
        event = build_timed_round(45)
        advance_clock(event, 15)
        pause_clock(event_id=event.pk, number=1)
        left = get_clock(event).left
        assert left is not None
        assert timedelta(minutes=29) < left <= timedelta(minutes=30)
        advance_clock(event, 10)
        assert get_clock(event).left == left
        resume_clock(event_id=event.pk, number=1)
        assert get_clock(event).left is None
        assert get_total_minutes(event) == pytest.approx(55, abs=1)

    def test_repeated_pause_or_resume_is_applied_once(self) -> None:
        event = build_timed_round(45)
        for _ in range(2):
            pause_clock(event_id=event.pk, number=1)
        advance_clock(event, 10)
        for _ in range(2):
            resume_clock(event_id=event.pk, number=1)
        assert get_total_minutes(event) == pytest.approx(55, abs=1)
        kinds = list(event.actions.filter(kind__endswith="_clock").values_list("kind", flat=True))
        assert sorted(kinds) == ["pause_clock", "resume_clock"]


class TestAddedMinutes:
    @pytest.mark.slow
    def test_added_minutes_accumulate_and_are_undone_separately(self) -> None:
        event = build_timed_round(45)
        by = Actor(key=uuid4())
        for _ in range(2):
            add_minutes(event_id=event.pk, number=1, by=by)
        assert get_total_minutes(event) == 50
        add_minutes(event_id=event.pk, number=1)
        assert get_total_minutes(event) == 55
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert get_total_minutes(event) == 50

    @pytest.mark.long
    def test_minutes_can_be_added_to_timed_matches(self) -> None:
        event = build_timed_round(None, match_format=MatchFormat(minutes=20))
        add_minutes(event_id=event.pk, number=1)
        assert get_total_minutes(event) == 25

    def test_added_minutes_have_a_limit(self) -> None:
        event = build_timed_round(45)
        event.rounds.update(added_minutes=600)
        assert get_refusal_code(add_minutes, event_id=event.pk, number=1) == "number_too_large"


class TestLastHand:
    @pytest.mark.long
    def test_last_hand_can_be_called_and_withdrawn(self) -> None:
        for minutes in (45, None):
            event = build_timed_round(minutes)
            call_last_hand(event_id=event.pk, number=1)
            assert get_clock(event).is_last_hand
            take_back_last_hand(event_id=event.pk, number=1)
            assert not get_clock(event).is_last_hand

    def test_last_hand_call_does_not_stop_scoring(self) -> None:
        event = build_timed_round(45)
        call_last_hand(event_id=event.pk, number=1)
        play_round(event)
        assert event.rounds.get().state == "closed"


@pytest.mark.parametrize("act", [pause_clock, resume_clock, add_minutes], ids=["stop", "go on", "more minutes"])
def test_clock_without_countdown_cannot_be_paused_or_extended(act: Act) -> None:
    event = build_timed_round(None)
    assert get_refusal_code(act, event_id=event.pk, number=1) == "step_not_allowed"


class TestClockAdjustment:
    """The computer's clock is set forward or back; the recorded times of the round follow it."""

    @pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(hours=-1), timedelta(days=3 * 365)])
    def test_adjustment_keeps_the_remaining_time(self, ahead: timedelta) -> None:
        event = build_timed_round(45)
        advance_clock(event, 10)
        before = get_clock(event)
        adjust_clock(event_id=event.pk, number=1, offset=ahead)
        after, now = get_clock(event), timezone.now()
        assert after.compute_remaining(now + ahead) == before.compute_remaining(now)
        assert after.started_at - before.started_at == ahead

    def test_adjustment_keeps_the_time_left_on_a_paused_clock(self) -> None:
        event = build_timed_round(45)
        advance_clock(event, 10)
        pause_clock(event_id=event.pk, number=1)
        left = get_clock(event).left
        adjust_clock(event_id=event.pk, number=1, offset=timedelta(hours=1))
        assert get_clock(event).left == left

    def test_adjustment_is_recorded_in_the_history(self) -> None:
        event = build_timed_round(45)
        adjust_clock(event_id=event.pk, number=1, offset=timedelta(hours=1))
        assert event.actions.latest("pk").kind == "follow_clock"


@pytest.mark.parametrize("act", [pause_clock, resume_clock, add_minutes, call_last_hand, take_back_last_hand])
def test_unstarted_round_has_no_clock_to_change(act: Act) -> None:
    event = build_running_night(pairs=4)
    assert get_refusal_code(act, event_id=event.pk, number=1) == "step_not_allowed"


class TestTablePhones:
    def list_card_clocks(self, event: Event) -> set[Clock | None]:
        return {card.clock for card in TableCard.objects.filter(topic=event.topic)}

    def test_table_phones_follow_the_round_clock(self) -> None:
        event = build_timed_round(45)
        assert self.list_card_clocks(event) == {get_clock(event)}
        for act in (add_minutes, pause_clock, resume_clock, call_last_hand):
            act(event_id=event.pk, number=1)
            (there,) = self.list_card_clocks(event)
            assert there is not None
            assert (there.is_last_hand, there.left is None) == (
                get_clock(event).is_last_hand,
                get_clock(event).left is None,
            )

    @pytest.mark.long
    def test_table_phones_show_no_clock_between_rounds(self) -> None:
        event = build_timed_round(45)
        play_round(event)
        assert self.list_card_clocks(event) == {None}
        start_next_round(event)
        assert self.list_card_clocks(event) == {None}
        assert get_refusal_code(close_round, event_id=event.pk, number=2) == "tables_missing"
