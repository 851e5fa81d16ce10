"""What a club's own page tells of it: the hall, a text, how to reach it."""

import json
from typing import Any

import pytest

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


def test_is_told_to_everybody_and_to_search_engines() -> None:
    office = Office()
    assert "What the club’s page tells was changed" in change(office, **SAID).one(role="status").text
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
        ("contact", ["Whom to ask"]),
        ("website", ["Website"]),
    ],
)
def test_has_no_heading_for_what_is_not_said(field: str, told: list[str]) -> None:
    office = Office()
    change(office, **{field: SAID[field]})
    assert [one.text for one in front(office).one(**{"aria-labelledby": "about-title"}).every("dt")] == told


def test_is_undone_from_the_notice() -> None:
    office = Office()
    page = change(office, **SAID)
    office.browser.send(page, page.form("/undo"))
    assert "Centre Bon-Secours" not in front(office).text


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("hall", "x" * 121, "Write 120 characters at most."),
        ("officers", "Jeannine Roy", "Write the office, a colon and the name: “Jeannine Roy” has not both."),
        ("officers", "Présidente:", "Write the office, a colon and the name: “Présidente:” has not both."),
        ("website", "javascript:alert(1)", "“javascript:alert(1)” is not the address of a website."),
        ("website", "not one", "“not one” is not the address of a website."),
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
