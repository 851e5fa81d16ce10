"""The calendar of a club: on which days a pattern falls, what a storm does to them, and the feed of it."""

from datetime import UTC, date, time, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.audit.log import Actor
from clubs.calendar import HeldNight, calendar_lines, dates_of, nights_between, recurring_nights_of
from clubs.models import ChangedDate, Club, Pattern, RecurringNight
from clubs.services import (
    NightDetails,
    add_recurring_night,
    cancel_date,
    change_recurring_night,
    keep_usual_night,
    move_date,
    remove_recurring_night,
    remove_usual_night,
    restore_date,
    undo_club_action,
)
from tests.builders import a_club, code_of

TUESDAY = date(2027, 1, 5)
WEEK = timedelta(weeks=1)
SEVEN = time(19)
DAYS = st.dates(date(2020, 1, 1), date(2035, 12, 31))


def details(**other: Any) -> NightDetails:
    values: dict[str, Any] = {
        "name": "Cartes du mardi",
        "pattern": "weekly",
        "first_on": TUESDAY,
        "starts_at": SEVEN,
        "place": "Salle paroissiale",
    }
    return NightDetails(**values | other)


def a_night(club: Club, **other: Any) -> RecurringNight:
    added = add_recurring_night(club_id=club.pk, details=details(**other))
    assert added is not None
    return added


def held(club: Club, first: date = TUESDAY, weeks: int = 4) -> list[HeldNight]:
    return nights_between(recurring_nights_of(club), first, first + weeks * WEEK - timedelta(days=1))


def days(club: Club, **window: Any) -> list[str]:
    """``01-05``, ``01-12 off``, ``01-19>01-21``."""
    told = []
    for each in held(club, **window):
        moved = f">{each.held_on:%m-%d}" if each.held_on and each.is_moved else ""
        told.append(f"{each.planned_on:%m-%d}{moved}{' off' if each.is_cancelled else ''}")
    return told


def undo_last(club: Club) -> None:
    last = club.actions.first()
    assert last is not None
    undo_club_action(club_id=club.pk, action_id=last.pk)


class TestAPattern:
    def night(self, pattern: str, first_on: date, last_on: date | None = None) -> RecurringNight:
        return RecurringNight(pattern=pattern, first_on=first_on, last_on=last_on, starts_at=SEVEN)

    @given(first_on=DAYS, pattern=st.sampled_from(Pattern.values), looked=st.integers(0, 800))
    def test_falls_on_one_weekday_from_its_first_day_on(
        self, first_on: date, pattern: str, looked: int
    ) -> None:
        start = first_on + timedelta(days=looked - 400)
        found = dates_of(self.night(pattern, first_on), start, start + timedelta(days=120))
        assert {day.weekday() for day in found} <= {first_on.weekday()}
        assert all(day >= first_on for day in found)
        assert found == sorted(set(found))

    @given(first_on=DAYS, pattern=st.sampled_from(Pattern.values))
    def test_holds_its_first_day_and_ends_with_its_last(self, first_on: date, pattern: str) -> None:
        night = self.night(pattern, first_on, first_on)
        assert dates_of(night, first_on - WEEK, first_on + 100 * WEEK) == [first_on]

    @given(first_on=DAYS)
    def test_every_two_weeks_leaves_out_every_other_one(self, first_on: date) -> None:
        found = dates_of(self.night("fortnightly", first_on), first_on, first_on + 9 * WEEK)
        assert found == [first_on + 2 * number * WEEK for number in range(5)]

    @pytest.mark.parametrize(
        ("first_on", "next_ones"),
        [
            (date(2027, 1, 5), ["2027-02-02", "2027-03-02"]),  # first Tuesday
            (date(2027, 1, 26), ["2027-02-23", "2027-03-23"]),  # fourth
            (date(2027, 3, 30), ["2027-04-27", "2027-05-25"]),  # fifth, so the last
        ],
    )
    def test_once_a_month_keeps_to_its_week(self, first_on: date, next_ones: list[str]) -> None:
        found = dates_of(self.night("monthly", first_on), first_on, first_on + 10 * WEEK)
        assert [day.isoformat() for day in found[1:3]] == next_ones


@pytest.mark.django_db
class TestADay:
    def test_is_cancelled_and_held_after_all(self) -> None:
        club = a_club()
        night = a_night(club)
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY + WEEK, reason="congé")
        assert days(club) == ["01-05", "01-12 off", "01-19", "01-26"]
        restore_date(club_id=club.pk, night_id=night.pk, on=TUESDAY + WEEK)
        assert days(club) == ["01-05", "01-12", "01-19", "01-26"]

    def test_is_put_off_for_a_storm_and_stands_at_both_days(self) -> None:
        club = a_club()
        night = a_night(club)
        thursday = TUESDAY + timedelta(days=2)
        move_date(club_id=club.pk, night_id=night.pk, on=TUESDAY, moved_to=thursday, reason="tempête")
        assert days(club) == ["01-05>01-07", "01-12", "01-19", "01-26"]
        lines = calendar_lines(held(club), TUESDAY)
        assert [(line.day.day, line.is_put_off) for line in lines[:3]] == [(5, True), (7, False), (12, False)]

    def test_put_off_beyond_the_window_is_found_from_either_end(self) -> None:
        club = a_club()
        night = a_night(club)
        move_date(club_id=club.pk, night_id=night.pk, on=TUESDAY, moved_to=date(2027, 1, 20))
        assert days(club, weeks=1) == ["01-05>01-20"]
        assert days(club, first=date(2027, 1, 20), weeks=1) == ["01-05>01-20", "01-26"]

    def test_goes_to_no_day_of_its_own_night_but_to_a_cancelled_one(self) -> None:
        club = a_club()
        night = a_night(club)
        move = {"club_id": club.pk, "night_id": night.pk, "on": TUESDAY}
        assert code_of(move_date, **move, moved_to=TUESDAY) == "night_on_that_day"
        assert code_of(move_date, **move, moved_to=TUESDAY + WEEK) == "night_on_that_day"
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY + WEEK)
        move_date(club_id=club.pk, night_id=night.pk, on=TUESDAY, moved_to=TUESDAY + WEEK)
        assert days(club, weeks=2) == ["01-05>01-12", "01-12 off"]

    def test_that_is_none_of_the_night_is_refused(self) -> None:
        club = a_club()
        night = a_night(club)
        wrong = TUESDAY + timedelta(days=1)
        assert code_of(cancel_date, club_id=club.pk, night_id=night.pk, on=wrong) == "no_such_date"
        other = {"club_id": a_club().pk, "night_id": night.pk, "on": TUESDAY}
        assert code_of(cancel_date, **other) == "no_such_recurring_night"

    def test_is_undone_from_its_line_of_the_history(self) -> None:
        club = a_club()
        night = a_night(club)
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY)
        undo_last(club)
        assert days(club, weeks=1) == ["01-05"]
        undo_last(club)
        assert days(club, weeks=1) == ["01-05 off"]

    def test_sent_twice_is_changed_once(self) -> None:
        club = a_club()
        night, by = a_night(club), Actor(key=uuid4())
        for _ in range(2):
            cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY, by=by)
        assert ChangedDate.objects.count() == 1
        assert club.actions.count() == 2


@pytest.mark.django_db
class TestANightOfTheCalendar:
    def test_is_added_once_changed_removed_and_put_back_with_its_changed_dates(self) -> None:
        club, by = a_club(), Actor(key=uuid4())
        night, again = (add_recurring_night(club_id=club.pk, details=details(), by=by) for _ in range(2))
        assert night is not None
        assert night == again
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY)
        change_recurring_night(
            club_id=club.pk, night_id=night.pk, details=details(name="Mardi", ends_at=time(22, 30))
        )
        remove_recurring_night(club_id=club.pk, night_id=night.pk)
        assert held(club) == []
        undo_last(club)
        assert days(club, weeks=2) == ["01-05 off", "01-12"]
        assert RecurringNight.objects.get().ends_at == time(22, 30)

    def test_is_changed_by_its_own_club_alone(self) -> None:
        other, club = a_club(), a_club()
        night = a_night(club)
        change_recurring_night(club_id=club.pk, night_id=night.pk, details=details(name="Jeudi"))
        assert RecurringNight.objects.get().name == "Jeudi"
        refused = code_of(
            change_recurring_night, club_id=other.pk, night_id=night.pk, details=details(name="Lundi")
        )
        assert refused == "no_such_recurring_night"

    def test_that_was_changed_since_is_not_taken_back(self) -> None:
        club = a_club()
        night = a_night(club)
        added = club.actions.get()
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY)
        assert code_of(undo_club_action, club_id=club.pk, action_id=added.pk) == "changed_since"
        assert ChangedDate.objects.exists()

    def test_keeps_how_it_is_played(self) -> None:
        club = a_club()
        usual = keep_usual_night(club_id=club.pk, name="Mardi", settings={})
        a_night(club, usual=usual.pk)
        assert code_of(remove_usual_night, club_id=club.pk, usual_id=usual.pk) == "usual_night_on_calendar"
        kept = club.actions.get(kind="keep_usual_night")
        assert code_of(undo_club_action, club_id=club.pk, action_id=kept.pk) == "changed_since"

    @pytest.mark.parametrize(
        ("other", "code"),
        [
            ({"name": " "}, "name_required"),
            ({"pattern": "daily"}, "no_such_choice"),
            ({"last_on": TUESDAY - WEEK}, "last_before_first"),
            ({"first_on": date(1, 1, 1)}, "day_out_of_range"),
            ({"first_on": date(1899, 12, 31)}, "day_out_of_range"),
            ({"last_on": date(2200, 1, 1)}, "day_out_of_range"),
            ({"last_on": date(9999, 12, 31)}, "day_out_of_range"),
            ({"place": "x" * 121}, "text_too_long"),
            ({"usual": 4_000_000_000}, "no_such_usual_night"),
        ],
    )
    def test_that_cannot_be_is_refused(self, other: dict[str, Any], code: str) -> None:
        club = a_club()
        assert code_of(add_recurring_night, club_id=club.pk, details=details(**other)) == code
        assert not RecurringNight.objects.exists()

    def test_begins_at_its_hour_in_summer_and_winter_and_ends_after_midnight(self) -> None:
        club = a_club()
        a_night(club, first_on=date(2027, 3, 9), ends_at=time(0, 30))
        winter, summer = held(club, first=date(2027, 3, 9), weeks=2)
        assert [each.starts.astimezone(UTC).hour for each in (winter, summer)] == [0, 23]
        assert winter.starts.tzinfo == ZoneInfo(club.time_zone)
        for each in (winter, summer):
            assert each.ends is not None
            assert each.ends - each.starts == timedelta(hours=5, minutes=30)
