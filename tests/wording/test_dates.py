"""Dates, times and numbers in French and English: in templates, sentences and names of nights."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.utils.translation import override

from clubs.date_formats import day_in_words, format_date, hour_in_words
from tournaments.events.event_naming import derive_next_name
from wording.templatetags.words import format_form_value, format_signed_average

NEW_YEAR = date(2027, 1, 1)


def render_day(day: date, form: str, language: str) -> str:
    with override(language):
        return Template("{{ day|date:form }}").render(Context({"day": day, "form": form}))


@pytest.mark.parametrize(
    ("day", "form", "language", "written"),
    [
        (NEW_YEAR, "DATE_FORMAT", "fr", "1er janvier 2027"),
        (NEW_YEAR, "l j F", "fr", "vendredi 1er janvier"),
        (date(2027, 1, 11), "DATE_FORMAT", "fr", "11 janvier 2027"),
        (date(2027, 1, 21), "DATE_FORMAT", "fr", "21 janvier 2027"),
        (date(2026, 8, 1), "DATE_FORMAT", "fr", "1er août 2026"),
        (NEW_YEAR, "SHORT_DATE_FORMAT", "fr", "2027-01-01"),
        (NEW_YEAR, "DATE_FORMAT", "en", "January 1, 2027"),
        (NEW_YEAR, "j F", "en", "1 January"),
    ],
)
def test_french_dates_write_the_first_as_an_ordinal(day: date, form: str, language: str, written: str) -> None:
    assert render_day(day, form, language) == written
    with override(language):
        assert format_date(day, form) == written


def test_datetime_is_shown_in_the_readers_time_zone() -> None:
    late = datetime(2027, 1, 2, 3, tzinfo=ZoneInfo("UTC"))
    template = Template("{% load tz %}{% timezone zone %}{{ late|date }}{% endtimezone %}")
    with override("fr"):
        assert template.render(Context({"late": late, "zone": "America/Montreal"})) == "1er janvier 2027"


def test_missing_date_is_shown_as_nothing() -> None:
    assert Template("{{ none|date }}").render(Context({"none": None})) == ""


def test_french_ordinal_appears_in_sentences_and_night_names() -> None:
    with override("fr"):
        assert day_in_words(NEW_YEAR).endswith("1er janvier")
    renewed = derive_next_name("Soirée du 25 décembre 2026", old_day=date(2026, 12, 25), new_day=NEW_YEAR)
    assert renewed == "Soirée du 1er janvier 2027"


@pytest.mark.parametrize(
    ("hour", "language", "written"),
    [
        (time(19), "fr", "19 h"),
        (time(19, 30), "fr", "19 h 30"),
        (time(0), "fr", "0 h"),
        (time(19), "en", "7:00 PM"),
    ],
)
def test_french_full_hour_has_no_minutes(hour: time, language: str, written: str) -> None:
    with override(language):
        assert hour_in_words(hour).replace("\u00a0", " ") == written


@pytest.mark.parametrize(
    ("at", "form", "written"),
    [
        (datetime(2026, 11, 18, tzinfo=UTC), "time:'TIME_FORMAT'", "19 h"),
        (datetime(2026, 11, 18, 0, 5, tzinfo=UTC), "time:'TIME_FORMAT'", "19 h 05"),
        (datetime(2026, 11, 1, 4, tzinfo=UTC), "date:'DATETIME_FORMAT'", "1er novembre 2026, 0 h"),
        (time(20), "time", "20 h"),
    ],
)
def test_an_hour_has_one_form_on_every_page(at: datetime | time, form: str, written: str) -> None:
    template = Template(f"{{% load tz %}}{{% timezone 'America/Montreal' %}}{{{{ at|{form} }}}}{{% endtimezone %}}")
    with override("fr"):
        text = template.render(Context({"at": at}))
    assert text.replace("\u00a0", " ") == written


@pytest.mark.parametrize(("average", "written"), [(0.44, "+0,4"), (-3, "−3,0"), (0, "0,0")])
def test_french_average_has_a_sign_and_a_comma(average: float, written: str) -> None:
    with override("fr"):
        assert format_signed_average(average) == written


@pytest.mark.parametrize(
    ("typed", "kind", "language", "written"),
    [
        ("2026-11-21", "date", "en", "Saturday, November 21, 2026"),
        ("19:30", "time", "fr", "19 h 30"),
        ("19:00", "time", "fr", "19 h"),
        ("19:00", "time", "en", "7:00 PM"),
        ("", "date", "fr", ""),
        ("2026-02-31", "date", "fr", ""),
        ("25:00", "time", "fr", ""),
    ],
)
def test_form_value_is_described_in_words(typed: str, kind: str, language: str, written: str) -> None:
    with override(language):
        assert format_form_value(typed, kind).replace("\u00a0", " ") == written
