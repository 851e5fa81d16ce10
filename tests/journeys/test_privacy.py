"""Personal information on real screens: its contact person, the export of a person's data, and erasure."""

import zipfile

import pytest
from playwright.sync_api import expect

from clubs.models import Club, Person
from tests.builders import build_club, build_played_night, compute_standings
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event


@pytest.fixture
def night(hall: Hall) -> Event:
    """An ended night that was played in 2019."""
    event = build_played_night(4, club=build_club(owner=hall.owner))
    compute_standings(event)
    Event.objects.filter(pk=event.pk).update(held_on="2019-11-19")
    return end_event(event_id=event.pk)


def get_first_person(club: Club) -> Person:
    return Person.objects.filter(club=club).earliest("pk")


@pytest.mark.long("sends forms that need no browser: tests/tournaments/privacy/test_privacy_pages.py")
def test_owner_names_the_privacy_contact_and_everyone_can_read_it(night: Event, hall: Hall, phones: Phones) -> None:
    phone, anybody = phones(), phones("anybody")
    phone.sign_in(hall.owner)
    phone.open(f"/club/{night.club.slug}/privacy")
    phone.page.get_by_label("Name", exact=True).fill("Noëlla Cyr")
    phone.page.get_by_label("Contact details").fill("418 555-0123")
    phone.page.get_by_label("Years without playing").fill("3")
    phone.tap(phone.find_button("Save"))
    expect(phone.page.get_by_role("status")).to_be_visible()
    anybody.open(f"/e/{night.short}")
    anybody.tap(anybody.link("Personal information"))
    expect(anybody.page.locator("#whom + p")).to_contain_text("Noëlla Cyr")
    expect(anybody.page.locator("#long + p")).to_contain_text("After 3 years")


def test_person_receives_their_data_and_is_erased(night: Event, hall: Hall, phones: Phones) -> None:
    phone, anybody = phones(), phones("anybody")
    person = get_first_person(night.club)
    phone.sign_in(hall.owner)
    phone.open(f"/club/{night.club.slug}/people/{person.pk}")
    phone.tap(phone.link("Consents, data export, erasure"))
    with phone.page.expect_download() as loading:
        phone.tap(phone.link("Download everything"))
    with zipfile.ZipFile(loading.value.path()) as archive:
        assert all(person.name in archive.read(name).decode() for name in archive.namelist())
    anybody.open(f"/e/{night.short}/standings")
    expect(anybody.page.locator("main")).to_contain_text(person.get_public_name(night.club))
    phone.tap(phone.link("Preview"))
    phone.tap(phone.find_button("Erase this person"))
    expect(phone.page.get_by_role("status").first).to_contain_text("Anonymous 1")
    anybody.open(f"/e/{night.short}/standings")
    expect(anybody.page.locator("main")).to_contain_text("Anonymous 1")
    expect(anybody.page.locator("main")).not_to_contain_text(person.get_public_name(night.club))
