"""Ratings and records on real screens: read by keyboard, and turned off by the owner."""

import pytest
from playwright.sync_api import expect

from clubs.models import Club
from tests.builders import build_club, build_played_night
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways
from tournaments.events.services.lifecycle import end_event
from tournaments.records.services import refresh_ratings


@pytest.fixture
def club(hall: Hall) -> Club:
    """A club that has played ten nights."""
    club = build_club(owner=hall.owner)
    for _ in range(10):
        night = build_played_night(4, club=club)
        end_event(event_id=night.pk)
    refresh_ratings(club_id=club.pk)
    return club


def test_reader_navigates_from_ratings_to_people_by_keyboard(club: Club, phones: Phones) -> None:
    phone = phones()
    phone.open(f"/c/{club.slug}/ratings")
    strongest = phone.page.locator("tbody a").first
    strongest.focus()
    phone.page.keyboard.press("Enter")
    expect(phone.page.get_by_role("img")).to_be_visible()
    numbers = phone.page.locator("summary")
    numbers.focus()
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator("details tbody tr")).to_have_count(10)
    phone.page.locator("[aria-labelledby=partners-title] a").first.press("Enter")
    expect(phone.page.locator("#played-title")).to_be_visible()
    phone.link("Club records").press("Enter")
    expect(phone.page.locator("dt").filter(has_text="Most nights")).to_be_visible()


def test_record_pages_are_accessible_and_fit_a_small_phone(club: Club, hall: Hall, phones: Phones) -> None:
    phone = phones(width=320, locale="fr-CA")
    phone.sign_in(hall.owner)
    person = club.people.earliest("pk").pk
    found = {}
    for path in (
        f"/c/{club.slug}/ratings",
        f"/c/{club.slug}/records",
        f"/c/{club.slug}/records/2026",
        f"/c/{club.slug}/people/{person}",
        f"/club/{club.slug}/people/{person}/record",
        f"/club/{club.slug}/ratings",
    ):
        phone.open(path)
        for letters in (16, 32):
            phone.set_text_size(letters)
            phone.take_picture(f"{path}-{letters}")
            is_nothing_cut_off_sideways(phone)
            found[path, letters] = find_violations(phone)
    assert not any(found.values()), found


@pytest.mark.long("its forms are sent without a browser by tests/tournaments/records/test_record_pages.py")
def test_owner_turns_ratings_off_and_they_disappear(club: Club, hall: Hall, phones: Phones) -> None:
    phone: Phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}/ratings")
    phone.find_button("Turn ratings off").press("Enter")
    expect(phone.find_button("Turn ratings on")).to_be_visible()
    anybody = phones("anybody", java_script_enabled=False)
    anybody.open(f"/c/{club.slug}/records")
    expect(anybody.link("Ratings")).to_have_count(0)
