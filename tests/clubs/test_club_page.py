"""A club's name, rules and public page."""

import datetime
import json
from typing import Any

import pytest

from clubs.calendar import today_in
from clubs.services import ClubSettings, NightDetails, add_recurring_night
from clubs.services import change_club as change_club_settings
from tests.builders import code_of
from tests.support.browser import Browser, Page
from tests.support.office import Office

pytestmark = pytest.mark.django_db

SAID = {
    "hall": "Centre Bon-Secours",
    "hall_address": "1, rue Principale, Matane",
    "about": "On joue depuis 1974.\n\nTout le monde est bienvenu.",
    "officers": "Présidente : Jeannine Roy\n\nTrésorier, Marcel Cyr",
    "contact": "Jeannine, 418 555-0112",
    "website": "joyeux.example",
}


def change(office: Office, **typed: Any) -> Page:
    page = office.browser.open(f"/club/{office.club.slug}/page")
    return office.browser.send(page, page.form(having="hall"), **typed)


def front(office: Office) -> Page:
    return Browser().open(f"/c/{office.club.slug}")


@pytest.mark.slow
@pytest.mark.snapshot
def test_is_told_to_everybody_and_to_search_engines() -> None:
    office = Office()
    assert "Club page changed" in change(office, **SAID).one(role="status").text
    page = front(office)
    assert "About the club" in page.text
    for said in (
        "Centre Bon-Secours",
        "1, rue Principale",
        "depuis 1974",
        "Jeannine Roy",
        "Trésorier",
        "418 555-0112",
    ):
        assert said in page.text
    assert page.link("joyeux.example") == "https://joyeux.example"
    (script,) = page.every("script", type="application/ld+json")
    club = json.loads(script.text)["@graph"][0]
    assert club["location"]["address"] == "1, rue Principale, Matane"


def test_is_not_there_while_nothing_is_said() -> None:
    assert "About the club" not in front(Office()).text


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("about", []),
        ("hall", ["Where"]),
        ("hall_address", ["Where"]),
        ("contact", ["Contact person"]),
        ("website", ["Website"]),
    ],
)
def test_has_no_heading_for_what_is_not_said(field: str, told: list[str]) -> None:
    office = Office()
    change(office, **{field: SAID[field]})
    assert [one.text for one in front(office).one(**{"aria-labelledby": "about-title"}).every("dt")] == told


@pytest.mark.slow
def test_is_undone_from_the_notice() -> None:
    office = Office()
    page = change(office, **SAID)
    office.browser.send(page, page.form("/undo"))
    assert "Centre Bon-Secours" not in front(office).text


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("hall", "x" * 121, "Too long: 120 characters at most."),
        ("officers", "Jeannine Roy", "“Jeannine Roy” is incomplete. Enter the office, a colon and the name."),
        ("officers", "Présidente:", "“Présidente:” is incomplete. Enter the office, a colon and the name."),
        ("website", "javascript:alert(1)", "“javascript:alert(1)” is not a website address."),
        ("website", "not one", "“not one” is not a website address."),
    ],
)
def test_refused_keeps_what_was_typed(field: str, typed: str, sentence: str) -> None:
    office = Office()
    page = change(office, **(SAID | {field: typed}))
    assert page.status == 422
    assert page.said_at(field) == sentence
    assert page.field("contact").value == SAID["contact"]
    office.club.refresh_from_db()
    assert office.club.hall == ""


ANSWERS = {
    "club_name": "Les Joyeux Atouts d’Edmundston",
    "language": "fr",
    "ruleset": "maine",
    "time_zone": "America/Moncton",
}
"""What the club was asked when it began, and by whose clock it plays."""


def change_club(office: Office, **typed: Any) -> Page:
    page = office.browser.open(f"/club/{office.club.slug}/page")
    return office.browser.send(page, page.form(having="club_name"), ("change_club", "1"), **typed)


class TestWhatTheClubAnsweredWhenItBegan:
    @pytest.mark.slow
    def test_can_be_changed_and_its_addresses_stay(self) -> None:
        office = Office()
        page = change_club(office, **ANSWERS)
        assert "Club settings changed" in page.one(role="status").text
        assert {name: page.field(name).value for name in ANSWERS} == ANSWERS
        assert ANSWERS["club_name"] in front(office).text
        assert ANSWERS["club_name"] in Browser().open(f"/e/{office.event.short}").text

    def test_is_undone_from_the_notice(self) -> None:
        office = Office()
        page = change_club(office, **ANSWERS)
        office.browser.send(page, page.form("/undo"))
        office.club.refresh_from_db()
        assert (office.club.name, office.club.time_zone) == ("Les Joyeux Atouts", "America/Montreal")

    def test_sets_the_clock_of_its_calendar(self) -> None:
        office = Office()
        change_club(office, **ANSWERS)
        first_on = today_in(office.club) + datetime.timedelta(days=1)
        night = NightDetails(name="Mardis", pattern="weekly", first_on=first_on, starts_at=datetime.time(19))
        add_recurring_night(club_id=office.club.pk, details=night)
        feed = Browser().client.get(f"/c/{office.club.slug}/calendar.ics").content.decode()
        assert f"DTSTART;TZID=America/Moncton:{first_on:%Y%m%d}T190000" in feed

    def test_is_told_by_the_history_in_words(self) -> None:
        office = Office()
        change_club(office, **ANSWERS)
        action = office.club.actions.latest("pk")
        history = office.browser.open(f"/club/{office.club.slug}/history/{action.pk}")
        assert "Atlantic: New Brunswick, Magdalen Islands" in history.text

    def test_needs_a_name(self) -> None:
        page = change_club(Office(), **(ANSWERS | {"club_name": " "}))
        assert page.status == 422
        assert page.said_at("club_name") == "Enter the club’s name."
        assert page.field("time_zone").value == ANSWERS["time_zone"]

    def test_plays_by_a_clock_that_is_offered(self) -> None:
        office = Office()
        settings = ClubSettings(name="Atouts", language="fr", ruleset="maine", time_zone="Mars/Olympus")
        assert code_of(change_club_settings, club_id=office.club.pk, settings=settings) == "no_such_choice"
