"""Days as people say them, in the reader's language."""

import re
from collections.abc import Callable
from datetime import date, datetime, time

from django.utils.formats import date_format, time_format
from django.utils.translation import get_language, gettext, pgettext

from .calendar import LAST_OF_MONTH, HeldNight, week_of_month
from .models import Pattern, RecurringNight

Days = tuple[date, date]
"""The first and the last, which may be the same."""

FIRST_BEFORE_A_MONTH = re.compile(r"(?<!\d)1(?= [a-zéû])")
MINUTES_OF_A_WHOLE_HOUR = re.compile(r"(?<=\d\u00a0h)\u00a000\b")


def as_it_is_said(written: str) -> str:
    """``1er janvier``, ``19 h``: in French the first of a month is no number like the others, and a whole
    hour has no minutes."""
    if (get_language() or "").startswith("fr"):
        return MINUTES_OF_A_WHOLE_HOUR.sub("", FIRST_BEFORE_A_MONTH.sub("1er", written))
    return written


def day_written(day: date, form: str = "DATE_FORMAT") -> str:
    """``January 1, 2027``; ``1er janvier 2027``: every day that people read, also by the filter ``date``."""
    return as_it_is_said(date_format(day, form))


def day_in_words(day: date) -> str:
    """``Tuesday, January 5``; ``mardi 5 janvier``."""
    return gettext("%(weekday)s, %(day)s") % {
        "weekday": date_format(day, "l"),
        "day": day_written(day, "MONTH_DAY_FORMAT"),
    }


def day_and_year_in_words(day: date) -> str:
    """``Tuesday, January 5, 2027``; ``mardi 5 janvier 2027``."""
    return gettext("%(weekday)s, %(day)s") % {"weekday": date_format(day, "l"), "day": day_written(day)}


def days_in_words(days: Days) -> str:
    """``Saturday, December 5 to Sunday, December 6``; of one day ``day_in_words``."""
    return _from_first_to_last(days, day_in_words, day_in_words)


def days_and_year_in_words(days: Days) -> str:
    """``Saturday, December 5 to Sunday, December 6, 2026``; of one day ``day_and_year_in_words``."""
    return _from_first_to_last(days, day_and_year_in_words, day_in_words)


def days_written(days: Days) -> str:
    """``December 5 to 6, 2026``; ``November 30 to December 1, 2026``; of one day ``day_written``."""
    first, last = days
    if first == last or (first.year, first.month) != (last.year, last.month):
        return _from_first_to_last(days, day_written, lambda day: day_written(day, "MONTH_DAY_FORMAT"))
    said = pgettext("days of one month", "%(month)s %(first)s to %(last)s, %(year)s")
    month = {"month": date_format(last, "F"), "year": last.year}
    return as_it_is_said(said % {"first": first.day, "last": last.day, **month})


def _from_first_to_last(days: Days, say: Callable[[date], str], shorter: Callable[[date], str]) -> str:
    """The first is said ``shorter`` where the last says the year of both."""
    first, last = days
    if first == last:
        return say(first)
    begin = shorter if first.year == last.year else say
    return pgettext("days", "%(first)s to %(last)s") % {"first": begin(first), "last": say(last)}


def hour_in_words(hour: time | datetime) -> str:
    """``7:00 PM``; ``19 h``, ``19 h 30``: every hour that people read, also by the filter ``time``."""
    return as_it_is_said(time_format(hour, "TIME_FORMAT"))


def pattern_in_words(night: RecurringNight) -> str:
    """``Every Tuesday``; ``The first Tuesday of the month``."""
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
    """``Called off (storm)``, of an event."""
    return _with_reason(gettext("Event cancelled"), reason)


def describe_change_of_day(held: HeldNight) -> str:
    """``Put off from Tuesday, January 5 (storm)``, ``Cancelled (storm)``."""
    if held.is_cancelled:
        said = gettext("Cancelled")
    else:
        said = gettext("Postponed from %(day)s") % {"day": day_in_words(held.planned_on)}
    return _with_reason(said, held.reason)


def _with_reason(said: str, reason: str) -> str:
    return f"{said} ({reason})" if reason else said
