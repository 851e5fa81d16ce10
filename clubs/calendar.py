"""The calendar of a club: the dates of its recurring nights, in the club's time zone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from dateutil.rrule import MONTHLY, WEEKLY, rrule, weekday
from django.utils import timezone

from .models import Club, Pattern, RecurringNight

LAST_WEEK_OF_MONTH = -1
FIRST_MONTH, LAST_MONTH = 9, 6
"""The season of clubs: September to June."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightOccurrence:
    """One date of a recurring night: the day planned and the day held, None if it is cancelled."""

    night: RecurringNight
    planned_on: date
    held_on: date | None
    reason: str = ""

    @property
    def is_cancelled(self) -> bool:
        return self.held_on is None

    @property
    def is_moved(self) -> bool:
        return self.held_on is not None and self.held_on != self.planned_on

    @property
    def is_changed(self) -> bool:
        return self.held_on != self.planned_on

    @property
    def day(self) -> date:
        """The day on which the calendar shows it."""
        return self.held_on or self.planned_on

    def is_for_event(self, *, night_id: int | None, name: str) -> bool:
        """Return whether an event belongs to this date: by the night, or else by its name."""
        return night_id == self.night.pk or name == self.night.name

    @property
    def starts(self) -> datetime:
        return self._combine(self.day, self.night.starts_at)

    @property
    def ends(self) -> datetime | None:
        ends_at = self.night.ends_at
        if ends_at is None:
            return None
        return self._combine(self.day + timedelta(days=int(ends_at <= self.night.starts_at)), ends_at)

    def _combine(self, day: date, hour: time) -> datetime:
        return datetime.combine(day, hour, tzinfo=ZoneInfo(self.night.club.time_zone))


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarLine:
    """One line of the calendar; ``is_put_off`` on the original day of a postponed night."""

    day: date
    held: NightOccurrence
    is_put_off: bool = False


def get_club_today(club: Club) -> date:
    """Return today's date in the club's time zone."""
    return timezone.localdate(timezone=ZoneInfo(club.time_zone))


def list_recurring_nights(club: Club) -> list[RecurringNight]:
    """Return the club's recurring nights with their changed dates. Two queries."""
    return list(club.recurring_nights.select_related("usual").prefetch_related("changed_dates"))


def list_pattern_dates(night: RecurringNight, first: date, last: date) -> list[date]:
    """Return the dates of the pattern from ``first`` to ``last``, changed or not."""
    until = last if night.last_on is None else min(last, night.last_on)
    rule = rrule(dtstart=_get_midnight(night.first_on), until=_get_midnight(until), **_build_rrule_options(night))
    return [found.date() for found in rule.between(_get_midnight(first), _get_midnight(last), inc=True)]


def list_occurrences(nights: Iterable[RecurringNight], first: date, last: date) -> list[NightOccurrence]:
    """Return the nights planned for or held on a day from ``first`` to ``last``, by day and hour."""
    occurrences = [each for night in nights for each in _build_occurrences(night, first, last)]
    return sorted(occurrences, key=lambda each: (each.day, each.night.starts_at, each.night.pk, each.planned_on))


def build_calendar_lines(occurrences: Iterable[NightOccurrence], first: date) -> Sequence[CalendarLine]:
    """Return the lines from ``first`` on; a postponed night appears on both days."""
    lines = [CalendarLine(day=each.day, held=each) for each in occurrences]
    moved = [line.held for line in lines if line.held.is_moved]
    lines += [CalendarLine(day=each.planned_on, held=each, is_put_off=True) for each in moved]
    shown = [line for line in lines if line.day >= first]
    return sorted(shown, key=lambda line: (line.day, line.held.night.starts_at, line.held.night.pk))


def get_week_of_month(day: date) -> int:
    """Return a day's week in the month, by its weekday: 1 to 4, or -1 (the last) for the fifth."""
    nth = (day.day - 1) // 7 + 1
    return nth if nth < 5 else LAST_WEEK_OF_MONTH


def _build_occurrences(night: RecurringNight, first: date, last: date) -> Iterable[NightOccurrence]:
    changes = {changed.on: changed for changed in night.changed_dates.all()}
    planned = {*list_pattern_dates(night, first, last)}
    planned |= {
        on
        for on, changed in changes.items()
        if changed.moved_to is not None and first <= changed.moved_to <= last and list_pattern_dates(night, on, on)
    }
    for day in planned:
        changed = changes.get(day)
        if changed is None:
            yield NightOccurrence(night=night, planned_on=day, held_on=day)
        else:
            yield NightOccurrence(night=night, planned_on=day, held_on=changed.moved_to, reason=changed.reason)


def _build_rrule_options(night: RecurringNight) -> dict[str, Any]:
    if night.pattern == Pattern.MONTHLY:
        nth = weekday(night.first_on.weekday(), get_week_of_month(night.first_on))
        return {"freq": MONTHLY, "byweekday": nth}
    return {"freq": WEEKLY, "interval": 2 if night.pattern == Pattern.FORTNIGHTLY else 1}


def _get_midnight(day: date) -> datetime:
    return datetime.combine(day, time())
