"""Two clubs publish their feeds, a federation follows both, and an identity code joins one person's two lines."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from clubs.models import Club, Person
from federations.services.publishing import request_due_feeds
from tests.builders import TUESDAY, build_club
from tests.federations.test_federation import build_final_night, look_again
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways
from tests.tournaments.alerts.test_alerts import run_worker


@pytest.fixture(autouse=True)
def _on_this_computer(settings: Any) -> None:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]


def run_federation_worker() -> None:
    request_due_feeds()
    run_worker()
    look_again()


def publish_feed(owner: Phone, club: Club) -> str:
    """Publish the club's feed and return its address."""
    owner.open(f"/club/{club.slug}/federations")
    owner.tap(owner.find_button("Publish the feed"))
    return owner.page.locator("a.address").inner_text().strip()


def open_federation(owner: Phone, club: Club) -> None:
    owner.open(f"/club/{club.slug}/federations")
    owner.page.get_by_label("Federation name").fill("Ligue de l’Estuaire et de la Matapédia")
    owner.page.get_by_label("First day").fill(TUESDAY.replace(day=1).isoformat())
    owner.page.get_by_label("Last day").fill(TUESDAY.replace(year=TUESDAY.year + 1).isoformat())
    owner.page.get_by_label("Ranked by").select_option("rank_points")
    owner.page.get_by_label("Points per rank").fill("10 6 3")
    owner.tap(owner.find_button("^Create the federation$"))


def carry_code(owner: Phone, person: Person, other_club: Person) -> None:
    """Create an identity code in one club and enter it in the other."""
    owner.open(f"/club/{person.club.slug}/people/{person.pk}")
    owner.tap(owner.link("Profile in another club"))
    owner.tap(owner.find_button("Create a code"))
    code = owner.page.locator(".card.link b").inner_text()
    owner.take_picture("code")
    owner.open(f"/club/{other_club.club.slug}/people/{other_club.pk}")
    owner.tap(owner.link("Profile in another club"))
    owner.page.get_by_label("Code from the other club").fill(code.lower())
    owner.tap(owner.find_button("Enter the code"))
    expect(owner.page.get_by_text("This person has had a code since")).to_be_visible()


def get_person(club: Club) -> Person:
    found = club.people.order_by("pk").first()
    assert found is not None
    return found


def total_of(reader: Phone, place: int) -> str:
    return reader.page.locator("table.figures tbody tr").nth(place).locator("td b").inner_text()


def test_two_clubs_share_standings_and_a_code_merges_one_person(hall: Hall, phones: Phones) -> None:
    clubs = [build_club(name, owner=hall.owner) for name in ("Les Atouts de Matane", "Les Valets")]
    for club in clubs:
        build_final_night(club)
    owner = phones("owner")
    owner.sign_in(hall.owner)
    addresses = [publish_feed(owner, club) for club in clubs]
    owner.take_picture("published")
    open_federation(owner, clubs[0])
    for address in addresses:
        owner.page.get_by_label("Address of a club’s feed").fill(
            f"{hall.server.url}{address.partition('/c/')[1]}{address.partition('/c/')[2]}"
        )
        owner.tap(owner.find_button("Follow the club"))
    expect(owner.page.get_by_text("nothing received yet")).to_have_count(2)
    owner.take_picture("asked")
    run_federation_worker()
    owner.page.reload()
    expect(owner.page.get_by_text("up to date")).to_have_count(2)
    owner.take_picture("followed")
    owner.tap(owner.link("See the standings"))

    reader = phones("reader")
    reader.open(owner.page.url)
    rows = reader.page.locator("table.figures tbody tr")
    expect(rows).to_have_count(16)
    reader.take_picture("ladder")
    is_nothing_cut_off_sideways(reader)
    assert find_violations(reader) == []
    assert total_of(reader, 0) == "10"

    carry_code(owner, get_person(clubs[0]), get_person(clubs[1]))
    run_federation_worker()
    reader.page.reload()
    expect(rows).to_have_count(15)
    both = rows.filter(has_text=re.compile("Les Atouts de Matane.*Les Valets"))
    expect(both).to_have_count(1)
    reader.take_picture("one-line")
    is_nothing_cut_off_sideways(reader)
    reader.tap(both.locator("th a"))
    nights = reader.link("Soirée du mardi")
    expect(nights).to_have_count(2)
    reader.take_picture("nights")
    is_nothing_cut_off_sideways(reader)
    reader.tap(nights.first)
    expect(reader.page.get_by_role("heading", name="Final standings")).to_be_visible()
    reader.take_picture("the-clubs-own-page")
