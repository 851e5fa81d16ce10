"""A chosen date is described below its field in the page's language, whatever the browser's language."""

import pytest
from django.utils.translation import override
from playwright.sync_api import expect

from clubs.models import Club
from tests.builders import build_club
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from wording.templatetags.words import format_form_value

DAYS = ("2026-11-21", "2027-01-01", "2026-08-01", "2028-02-29", "2027-05-11")
HOURS = ("19:30", "19:00", "09:05", "00:00", "12:00")


def normalize_spaces(text: str) -> str:
    """Replace the no-break spaces, as in the text of a page."""
    return text.replace("\u00a0", " ").strip()


@pytest.mark.parametrize(
    ("language", "browsers"),
    [
        ("fr", "en-US"),
        pytest.param("en", "fr-CA", marks=pytest.mark.long("tests/scripts/date_words.test.js has the words")),
    ],
)
def test_date_description_matches_the_servers_language(
    hall: Hall, phones: Phones, language: str, browsers: str
) -> None:
    club: Club = build_club(owner=hall.owner)
    type(hall.owner).objects.filter(pk=hall.owner.pk).update(language=language)
    phone = phones(locale=browsers)
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}/calendar/new")
    for kind, field, values in (("date", "first_on", DAYS), ("time", "starts_at", HOURS)):
        for typed in values:
            phone.page.locator(f"[name={field}]").fill(typed)
            with override(language):
                expect(phone.page.locator(f"#id_{field}_words")).to_have_text(
                    normalize_spaces(format_form_value(typed, kind))
                )
    phone.take_picture("days")
    phone.page.locator("[name=last_on]").fill("2027-06-01")
    phone.page.locator("[name=last_on]").fill("")
    expect(phone.page.locator("#id_last_on_words")).to_be_empty()
