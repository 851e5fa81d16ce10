"""Dates and hours in words, in the reader's language."""

import re
from collections.abc import Callable
from datetime import date, datetime, time

from django.utils.formats import date_format, time_format
from django.utils.translation import get_language, gettext, pgettext

from .calendar import LAST_WEEK_OF_MONTH, NightOccurrence, get_week_of_month
from .models import Pattern, RecurringNight

Days = tuple[date, date]
"""The first and the last day, which may be the same."""

FIRST_OF_MONTH = re.compile(r"(?<!\d)1(?= [a-zéû])")
ZERO_MINUTES = re.compile(r"(?<=\d\u00a0h)\u00a000\b")


def localize_date(text: str) -> str:
    """Correct French dates and hours: ``1er janvier`` instead of 1 janvier, ``19 h`` instead of 19 h 00."""
    if (get_language() or "").startswith("fr"):
        return ZERO_MINUTES.sub("", FIRST_OF_MONTH.sub("1er", text))
    return text


def format_date(day: date, form: str = "DATE_FORMAT") -> str:
    """Format a date with its year: ``January 1, 2027``, ``1er janvier 2027``. The filter
    ``date`` uses it, too."""
    return localize_date(date_format(day, form))


def day_in_words(day: date) -> str:
    """Format a date with its weekday: ``Tuesday, January 5``, ``mardi 5 janvier``."""
    return gettext("%(weekday)s, %(day)s") % {
        "weekday": date_format(day, "l"),
        "day": format_date(day, "MONTH_DAY_FORMAT"),
    }


def day_and_year_in_words(day: date) -> str:
    """Format a date with weekday and year: ``Tuesday, January 5, 2027``, ``mardi 5 janvier 2027``."""
    return gettext("%(weekday)s, %(day)s") % {"weekday": date_format(day, "l"), "day": format_date(day)}


def days_in_words(days: Days) -> str:
    """Format several days: ``Saturday, December 5 to Sunday, December 6``; one day like ``day_in_words``."""
    return _format_range(days, day_in_words, day_in_words)


def days_and_year_in_words(days: Days) -> str:
    """Format several days with the year: ``Saturday, December 5 to Sunday, December 6, 2026``; one day like
    ``day_and_year_in_words``."""
    return _format_range(days, day_and_year_in_words, day_in_words)


def format_days(days: Days) -> str:
    """Format several days: ``December 5 to 6, 2026``, ``November 30 to December 1, 2026``; one day like
    ``format_date``."""
    first, last = days
    if first == last or (first.year, first.month) != (last.year, last.month):
        return _format_range(days, format_date, lambda day: format_date(day, "MONTH_DAY_FORMAT"))
    template = pgettext("days of one month", "%(month)s %(first)s to %(last)s, %(year)s")
    month = {"month": date_format(last, "F"), "year": last.year}
    return localize_date(template % {"first": first.day, "last": last.day, **month})


def name_and_days(name: str, days: Days) -> str:
    """Format a name and its days: ``Soirée du mardi, 17 novembre 2026``; a name that has them stays alone."""
    written = format_days(days)
    return name if written in name else f"{name}, {written}"


def _format_range(days: Days, format_day: Callable[[date], str], format_short: Callable[[date], str]) -> str:
    """Join the first and the last day; ``format_short`` formats the first if the year is the same."""
    first, last = days
    if first == last:
        return format_day(first)
    format_first = format_short if first.year == last.year else format_day
    return pgettext("days", "%(first)s to %(last)s") % {"first": format_first(first), "last": format_day(last)}


def hour_in_words(hour: time | datetime) -> str:
    """Format an hour: ``7:00 PM``, ``19 h``, ``19 h 30``. The filter ``time`` uses it, too."""
    return localize_date(time_format(hour, "TIME_FORMAT"))


def pattern_in_words(night: RecurringNight) -> str:
    """Describe how often a night recurs: ``Every Tuesday``, ``The first Tuesday of the month``."""
    weekday = {"weekday": date_format(night.first_on, "l")}
    if night.pattern == Pattern.WEEKLY:
        return gettext("Every %(weekday)s") % weekday
    if night.pattern == Pattern.FORTNIGHTLY:
        return gettext("Every other %(weekday)s") % weekday
    monthly_texts = {
        1: gettext("The first %(weekday)s of the month"),
        2: gettext("The second %(weekday)s of the month"),
        3: gettext("The third %(weekday)s of the month"),
        4: gettext("The fourth %(weekday)s of the month"),
        LAST_WEEK_OF_MONTH: gettext("The last %(weekday)s of the month"),
    }
    return monthly_texts[get_week_of_month(night.first_on)] % weekday


def describe_calling_off(reason: str) -> str:
    """Say that an event is cancelled, and why: ``Event cancelled (storm)``."""
    return _add_reason(gettext("Event cancelled"), reason)


def describe_change_of_day(occurrence: NightOccurrence) -> str:
    """Describe a changed date: ``Postponed from Tuesday, January 5 (storm)``, ``Cancelled (storm)``."""
    if occurrence.is_cancelled:
        text = gettext("Cancelled")
    else:
        text = gettext("Postponed from %(day)s") % {"day": day_in_words(occurrence.planned_on)}
    return _add_reason(text, occurrence.reason)


def _add_reason(text: str, reason: str) -> str:
    return f"{text} ({reason})" if reason else text
