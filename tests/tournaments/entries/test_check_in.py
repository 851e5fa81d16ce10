"""Check-in of entries, and rounds that an entry misses."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Family, Person
from engine.ranking import RankingRules
from errors import Refusal
from tests.builders import (
    build_club,
    build_event,
    build_played_night,
    build_running_night,
    get_refusal,
    get_refusal_code,
    play_round,
    start_next_round,
)
from tournaments.entries.presenters.entries import build_check_in_view, build_entry_view
from tournaments.entries.services.check_in import change_attendance, leave_out_absent, mark_family_present, mark_present
from tournaments.entries.services.entry_actions import return_entry, withdraw_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_ranking, change_stages
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Event
from tournaments.rounds.services.rounds import draw_round

from .test_entry_actions import get_entry, list_placed_numbers

pytestmark = pytest.mark.django_db


@pytest.mark.postgresql("conditional counts")
class TestCheckIn:
    def test_check_in_can_be_reverted(self) -> None:
        event = build_event()
        assert mark_present(event_id=event.pk, number=2, is_present=True).present_at is not None
        assert mark_present(event_id=event.pk, number=2, is_present=False).present_at is None

    def test_double_tap_checks_an_entry_in_once(self) -> None:
        event = build_event()
        first = mark_present(event_id=event.pk, number=2, is_present=True)
        again = mark_present(event_id=event.pk, number=2, is_present=True)
        assert first.present_at == again.present_at
        assert Action.objects.filter(kind="mark_present").count() == 1

    @pytest.mark.slow
    def test_family_checks_in_with_one_tap(self) -> None:
        event = build_event(pairs=5)
        family = Family.objects.create(club=event.club, name="Roy")
        for number in (1, 2, 4):
            Person.objects.filter(pk=get_entry(event, number).player_1_id).update(family=family)
        assert [str(one) for one in build_check_in_view(event).families] == ["Roy"]
        mark_present(event_id=event.pk, number=4, is_present=True)
        for _ in range(2):
            assert mark_family_present(event_id=event.pk, family_id=family.pk) == [1, 2, 4]
        view = build_check_in_view(event)
        assert (view.present, view.families) == (3, ())
        assert event.actions.latest("pk").details == {"family": "Roy", "entries": [1, 2]}
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert build_check_in_view(event).present == 1

    def test_family_of_another_club_cannot_check_in(self) -> None:
        family = Family.objects.create(club=build_club(), name="Roy")
        assert get_refusal_code(mark_family_present, event_id=build_event().pk, family_id=family.pk) == "no_such_family"

    def test_unknown_entry_cannot_check_in(self) -> None:
        assert (
            get_refusal_code(mark_present, event_id=build_event().pk, number=9, is_present=True) == "no_such_entry_now"
        )

    @pytest.mark.long
    def test_absent_entries_are_not_drawn_until_they_check_in(self) -> None:
        event = build_event(pairs=6)
        for number in (1, 2, 4, 5):
            mark_present(event_id=event.pk, number=number, is_present=True)
        assert leave_out_absent(event_id=event.pk) == [3, 6]
        start_event(event_id=event.pk)
        start_next_round(event)
        assert list_placed_numbers(event, 1) == {1, 2, 4, 5}
        play_round(event)
        start_next_round(event)
        assert list_placed_numbers(event, 2) == {1, 2, 4, 5}
        mark_present(event_id=event.pk, number=3, is_present=True)
        play_round(event, 2)
        start_next_round(event)
        assert list_placed_numbers(event, 3) == {1, 2, 3, 4, 5}
        assert get_entry(event, 6).is_awaited

    @pytest.mark.long
    def test_late_check_in_outdates_the_draft(self) -> None:
        event = build_event(pairs=3)
        for number in (1, 2):
            mark_present(event_id=event.pk, number=number, is_present=True)
        leave_out_absent(event_id=event.pk)
        start_event(event_id=event.pk)
        draw_round(event_id=event.pk, seed=1)
        mark_present(event_id=event.pk, number=3, is_present=True)
        assert get_entry(event, 3).arrives == 1
        assert build_entry_view(event, get_entry(event, 3))["is_draft_old"]

    @pytest.mark.long
    def test_returning_absent_entry_arrives_next_round_without_check_in(self) -> None:
        event = build_event(pairs=3)
        for number in (1, 2):
            mark_present(event_id=event.pk, number=number, is_present=True)
        leave_out_absent(event_id=event.pk)
        start_event(event_id=event.pk)
        start_next_round(event)
        withdraw_entry(event_id=event.pk, number=3)
        assert return_entry(event_id=event.pk, number=3).arrives == 2

    @pytest.mark.long
    def test_check_in_page_counts_byes_of_the_next_round(self) -> None:
        event = build_event(pairs=5)
        mark_present(event_id=event.pk, number=1, is_present=True)
        assert build_check_in_view(event).left_over.byes == 1, "if the others are left out"
        start_event(event_id=event.pk)
        start_next_round(event)
        assert build_check_in_view(event).left_over.byes == 1
        withdraw_entry(event_id=event.pk, number=5)
        assert build_check_in_view(event).left_over.byes == 0

    @pytest.mark.slow
    def test_check_in_page_counts_no_byes_before_another_stage(self) -> None:
        finals = {"format": "knockout", "takes": "top", "count": 4}
        event = start_event(event_id=build_event(5, stages=[{"format": "swiss", "rounds": 1}, finals]).pk)
        start_next_round(event)
        assert build_check_in_view(event).left_over.byes == 0

    @pytest.mark.long
    def test_leaving_out_absent_entries_has_constant_query_count(self) -> None:
        counted = []
        for pairs in (3, 30):
            event = build_event(pairs=pairs)
            for number in (1, 2):
                mark_present(event_id=event.pk, number=number, is_present=True)
            with CaptureQueriesContext(connection) as made:
                leave_out_absent(event_id=event.pk)
            counted.append(len(made))
        assert counted[0] == counted[1]

    @pytest.mark.slow
    def test_late_arrival_is_not_left_out_again(
        self,
    ) -> None:
        event = build_event(pairs=4)
        for number in (1, 2):
            mark_present(event_id=event.pk, number=number, is_present=True)
        leave_out_absent(event_id=event.pk)
        mark_present(event_id=event.pk, number=3, is_present=True)
        assert leave_out_absent(event_id=event.pk) == [4]
        assert leave_out_absent(event_id=event.pk) == [4]
        assert [one.is_awaited for one in event.entries.all()] == [False, False, False, True]
        assert Action.objects.filter(kind="leave_out_absent").count() == 1

    def test_one_present_entry_is_too_few_for_a_round(self) -> None:
        event = build_event()
        mark_present(event_id=event.pk, number=1, is_present=True)
        refusal = get_refusal(leave_out_absent, event_id=event.pk)
        assert (refusal.code, refusal.details["present"]) == ("too_few_present", 1)

    def test_published_round_refuses_to_leave_out_absent_entries(self) -> None:
        event = build_running_night()
        assert get_refusal_code(leave_out_absent, event_id=event.pk) == "round_is_published"


class TestRoundAttendance:
    @pytest.mark.long
    def test_absent_entry_is_skipped_and_requested_bye_sits_out(self) -> None:
        event = build_running_night(pairs=6)
        change_attendance(event_id=event.pk, number=1, round_number=2, attendance="absent")
        change_attendance(event_id=event.pk, number=2, round_number=2, attendance="bye")
        play_round(event)
        drawn = start_next_round(event)
        assert list_placed_numbers(event, 2) == {2, 3, 4, 5, 6}
        assert drawn.seatings.get(table=None).entry.number == 2

    def test_latest_attendance_choice_wins(self) -> None:
        event = build_running_night()
        for attendance, expected_rounds in (("absent", ([2], [])), ("bye", ([], [2])), ("plays", ([], []))):
            for _ in range(2):
                changed = change_attendance(event_id=event.pk, number=1, round_number=2, attendance=attendance)
            assert (changed.absent, changed.byes_asked) == expected_rounds
        assert Action.objects.filter(kind="change_attendance").count() == 3

    @pytest.mark.parametrize(
        ("round_number", "attendance", "code"),
        [
            (1, "absent", "round_is_published"),
            (0, "absent", "round_out_of_range"),
            (100, "absent", "round_out_of_range"),
            (2, "asleep", "no_such_choice"),
        ],
    )
    def test_attendance_of_an_invalid_round_is_refused(self, round_number: int, attendance: str, code: str) -> None:
        event = build_running_night()
        attendance_choice = {"round_number": round_number, "attendance": attendance}
        assert get_refusal_code(change_attendance, event_id=event.pk, number=1, **attendance_choice) == code

    @pytest.mark.long
    def test_entry_page_warns_about_an_outdated_draft(self) -> None:
        event = build_played_night()
        draw_round(event_id=event.pk)
        assert not build_entry_view(event, get_entry(event))["is_draft_old"]
        change_attendance(event_id=event.pk, number=1, round_number=2, attendance="absent")
        assert build_entry_view(event, get_entry(event))["is_draft_old"]
        draw_round(event_id=event.pk)
        assert not build_entry_view(event, get_entry(event))["is_draft_old"]


class TestRequestedByes:
    def request_bye(self, event: Event, round_number: int) -> str | None:
        """Request a bye for entry 1 and return the refusal's code, or None if it is accepted."""
        try:
            change_attendance(event_id=event.pk, number=1, round_number=round_number, attendance="bye")
        except Refusal as refusal:
            return refusal.code
        return None

    def build_event_with_rules(self, **rules: Any) -> Event:
        event = build_event(pairs=5, draw_format="swiss")
        change_stages(event_id=event.pk, stages=[{"format": "swiss", "rounds": 5}])
        change_ranking(event_id=event.pk, rules=RankingRules(**rules))
        return event

    @pytest.mark.slow
    def test_entry_gets_at_most_the_allowed_byes(self) -> None:
        event = self.build_event_with_rules(most_byes_asked=2)
        assert [self.request_bye(event, number) for number in (1, 3, 3, 4)] == [None, None, None, "too_many_byes"]
        change_attendance(event_id=event.pk, number=1, round_number=3, attendance="plays")
        assert self.request_bye(event, 4) is None

    @pytest.mark.slow
    def test_last_rounds_allow_no_requested_bye(self) -> None:
        event = self.build_event_with_rules(last_without_bye=2)
        assert [self.request_bye(event, number) for number in (3, 4, 5)] == [None, *["too_late_for_bye"] * 2]

    @pytest.mark.long
    def test_byes_are_unlimited_by_default(self) -> None:
        event = self.build_event_with_rules()
        assert [self.request_bye(event, number) for number in (1, 2, 3, 4, 5)] == [None] * 5

    def test_absence_ignores_the_bye_limits(self) -> None:
        event = self.build_event_with_rules(most_byes_asked=0, last_without_bye=5)
        changed = change_attendance(event_id=event.pk, number=1, round_number=5, attendance="absent")
        assert changed.absent == [5]
