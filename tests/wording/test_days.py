"""Days as French and English write them, in templates, in sentences and in names."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.utils.translation import override

from clubs.day_words import day_in_words, day_written, hour_in_words
from tournaments.events.next_event_name import next_name
from wording.templatetags.words import signed_average, typed_in_words

NEW_YEAR = date(2027, 1, 1)


def shown(day: date, form: str, language: str) -> str:
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
def test_the_first_of_a_month_is_no_number_in_french(
    day: date, form: str, language: str, written: str
) -> None:
    assert shown(day, form, language) == written
    with override(language):
        assert day_written(day, form) == written


def test_a_moment_is_shown_on_the_day_of_the_readers_time_zone() -> None:
    late = datetime(2027, 1, 2, 3, tzinfo=ZoneInfo("UTC"))
    template = Template("{% load tz %}{% timezone zone %}{{ late|date }}{% endtimezone %}")
    with override("fr"):
        assert template.render(Context({"late": late, "zone": "America/Montreal"})) == "1er janvier 2027"


def test_nothing_is_shown_of_no_day() -> None:
    assert Template("{{ none|date }}").render(Context({"none": None})) == ""


def test_in_a_sentence_and_in_the_name_of_an_evening() -> None:
    with override("fr"):
        assert day_in_words(NEW_YEAR).endswith("1er janvier")
    renewed = next_name("Soirée du 25 décembre 2026", before=date(2026, 12, 25), after=NEW_YEAR)
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
def test_a_whole_hour_has_no_minutes_in_french(hour: time, language: str, written: str) -> None:
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
    template = Template(
        f"{{% load tz %}}{{% timezone 'America/Montreal' %}}{{{{ at|{form} }}}}{{% endtimezone %}}"
    )
    with override("fr"):
        said = template.render(Context({"at": at}))
    assert said.replace("\u00a0", " ") == written


@pytest.mark.parametrize(("average", "written"), [(0.44, "+0,4"), (-3, "−3,0"), (0, "0,0")])
def test_an_average_has_its_sign_and_a_comma_in_french(average: float, written: str) -> None:
    with override("fr"):
        assert signed_average(average) == written


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
def test_what_a_field_holds_is_said_in_words(typed: str, kind: str, language: str, written: str) -> None:
    with override(language):
        assert typed_in_words(typed, kind).replace("\u00a0", " ") == written
