"""Dates and hours in words, in the reader's language."""

import re
from collections.abc import Callable
from datetime import date, datetime, time

from django.utils.formats import date_format, time_format
from django.utils.translation import get_language, gettext, pgettext

from .calendar import LAST_OF_MONTH, HeldNight, week_of_month
from .models import Pattern, RecurringNight

Days = tuple[date, date]
"""The first and the last day, which may be the same."""

FIRST_BEFORE_A_MONTH = re.compile(r"(?<!\d)1(?= [a-zéû])")
MINUTES_OF_A_WHOLE_HOUR = re.compile(r"(?<=\d\u00a0h)\u00a000\b")


def as_it_is_said(written: str) -> str:
    """Correct French dates and hours: ``1er janvier`` instead of 1 janvier, ``19 h`` instead of 19 h 00."""
    if (get_language() or "").startswith("fr"):
        return MINUTES_OF_A_WHOLE_HOUR.sub("", FIRST_BEFORE_A_MONTH.sub("1er", written))
    return written


def day_written(day: date, form: str = "DATE_FORMAT") -> str:
    """Format a date with its year: ``January 1, 2027``, ``1er janvier 2027``. The filter
    ``date`` uses it, too."""
    return as_it_is_said(date_format(day, form))


def day_in_words(day: date) -> str:
    """Format a date with its weekday: ``Tuesday, January 5``, ``mardi 5 janvier``."""
    return gettext("%(weekday)s, %(day)s") % {
        "weekday": date_format(day, "l"),
        "day": day_written(day, "MONTH_DAY_FORMAT"),
    }


def day_and_year_in_words(day: date) -> str:
    """Format a date with weekday and year: ``Tuesday, January 5, 2027``, ``mardi 5 janvier 2027``."""
    return gettext("%(weekday)s, %(day)s") % {"weekday": date_format(day, "l"), "day": day_written(day)}


def days_in_words(days: Days) -> str:
    """Format several days: ``Saturday, December 5 to Sunday, December 6``; one day like ``day_in_words``."""
    return _from_first_to_last(days, day_in_words, day_in_words)


def days_and_year_in_words(days: Days) -> str:
    """Format several days with the year: ``Saturday, December 5 to Sunday, December 6, 2026``; one day like
    ``day_and_year_in_words``."""
    return _from_first_to_last(days, day_and_year_in_words, day_in_words)


def days_written(days: Days) -> str:
    """Format several days: ``December 5 to 6, 2026``, ``November 30 to December 1, 2026``; one day like
    ``day_written``."""
    first, last = days
    if first == last or (first.year, first.month) != (last.year, last.month):
        return _from_first_to_last(days, day_written, lambda day: day_written(day, "MONTH_DAY_FORMAT"))
    said = pgettext("days of one month", "%(month)s %(first)s to %(last)s, %(year)s")
    month = {"month": date_format(last, "F"), "year": last.year}
    return as_it_is_said(said % {"first": first.day, "last": last.day, **month})


def _from_first_to_last(days: Days, say: Callable[[date], str], shorter: Callable[[date], str]) -> str:
    """Join the first and the last day; the first is ``shorter`` if the year is the same."""
    first, last = days
    if first == last:
        return say(first)
    begin = shorter if first.year == last.year else say
    return pgettext("days", "%(first)s to %(last)s") % {"first": begin(first), "last": say(last)}


def hour_in_words(hour: time | datetime) -> str:
    """Format an hour: ``7:00 PM``, ``19 h``, ``19 h 30``. The filter ``time`` uses it, too."""
    return as_it_is_said(time_format(hour, "TIME_FORMAT"))


def pattern_in_words(night: RecurringNight) -> str:
    """Describe how often a night recurs: ``Every Tuesday``, ``The first Tuesday of the month``."""
    weekday = {"weekday": date_format(night.first_on, "l")}
    if night.pattern == Pattern.WEEKLY:
        return gettext("Every %(weekday)s") % weekday
    if night.pattern == Pattern.FORTNIGHTLY:
        return gettext("Every other %(weekday)s") % weekday
    of_the_month = {
        1: gettext("The first %(weekday)s of the month"),
        2: gettext("The second %(weekday)s of the month"),
        3: gettext("The third %(weekday)s of the month"),
        4: gettext("The fourth %(weekday)s of the month"),
        LAST_OF_MONTH: gettext("The last %(weekday)s of the month"),
    }
    return of_the_month[week_of_month(night.first_on)] % weekday


def describe_calling_off(reason: str) -> str:
    """Say that an event is cancelled, and why: ``Event cancelled (storm)``."""
    return _with_reason(gettext("Event cancelled"), reason)


def describe_change_of_day(held: HeldNight) -> str:
    """Describe a changed date: ``Postponed from Tuesday, January 5 (storm)``, ``Cancelled (storm)``."""
    if held.is_cancelled:
        said = gettext("Cancelled")
    else:
        said = gettext("Postponed from %(day)s") % {"day": day_in_words(held.planned_on)}
    return _with_reason(said, held.reason)


def _with_reason(said: str, reason: str) -> str:
    return f"{said} ({reason})" if reason else said
