"""Sign-up from a phone and check-in at the door, on real screens."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders import build_club, build_event
from tests.journeys.hall import NAMES, Hall
from tests.journeys.phone import Phones
from tests.journeys.test_layout import list_boxes
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entries import add_entries
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.models import Event


def build_evening(hall: Hall, pairs: int = 7, **settings: Any) -> Event:
    """Build a night in preparation, with realistic names."""
    event = build_event(0, club=build_club(owner=hall.owner), **{"tables": 4} | settings)
    entries = {number: NAMES[2 * number - 2 : 2 * number] for number in range(1, pairs + 1)}
    add_entries(event_id=event.pk, entries=entries)
    return event


def test_check_in_updates_only_its_box_and_the_counts(hall: Hall, phones: Phones) -> None:
    event = build_evening(hall)
    phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk/entries/check-in")
    box, other = (phone.page.locator(f"#tap-{number}") for number in (1, 2))
    phone.take_picture("nobody")
    other.evaluate("(element) => { element.dataset.untouched = 'yes'; }")
    phone.tap(box)
    expect(box).to_have_attribute("aria-pressed", "true")
    expect(phone.page.locator("#present")).to_have_text("1 pair present")
    expect(phone.page.locator("#counts")).to_contain_text("Not checked in: 6.")
    assert other.get_attribute("data-untouched") == "yes"
    other.focus()
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator("#present")).to_have_text("2 pairs present")
    expect(other).to_be_focused()
    phone.take_picture("two-present")
    phone.tap(box)
    expect(box).to_have_attribute("aria-pressed", "false")
    assert event.entries.exclude(present_at=None).get().number == 2
    phone.tap(phone.find_button("Play without absentees"))
    expect(phone.page.get_by_role("alert")).to_contain_text("Only 1 present")


@pytest.mark.long
def test_long_club_name_does_not_overlap_the_button(hall: Hall, phones: Phones) -> None:
    event = build_evening(hall, pairs=2)
    event.entries.filter(number=1).update(team="Club de l’Âge d’or de Saint-Jean-de-la-Lande")
    phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk/entries")
    line = phone.page.locator(".entries > li").first
    (chip,), (button,) = list_boxes(line.locator(".chip")), list_boxes(line.get_by_role("button", name="Remove"))
    assert chip["x"] + chip["width"] <= button["x"] or chip["y"] + chip["height"] <= button["y"]


def test_single_boxes_show_the_pair_while_it_is_present(hall: Hall, phones: Phones) -> None:
    last_week = build_evening(hall)
    tonight = build_event(0, club=last_week.club, tables=4)
    one, other = last_week.entries.get(number=1).players
    phone = phones()
    phone.sign_in(hall.owner)
    phone.open(f"/e/{tonight.short}/desk/entries/check-in")
    phone.tap(phone.page.locator(f"#pair-{one.pk}-{other.pk} button"))
    box = phone.page.locator("#tap-1")
    singles = [phone.page.locator(f"#person-{person.pk}") for person in (one, other)]
    for is_here in (True, False, True):
        expect(box).to_have_attribute("aria-pressed", "true" if is_here else "false")
        for single in singles:
            expect(single.get_by_text("not here yet")).to_be_visible(visible=not is_here)
            expect(single.locator(".check svg")).to_be_visible(visible=is_here)
        phone.take_picture("here" if is_here else "gone")
        phone.tap(box)


@pytest.mark.long
def test_entry_without_a_message_reserves_no_space(hall: Hall, phones: Phones) -> None:
    event = build_evening(hall)
    phone = phones()
    phone.sign_in(hall.owner)
    message = phone.page.locator("p.statement")
    phone.open(f"/e/{event.short}/desk/entries/1")
    expect(message).to_have_css("display", "none")
    mark_present(event_id=event.pk, number=1, is_present=True)
    phone.open(f"/e/{event.short}/desk/entries/1")
    expect(message).to_have_css("display", "flex")


@pytest.mark.long("sends forms that need no browser: tests/tournaments/entries/test_sign_up_page.py")
def test_sign_up_works_without_scripts_until_the_event_is_full(hall: Hall, phones: Phones) -> None:
    event = build_evening(hall, pairs=2)
    change_sign_up(event_id=event.pk, is_open=True, most_entries=3)
    for name, heading in (("Anne", "You are signed up, number 3"), ("Rita", "Waiting list: number 1")):
        phone = phones(name, java_script_enabled=False)
        phone.open(f"/e/{event.short}/sign-up")
        phone.take_picture("form")
        phone.page.get_by_label("Your name").fill(f"{name} Lavoie")
        phone.page.get_by_label("Your partner’s name").fill(f"{name} Michaud")
        phone.tap(phone.find_button("Sign up"))
        expect(phone.page.get_by_role("heading", name=heading)).to_be_visible()
        phone.take_picture("done")
        phone.page.reload()
        expect(phone.page.get_by_role("heading", name=heading)).to_be_visible()
    assert event.entries.count() == 4
