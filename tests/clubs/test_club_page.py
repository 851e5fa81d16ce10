"""Club page and club settings: details, name, language, rules and time zone."""

import datetime
import json
from typing import Any

import pytest

from clubs.calendar import get_club_today
from clubs.services.calendar import NightDetails, add_recurring_night
from clubs.services.clubs import ClubSettings
from clubs.services.clubs import change_club as change_club_settings
from tests.builders import get_refusal_code
from tests.support.browser import Browser, Page
from tests.support.office import Office

pytestmark = pytest.mark.django_db

CLUB_ANSWERS = {
    "hall": "Centre Bon-Secours",
    "hall_address": "1, rue Principale, Matane",
    "about": "On joue depuis 1974.\n\nTout le monde est bienvenu.",
    "officers": "Présidente : Jeannine Roy\n\nTrésorier, Marcel Cyr",
    "contact": "Jeannine, 418 555-0112",
    "website": "joyeux.example",
}


def change(office: Office, **typed: Any) -> Page:
    page = office.browser.open(f"/club/{office.club.slug}/page")
    return office.browser.send(page, page.find_form(control_name="hall"), **typed)


def open_front(office: Office) -> Page:
    return Browser().open(f"/c/{office.club.slug}")


@pytest.mark.slow
@pytest.mark.snapshot
def test_club_page_shows_details_and_structured_data() -> None:
    office = Office()
    assert "Club page changed" in change(office, **CLUB_ANSWERS).find_one(role="status").text
    page = open_front(office)
    assert "About the club" in page.text
    for text in (
        "Centre Bon-Secours",
        "1, rue Principale",
        "depuis 1974",
        "Jeannine Roy",
        "Trésorier",
        "418 555-0112",
    ):
        assert text in page.text
    assert page.find_link("joyeux.example") == "https://joyeux.example"
    (script,) = page.find_all("script", type="application/ld+json")
    club = json.loads(script.text)["@graph"][0]
    assert club["location"]["address"] == "1, rue Principale, Matane"


@pytest.mark.long
def test_empty_club_details_show_no_section() -> None:
    assert "About the club" not in open_front(Office()).text


@pytest.mark.long
@pytest.mark.parametrize(
    ("field", "headings"),
    [
        ("about", []),
        ("hall", ["Where"]),
        ("hall_address", ["Where"]),
        ("contact", ["Contact person"]),
        ("website", ["Website"]),
    ],
)
def test_club_page_omits_headings_of_empty_fields(field: str, headings: list[str]) -> None:
    office = Office()
    change(office, **{field: CLUB_ANSWERS[field]})
    assert [
        one.text for one in open_front(office).find_one(**{"aria-labelledby": "about-title"}).find_all("dt")
    ] == headings


@pytest.mark.long
def test_notice_undoes_a_club_page_change() -> None:
    office = Office()
    page = change(office, **CLUB_ANSWERS)
    office.browser.send(page, page.find_form("/undo"))
    assert "Centre Bon-Secours" not in open_front(office).text


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("hall", "x" * 121, "Too long: 120 characters at most."),
        ("officers", "Jeannine Roy", "“Jeannine Roy” is incomplete. Enter the role, a colon and the name."),
        ("officers", "Présidente:", "“Présidente:” is incomplete. Enter the role, a colon and the name."),
        ("website", "javascript:alert(1)", "“javascript:alert(1)” is not a website address."),
        ("website", "not one", "“not one” is not a website address."),
    ],
)
def test_refused_form_keeps_typed_values(field: str, typed: str, sentence: str) -> None:
    office = Office()
    page = change(office, **(CLUB_ANSWERS | {field: typed}))
    assert page.status == 422
    assert page.get_field_error(field) == sentence
    assert page.find_field("contact").value == CLUB_ANSWERS["contact"]
    office.club.refresh_from_db()
    assert office.club.hall == ""


ANSWERS = {
    "club_name": "Les Joyeux Atouts d’Edmundston",
    "language": "fr",
    "ruleset": "maine",
    "time_zone": "America/Moncton",
}
"""Values of the club settings form."""


def change_club(office: Office, **typed: Any) -> Page:
    page = office.browser.open(f"/club/{office.club.slug}/page")
    return office.browser.send(page, page.find_form(control_name="club_name"), ("change_club", "1"), **typed)


class TestClubSettings:
    @pytest.mark.long
    def test_renamed_club_keeps_its_addresses(self) -> None:
        office = Office()
        page = change_club(office, **ANSWERS)
        assert "Club settings changed" in page.find_one(role="status").text
        assert {name: page.find_field(name).value for name in ANSWERS} == ANSWERS
        assert ANSWERS["club_name"] in open_front(office).text
        assert ANSWERS["club_name"] in Browser().open(f"/e/{office.event.short}").text

    @pytest.mark.long
    def test_notice_undoes_a_settings_change(self) -> None:
        office = Office()
        page = change_club(office, **ANSWERS)
        office.browser.send(page, page.find_form("/undo"))
        office.club.refresh_from_db()
        assert (office.club.name, office.club.time_zone) == ("Les Joyeux Atouts", "America/Montreal")

    @pytest.mark.slow
    def test_time_zone_applies_to_the_calendar_feed(self) -> None:
        office = Office()
        change_club(office, **ANSWERS)
        first_on = get_club_today(office.club) + datetime.timedelta(days=1)
        night = NightDetails(name="Mardis", pattern="weekly", first_on=first_on, starts_at=datetime.time(19))
        add_recurring_night(club_id=office.club.pk, details=night)
        feed = Browser().client.get(f"/c/{office.club.slug}/calendar.ics").content.decode()
        assert f"DTSTART;TZID=America/Moncton:{first_on:%Y%m%d}T190000" in feed

    @pytest.mark.slow
    def test_history_shows_the_time_zone_by_name(self) -> None:
        office = Office()
        change_club(office, **ANSWERS)
        action = office.club.actions.latest("pk")
        history = office.browser.open(f"/club/{office.club.slug}/history/{action.pk}")
        assert "Atlantic: N.B., Magdalen Islands" in history.text

    @pytest.mark.long
    def test_club_settings_require_a_name(self) -> None:
        page = change_club(Office(), **(ANSWERS | {"club_name": " "}))
        assert page.status == 422
        assert page.get_field_error("club_name") == "Enter the club’s name."
        assert page.find_field("time_zone").value == ANSWERS["time_zone"]

    def test_unknown_time_zone_is_refused(self) -> None:
        office = Office()
        settings = ClubSettings(name="Atouts", language="fr", ruleset="maine", time_zone="Mars/Olympus")
        assert get_refusal_code(change_club_settings, club_id=office.club.pk, settings=settings) == "no_such_choice"
