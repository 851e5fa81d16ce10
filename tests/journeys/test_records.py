"""Ratings and records on real screens: read by keyboard, and turned off by the owner."""

import pytest
from playwright.sync_api import expect

from clubs.models import Club
from tests.builders import build_club, build_played_night
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
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


@pytest.mark.long("sends forms that need no browser: tests/tournaments/records/test_record_pages.py")
def test_owner_turns_ratings_off_and_they_disappear(club: Club, hall: Hall, phones: Phones) -> None:
    phone: Phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}/ratings")
    phone.find_button("Turn ratings off").press("Enter")
    expect(phone.find_button("Turn ratings on")).to_be_visible()
    anybody = phones("anybody", java_script_enabled=False)
    anybody.open(f"/c/{club.slug}/records")
    expect(anybody.link("Ratings")).to_have_count(0)
