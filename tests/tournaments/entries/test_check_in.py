"""Presence: check-in, and rounds that an entry misses."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Family, Person
from engine.ranking import RankingRules
from errors import Refusal
from tests.builders import (
    a_club,
    a_played_night,
    a_running_night,
    an_event,
    code_of,
    next_round,
    play_round,
    refusal_of,
)
from tournaments.entries.presenters.entries import check_in_view, entry_view
from tournaments.entries.services.check_in import (
    change_attendance,
    leave_out_absent,
    mark_family_present,
    mark_present,
)
from tournaments.entries.services.entry_actions import return_entry, withdraw_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_ranking, change_stages
from tournaments.history.services.undo import undo_action
from tournaments.models import Action, Event
from tournaments.rounds.services.rounds import draw_round

from .test_entry_actions import entry, seated

pytestmark = pytest.mark.django_db


@pytest.mark.postgresql("who is here is counted by conditions")
class TestCheckIn:
    def test_notes_who_is_there_and_takes_it_back(self) -> None:
        event = an_event()
        assert mark_present(event_id=event.pk, number=2, is_present=True).present_at is not None
        assert mark_present(event_id=event.pk, number=2, is_present=False).present_at is None

    def test_by_a_double_tap_is_one(self) -> None:
        event = an_event()
        first = mark_present(event_id=event.pk, number=2, is_present=True)
        again = mark_present(event_id=event.pk, number=2, is_present=True)
        assert first.present_at == again.present_at
        assert Action.objects.filter(kind="mark_present").count() == 1

    def test_of_a_family_is_one_tap_for_all_of_them(self) -> None:
        event = an_event(pairs=5)
        family = Family.objects.create(club=event.club, name="Roy")
        for number in (1, 2, 4):
            Person.objects.filter(pk=entry(event, number).player_1_id).update(family=family)
        assert [str(one) for one in check_in_view(event).families] == ["Roy"]
        mark_present(event_id=event.pk, number=4, is_present=True)
        for _ in range(2):
            assert mark_family_present(event_id=event.pk, family_id=family.pk) == [1, 2, 4]
        view = check_in_view(event)
        assert (view.present, view.families) == (3, ())
        assert event.actions.latest("pk").details == {"family": "Roy", "entries": [1, 2]}
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        assert check_in_view(event).present == 1

    def test_of_a_family_of_another_club_is_refused(self) -> None:
        family = Family.objects.create(club=a_club(), name="Roy")
        assert code_of(mark_family_present, event_id=an_event().pk, family_id=family.pk) == "no_such_family"

    def test_of_nobody_is_refused(self) -> None:
        assert code_of(mark_present, event_id=an_event().pk, number=9, is_present=True) == "no_such_entry_now"

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_leaves_those_who_are_not_there_out_of_the_draws_until_they_come(self) -> None:
        event = an_event(pairs=6)
        for number in (1, 2, 4, 5):
            mark_present(event_id=event.pk, number=number, is_present=True)
        assert leave_out_absent(event_id=event.pk) == [3, 6]
        start_event(event_id=event.pk)
        next_round(event)
        assert seated(event, 1) == {1, 2, 4, 5}
        play_round(event)
        next_round(event)
        assert seated(event, 2) == {1, 2, 4, 5}
        mark_present(event_id=event.pk, number=3, is_present=True)
        play_round(event, 2)
        next_round(event)
        assert seated(event, 3) == {1, 2, 3, 4, 5}
        assert entry(event, 6).is_awaited

    def test_brings_somebody_in_whom_the_draft_does_not_know_yet(self) -> None:
        event = an_event(pairs=3)
        for number in (1, 2):
            mark_present(event_id=event.pk, number=number, is_present=True)
        leave_out_absent(event_id=event.pk)
        start_event(event_id=event.pk)
        draw_round(event_id=event.pk, seed=1)
        mark_present(event_id=event.pk, number=3, is_present=True)
        assert entry(event, 3).arrives == 1
        assert entry_view(event, entry(event, 3)).is_draft_old

    def test_is_not_asked_of_who_went_home_before_coming_and_returns(self) -> None:
        event = an_event(pairs=3)
        for number in (1, 2):
            mark_present(event_id=event.pk, number=number, is_present=True)
        leave_out_absent(event_id=event.pk)
        start_event(event_id=event.pk)
        next_round(event)
        withdraw_entry(event_id=event.pk, number=3)
        assert return_entry(event_id=event.pk, number=3).arrives == 2

    def test_says_who_sits_out_next_of_all_who_play_once_a_round_is_drawn(self) -> None:
        event = an_event(pairs=5)
        mark_present(event_id=event.pk, number=1, is_present=True)
        assert check_in_view(event).left_over.sit_out == 1, "if the others are left out"
        start_event(event_id=event.pk)
        next_round(event)
        assert check_in_view(event).left_over.sit_out == 1
        withdraw_entry(event_id=event.pk, number=5)
        assert check_in_view(event).left_over.sit_out == 0

    def test_says_nothing_of_who_sits_out_where_some_go_on_to_another_stage(self) -> None:
        finals = {"format": "knockout", "takes": "top", "count": 4}
        event = start_event(event_id=an_event(5, stages=[{"format": "swiss", "rounds": 1}, finals]).pk)
        next_round(event)
        assert check_in_view(event).left_over.sit_out == 0

    @pytest.mark.slow
    def test_leaves_out_many_in_as_many_queries_as_one(self) -> None:
        counted = []
        for pairs in (3, 30):
            event = an_event(pairs=pairs)
            for number in (1, 2):
                mark_present(event_id=event.pk, number=number, is_present=True)
            with CaptureQueriesContext(connection) as made:
                leave_out_absent(event_id=event.pk)
            counted.append(len(made))
        assert counted[0] == counted[1]

    def test_of_somebody_who_comes_in_after_all_lets_them_play_when_the_absent_are_left_out_again(
        self,
    ) -> None:
        event = an_event(pairs=4)
        for number in (1, 2):
            mark_present(event_id=event.pk, number=number, is_present=True)
        leave_out_absent(event_id=event.pk)
        mark_present(event_id=event.pk, number=3, is_present=True)
        assert leave_out_absent(event_id=event.pk) == [4]
        assert leave_out_absent(event_id=event.pk) == [4]
        assert [one.is_awaited for one in event.entries.all()] == [False, False, False, True]
        assert Action.objects.filter(kind="leave_out_absent").count() == 1

    def test_of_one_alone_makes_no_round(self) -> None:
        event = an_event()
        mark_present(event_id=event.pk, number=1, is_present=True)
        refusal = refusal_of(leave_out_absent, event_id=event.pk)
        assert (refusal.code, refusal.details["present"]) == ("too_few_present", 1)

    def test_leaves_nobody_out_of_a_round_that_everybody_sees(self) -> None:
        event = a_running_night()
        assert code_of(leave_out_absent, event_id=event.pk) == "round_is_published"


class TestARound:
    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_is_played_without_who_is_absent_and_with_who_sits_out_by_own_wish(self) -> None:
        event = a_running_night(pairs=6)
        change_attendance(event_id=event.pk, number=1, round_number=2, attendance="absent")
        change_attendance(event_id=event.pk, number=2, round_number=2, attendance="bye")
        play_round(event)
        drawn = next_round(event)
        assert seated(event, 2) == {2, 3, 4, 5, 6}
        assert drawn.seatings.get(table=None).entry.number == 2

    def test_is_absent_or_sat_out_or_played_whichever_was_said_last(self) -> None:
        event = a_running_night()
        for attendance, kept in (("absent", ([2], [])), ("bye", ([], [2])), ("plays", ([], []))):
            for _ in range(2):
                changed = change_attendance(
                    event_id=event.pk, number=1, round_number=2, attendance=attendance
                )
            assert (changed.absent, changed.byes_asked) == kept
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
    def test_that_is_published_or_is_none_is_refused(
        self, round_number: int, attendance: str, code: str
    ) -> None:
        event = a_running_night()
        said = {"round_number": round_number, "attendance": attendance}
        assert code_of(change_attendance, event_id=event.pk, number=1, **said) == code

    @pytest.mark.slow
    def test_whose_draft_does_not_fit_any_more_is_told_on_the_page_of_the_entry(self) -> None:
        event = a_played_night()
        draw_round(event_id=event.pk)
        assert not entry_view(event, entry(event)).is_draft_old
        change_attendance(event_id=event.pk, number=1, round_number=2, attendance="absent")
        assert entry_view(event, entry(event)).is_draft_old
        draw_round(event_id=event.pk)
        assert not entry_view(event, entry(event)).is_draft_old


class TestAByeThatIsAskedFor:
    def asked(self, event: Event, round_number: int) -> str | None:
        """Return what it is refused with, if it is."""
        try:
            change_attendance(event_id=event.pk, number=1, round_number=round_number, attendance="bye")
        except Refusal as refusal:
            return refusal.code
        return None

    def ruled(self, **rules: Any) -> Event:
        event = an_event(pairs=5, draw_format="swiss")
        change_stages(event_id=event.pk, stages=[{"format": "swiss", "rounds": 5}])
        change_ranking(event_id=event.pk, rules=RankingRules(**rules))
        return event

    @pytest.mark.slow
    def test_is_given_as_often_as_the_event_says_and_no_more(self) -> None:
        event = self.ruled(most_byes_asked=2)
        assert [self.asked(event, number) for number in (1, 3, 3, 4)] == [None, None, None, "too_many_byes"]
        change_attendance(event_id=event.pk, number=1, round_number=3, attendance="plays")
        assert self.asked(event, 4) is None

    def test_is_not_given_in_the_last_rounds(self) -> None:
        event = self.ruled(last_without_bye=2)
        assert [self.asked(event, number) for number in (3, 4, 5)] == [None, *["too_late_for_bye"] * 2]

    @pytest.mark.slow
    def test_is_given_in_any_round_of_an_event_that_says_nothing(self) -> None:
        event = self.ruled()
        assert [self.asked(event, number) for number in (1, 2, 3, 4, 5)] == [None] * 5

    def test_is_no_matter_of_who_is_absent(self) -> None:
        event = self.ruled(most_byes_asked=0, last_without_bye=5)
        changed = change_attendance(event_id=event.pk, number=1, round_number=5, attendance="absent")
        assert changed.absent == [5]
