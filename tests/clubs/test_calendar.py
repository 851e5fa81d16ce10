"""Club calendar: recurrence patterns, cancelled and postponed dates, changes of a recurring night."""

from datetime import UTC, date, time, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.audit.log import Actor
from clubs.calendar import (
    NightOccurrence,
    build_calendar_lines,
    list_occurrences,
    list_pattern_dates,
    list_recurring_nights,
)
from clubs.models import ChangedDate, Club, Pattern, RecurringNight
from clubs.services.calendar import (
    NightDetails,
    add_recurring_night,
    cancel_date,
    change_recurring_night,
    move_date,
    remove_recurring_night,
    restore_date,
)
from clubs.services.night_templates import remove_night_template, save_night_template
from clubs.services.undo import undo_club_action
from tests.builders import build_club, get_refusal_code

TUESDAY = date(2027, 1, 5)
WEEK = timedelta(weeks=1)
SEVEN = time(19)
DAYS = st.dates(date(2020, 1, 1), date(2035, 12, 31))


def build_details(**other: Any) -> NightDetails:
    values: dict[str, Any] = {
        "name": "Cartes du mardi",
        "pattern": "weekly",
        "first_on": TUESDAY,
        "starts_at": SEVEN,
        "place": "Salle paroissiale",
    }
    return NightDetails(**values | other)


def add_night(club: Club, **other: Any) -> RecurringNight:
    added = add_recurring_night(club_id=club.pk, details=build_details(**other))
    assert added is not None
    return added


def list_held_nights(club: Club, first: date = TUESDAY, weeks: int = 4) -> list[NightOccurrence]:
    return list_occurrences(list_recurring_nights(club), first, first + weeks * WEEK - timedelta(days=1))


def list_days(club: Club, **window: Any) -> list[str]:
    """Return the dates as text: ``01-05``, ``01-12 off`` if cancelled, ``01-19>01-21`` if moved."""
    days = []
    for each in list_held_nights(club, **window):
        moved = f">{each.held_on:%m-%d}" if each.held_on and each.is_moved else ""
        days.append(f"{each.planned_on:%m-%d}{moved}{' off' if each.is_cancelled else ''}")
    return days


def undo_last(club: Club) -> None:
    last = club.actions.first()
    assert last is not None
    undo_club_action(club_id=club.pk, action_id=last.pk)


class TestRecurrencePattern:
    def build_night(self, pattern: str, first_on: date, last_on: date | None = None) -> RecurringNight:
        return RecurringNight(pattern=pattern, first_on=first_on, last_on=last_on, starts_at=SEVEN)

    @given(first_on=DAYS, pattern=st.sampled_from(Pattern.values), looked=st.integers(0, 800))
    def test_pattern_falls_on_one_weekday_from_its_first_day(self, first_on: date, pattern: str, looked: int) -> None:
        start = first_on + timedelta(days=looked - 400)
        found = list_pattern_dates(self.build_night(pattern, first_on), start, start + timedelta(days=120))
        assert {day.weekday() for day in found} <= {first_on.weekday()}
        assert all(day >= first_on for day in found)
        assert found == sorted(set(found))

    @given(first_on=DAYS, pattern=st.sampled_from(Pattern.values))
    def test_pattern_with_equal_first_and_last_day_has_one_date(self, first_on: date, pattern: str) -> None:
        night = self.build_night(pattern, first_on, first_on)
        assert list_pattern_dates(night, first_on - WEEK, first_on + 100 * WEEK) == [first_on]

    @given(first_on=DAYS)
    def test_fortnightly_pattern_skips_every_other_week(self, first_on: date) -> None:
        found = list_pattern_dates(self.build_night("fortnightly", first_on), first_on, first_on + 9 * WEEK)
        assert found == [first_on + 2 * number * WEEK for number in range(5)]

    @pytest.mark.parametrize(
        ("first_on", "next_ones"),
        [
            (date(2027, 1, 5), ["2027-02-02", "2027-03-02"]),  # first Tuesday
            (date(2027, 1, 26), ["2027-02-23", "2027-03-23"]),  # fourth
            (date(2027, 3, 30), ["2027-04-27", "2027-05-25"]),  # fifth, so the last
        ],
    )
    def test_monthly_pattern_keeps_its_week_of_the_month(self, first_on: date, next_ones: list[str]) -> None:
        found = list_pattern_dates(self.build_night("monthly", first_on), first_on, first_on + 10 * WEEK)
        assert [day.isoformat() for day in found[1:3]] == next_ones


@pytest.mark.django_db
class TestNightDates:
    def test_cancelled_date_can_be_reinstated(self) -> None:
        club = build_club()
        night = add_night(club)
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY + WEEK, reason="congé")
        assert list_days(club) == ["01-05", "01-12 off", "01-19", "01-26"]
        restore_date(club_id=club.pk, night_id=night.pk, on=TUESDAY + WEEK)
        assert list_days(club) == ["01-05", "01-12", "01-19", "01-26"]

    def test_postponed_date_appears_on_both_days(self) -> None:
        club = build_club()
        night = add_night(club)
        thursday = TUESDAY + timedelta(days=2)
        move_date(club_id=club.pk, night_id=night.pk, on=TUESDAY, moved_to=thursday, reason="tempête")
        assert list_days(club) == ["01-05>01-07", "01-12", "01-19", "01-26"]
        lines = build_calendar_lines(list_held_nights(club), TUESDAY)
        assert [(line.day.day, line.is_put_off) for line in lines[:3]] == [(5, True), (7, False), (12, False)]

    def test_postponed_date_appears_in_windows_of_either_day(self) -> None:
        club = build_club()
        night = add_night(club)
        move_date(club_id=club.pk, night_id=night.pk, on=TUESDAY, moved_to=date(2027, 1, 20))
        assert list_days(club, weeks=1) == ["01-05>01-20"]
        assert list_days(club, first=date(2027, 1, 20), weeks=1) == ["01-05>01-20", "01-26"]

    def test_date_moves_only_to_a_free_or_cancelled_day(self) -> None:
        club = build_club()
        night = add_night(club)
        move = {"club_id": club.pk, "night_id": night.pk, "on": TUESDAY}
        assert get_refusal_code(move_date, **move, moved_to=TUESDAY) == "night_on_that_day"
        assert get_refusal_code(move_date, **move, moved_to=TUESDAY + WEEK) == "night_on_that_day"
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY + WEEK)
        move_date(club_id=club.pk, night_id=night.pk, on=TUESDAY, moved_to=TUESDAY + WEEK)
        assert list_days(club, weeks=2) == ["01-05>01-12", "01-12 off"]

    def test_date_outside_the_pattern_is_refused(self) -> None:
        club = build_club()
        night = add_night(club)
        wrong = TUESDAY + timedelta(days=1)
        assert get_refusal_code(cancel_date, club_id=club.pk, night_id=night.pk, on=wrong) == "no_such_date"
        other = {"club_id": build_club().pk, "night_id": night.pk, "on": TUESDAY}
        assert get_refusal_code(cancel_date, **other) == "no_such_recurring_night"

    def test_undo_restores_a_cancelled_date(self) -> None:
        club = build_club()
        night = add_night(club)
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY)
        undo_last(club)
        assert list_days(club, weeks=1) == ["01-05"]
        undo_last(club)
        assert list_days(club, weeks=1) == ["01-05 off"]

    def test_resubmitted_cancellation_is_applied_once(self) -> None:
        club = build_club()
        night, by = add_night(club), Actor(key=uuid4())
        for _ in range(2):
            cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY, by=by)
        assert ChangedDate.objects.count() == 1
        assert club.actions.count() == 2


@pytest.mark.django_db
class TestRecurringNight:
    def test_undo_restores_a_removed_night_with_its_changed_dates(self) -> None:
        club, by = build_club(), Actor(key=uuid4())
        night, again = (add_recurring_night(club_id=club.pk, details=build_details(), by=by) for _ in range(2))
        assert night is not None
        assert night == again
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY)
        change_recurring_night(
            club_id=club.pk, night_id=night.pk, details=build_details(name="Mardi", ends_at=time(22, 30))
        )
        remove_recurring_night(club_id=club.pk, night_id=night.pk)
        assert list_held_nights(club) == []
        undo_last(club)
        assert list_days(club, weeks=2) == ["01-05 off", "01-12"]
        assert RecurringNight.objects.get().ends_at == time(22, 30)

    def test_another_club_cannot_change_the_night(self) -> None:
        other, club = build_club(), build_club()
        night = add_night(club)
        change_recurring_night(club_id=club.pk, night_id=night.pk, details=build_details(name="Jeudi"))
        assert RecurringNight.objects.get().name == "Jeudi"
        refused = get_refusal_code(
            change_recurring_night, club_id=other.pk, night_id=night.pk, details=build_details(name="Lundi")
        )
        assert refused == "no_such_recurring_night"

    def test_addition_of_a_changed_night_cannot_be_undone(self) -> None:
        club = build_club()
        night = add_night(club)
        added = club.actions.get()
        cancel_date(club_id=club.pk, night_id=night.pk, on=TUESDAY)
        assert get_refusal_code(undo_club_action, club_id=club.pk, action_id=added.pk) == "changed_since"
        assert ChangedDate.objects.exists()

    def test_template_used_by_a_night_cannot_be_removed(self) -> None:
        club = build_club()
        usual = save_night_template(club_id=club.pk, name="Mardi", settings={})
        add_night(club, usual=usual.pk)
        assert get_refusal_code(remove_night_template, club_id=club.pk, usual_id=usual.pk) == "usual_night_on_calendar"
        action = club.actions.get(kind="keep_usual_night")
        assert get_refusal_code(undo_club_action, club_id=club.pk, action_id=action.pk) == "changed_since"

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
    def test_invalid_night_details_are_refused(self, other: dict[str, Any], code: str) -> None:
        club = build_club()
        assert get_refusal_code(add_recurring_night, club_id=club.pk, details=build_details(**other)) == code
        assert not RecurringNight.objects.exists()

    def test_night_keeps_its_local_hour_across_daylight_saving(self) -> None:
        club = build_club()
        add_night(club, first_on=date(2027, 3, 9), ends_at=time(0, 30))
        winter, summer = list_held_nights(club, first=date(2027, 3, 9), weeks=2)
        assert [each.starts.astimezone(UTC).hour for each in (winter, summer)] == [0, 23]
        assert winter.starts.tzinfo == ZoneInfo(club.time_zone)
        for each in (winter, summer):
            assert each.ends is not None
            assert each.ends - each.starts == timedelta(hours=5, minutes=30)
