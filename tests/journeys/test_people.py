"""The club's people on real screens: search, addition, change, undo, check-in and the door prize."""

from typing import Any

import pytest
from playwright.sync_api import expect

from clubs.models import Person
from clubs.services.people import PersonDetails, add_person, find_or_add_people
from tests.builders import build_club, build_event
from tests.journeys.axe import find_violations
from tests.journeys.hall import NAMES, Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import is_nothing_cut_off_sideways
from tournaments.entries.services.entries import enter_people
from tournaments.models import Event

FIRST_NAMES = (
    "Agathe",
    "Bruno",
    "Cécile",
    "Donat",
    "Édith",
    "Fernand",
    "Ghislaine",
    "Hervé",
    "Irène",
    "Jean",
)
SURNAMES = (
    *("Albert", "Bérubé", "Caron", "Dumont", "Émond", "Fortin"),
    *("Gagnon", "Hudon", "Isabelle", "Jean", "Lavoie", "Morin"),
)


@pytest.fixture
def phone(hall: Hall, phones: Phones) -> Phone:
    """A phone on the people page of a club of about forty people."""
    club = build_club(owner=hall.owner)
    others = (f"{first} {last}" for last in NAMES[:8] for first in ("Anne", "Léo", "Zoé"))
    find_or_add_people(club=club, full_names=[*NAMES, *dict.fromkeys(others)])
    add_person(
        club_id=club.pk,
        details=PersonDetails(
            name="Gisèle Arsenault",
            contact="418 555-0134",
            is_guest=True,
            family="Famille Roy",
            labels=("Dames",),
        ),
    )
    phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}/people")
    return phone


def test_person_is_found_while_typing_and_changed(phone: Phone) -> None:
    phone.take_picture("list")
    search = phone.page.locator("#id_search")
    search.press_sequentially("gis ars")
    expect(phone.page.locator("#found .list > li")).to_have_count(1)
    expect(search).to_be_focused()
    phone.take_picture("found")
    phone.tap(phone.page.get_by_role("link", name="Gisèle Arsenault"))
    phone.take_picture("person")
    phone.tap(phone.page.get_by_text("Agrees to show full name publicly"))
    phone.tap(phone.find_button("Save"))
    phone.take_picture("saved")
    assert Person.objects.get(name="Gisèle Arsenault").shows_full_name
    phone.tap(phone.find_button("Undo"))
    expect(phone.page.get_by_role("status").first).to_contain_text("Undid")
    phone.take_picture("undone")
    assert not Person.objects.get(name="Gisèle Arsenault").shows_full_name


@pytest.mark.long("sends forms that need no browser: tests/clubs/test_people_pages.py")
def test_person_not_found_is_added(phone: Phone) -> None:
    phone.page.locator("#id_search").press_sequentially("Rita Roy")
    phone.tap(phone.link("Add Rita Roy"))
    phone.tap(phone.find_button("Add"))
    expect(phone.page.get_by_role("status").first).to_contain_text("Added: Rita Roy")
    phone.tap(phone.link("Add a person"))
    phone.page.get_by_label("Name", exact=True).fill("rita  roy")
    phone.tap(phone.find_button("Add"))
    expect(phone.page.get_by_role("alert")).to_contain_text("The club already has a “Rita Roy”. Same person?")
    phone.take_picture("known")


@pytest.mark.long("sends forms that need no browser: tests/clubs/test_people_import_pages.py")
def test_pasted_list_is_previewed_then_imported(phone: Phone) -> None:
    phone.tap(phone.link("Import people"))
    phone.take_picture("empty")
    phone.page.get_by_label("Or paste a list").fill("Roy, Jeannine\nDubé Marcel\nRita Saint-Onge\nRITA ST-ONGE")
    phone.tap(phone.find_button("Preview"))
    phone.take_picture("preview")
    assert find_violations(phone) == []
    phone.tap(phone.page.get_by_label("New person Marcel").or_(phone.page.get_by_label("New person Dubé")))
    phone.tap(phone.find_button("Add them"))
    expect(phone.page.get_by_role("status").first).to_contain_text("People imported from a list: 2")
    phone.tap(phone.find_button("Undo"))
    assert not Person.objects.filter(name="Rita Saint-Onge").exists()


def build_evening_of_120(hall: Hall, **settings: Any) -> Event:
    """Build a night without entries, in a club of 120 people of whom 50 came last time."""
    club = build_club(owner=hall.owner)
    everybody = [f"{first} {last}" for last in SURNAMES for first in FIRST_NAMES]
    assert len(everybody) == 120
    people = find_or_add_people(club=club, full_names=everybody)
    last_time = build_event(0, club=club, draw_format="swiss_individual")
    for person in people[::-1][:50]:
        enter_people(event_id=last_time.pk, people=[person.pk])
    return build_event(0, club=club, tables=10, **settings)


def test_forty_people_check_in_with_one_tap_each(hall: Hall, phones: Phones) -> None:
    event = build_evening_of_120(hall, draw_format="swiss_individual")
    phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk/entries/check-in")
    phone.take_picture("nobody")
    boxes = phone.page.locator("#lists section .boxes > li")
    for place in range(38):
        phone.tap(boxes.nth(place).locator("button").first)
        expect(boxes.nth(place).locator("button").first).to_have_attribute("aria-pressed", "true")
    phone.take_picture("many")
    search = phone.page.locator("#id_search")
    for typed, name in (("aga alb", "Agathe Albert"), ("don car", "Donat Caron")):
        phone.tap(search)
        search.press_sequentially(typed)
        found = phone.page.locator("#lists section .boxes > li")
        expect(found).to_have_text([name])
        phone.tap(found.locator("button").first)
        expect(phone.page.locator("#lists section .box.ok")).to_have_count(1)
    phone.take_picture("searched")
    assert phone.taps == 42
    assert event.entries.exclude(present_at=None).count() == 40
    phone.page.get_by_label("Name", exact=True).fill("Ginette Proulx")
    phone.tap(phone.find_button("^ ?Add$"))
    expect(phone.page.locator("#present")).to_have_text("41 people present")
    phone.take_picture("guest")
    assert find_violations(phone) == []


def test_pair_takes_two_taps_or_a_tap_and_a_name(hall: Hall, phones: Phones) -> None:
    event = build_evening_of_120(hall)
    phone = phones(width=320, height=640)
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk/entries/check-in")
    people = phone.page.locator("[id^=person-] button")
    phone.tap(people.nth(0))
    expect(people.nth(0)).to_have_attribute("aria-pressed", "true")
    phone.take_picture("one")
    is_nothing_cut_off_sideways(phone)
    phone.tap(people.nth(1))
    expect(phone.page.locator("#present")).to_have_text("1 pair present")
    phone.take_picture("two")
    assert find_violations(phone) == []
    phone.tap(people.nth(1))
    phone.page.get_by_label("Partner’s name").fill("Ginette Proulx")
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator("#present")).to_have_text("2 pairs present")
    phone.take_picture("guest")
    is_nothing_cut_off_sideways(phone)
    assert Person.objects.filter(is_guest=True).count() == 1


@pytest.mark.long
def test_door_prize_is_drawn_with_two_taps_and_shown(hall: Hall, phones: Phones) -> None:
    event = build_evening_of_120(hall, draw_format="swiss_individual")
    for person in event.club.people.all()[:6]:
        enter_people(event_id=event.pk, people=[person.pk])
    phone, wall = phones(width=320, height=640), phones("wall", width=1_280, height=720)
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk/entries/check-in")
    phone.tap(phone.link("Door prize"))
    phone.page.get_by_label("Prize").fill("Un jambon")
    phone.tap(phone.find_button("Draw a name"))
    expect(phone.page.get_by_text("Shown on the wall screen")).to_be_visible()
    phone.take_picture("drawn")
    is_nothing_cut_off_sideways(phone)
    assert find_violations(phone) == []
    wall.open(f"/e/{event.short}/board")
    expect(wall.page.locator(".winner")).to_be_visible()
    wall.take_picture("wall")
