"""Repeating last week's night in few taps, from the club's page to the first deal; and nights of the calendar."""

import datetime
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.builders import build_club, build_event
from tests.journeys.hall import NAMES, Hall
from tests.journeys.phone import Phone, Phones
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event
from tournaments.rounds.queries.rounds import lineup_of

PAIRS = 8
ABSENT = (3, 7)

Screen = Callable[[Phones], Phone]


def build_last_week_night(hall: Hall) -> Event:
    """Build a night of eight pairs that a club held a week ago."""
    held_on = datetime.datetime.now(tz=datetime.UTC).date() - datetime.timedelta(days=7)
    event = build_event(0, club=build_club(owner=hall.owner), tables=4)
    entries = {number: NAMES[2 * number - 2 : 2 * number] for number in range(1, PAIRS + 1)}
    add_entries(event_id=event.pk, entries=entries)
    start_event(event_id=event.pk)
    Event.objects.filter(pk=event.pk).update(held_on=held_on, name="Mardi no 12")
    return end_event(event_id=event.pk)


@pytest.mark.parametrize(
    "screen",
    [
        pytest.param(Phones.__call__, id="phone"),
        pytest.param(Phones.open_laptop, id="laptop", marks=pytest.mark.long("the same as on a phone")),
    ],
)
def test_night_is_repeated_and_started_in_few_taps(hall: Hall, phones: Phones, screen: Screen) -> None:
    club = build_last_week_night(hall).club
    phone = screen(phones)
    page = phone.page
    phone.sign_in(hall.owner)

    phone.open(f"/club/{club.slug}")
    phone.take_picture("club")
    phone.tap(phone.link("Same as last time"))
    expect(page.get_by_label("Name", exact=True)).to_have_value("Mardi no 13")
    phone.take_picture("as-last-time")
    phone.tap(phone.find_button("Create the night"))
    expect(page.locator("#present")).to_have_text("0 pairs present")
    assert phone.taps == 2
    phone.take_picture("door")

    here = [number for number in range(1, PAIRS + 1) if number not in ABSENT]
    for number in here:
        phone.tap(page.locator(f"#tap-{number}"))
        expect(page.locator(f"#tap-{number}")).to_have_attribute("aria-pressed", "true")
    phone.take_picture("present")
    phone.tap(phone.find_button("Play without absentees"))
    phone.tap(phone.find_button("Start: draw round 1"))
    phone.tap(phone.find_button("Publish round 1"))
    expect(page.get_by_text("Round 1").first).to_be_visible()
    phone.take_picture("first-deal")

    event = Event.objects.get(name="Mardi no 13")
    (drawn,) = event.rounds.all()
    seated = {entry for table in lineup_of(drawn).tables for side in (table.a, table.b) for entry in side}
    assert {event.entries.get(pk=pk).number for pk in seated} == set(here)
    assert phone.taps == 2 + len(here) + 3


def test_calendar_night_opens_with_one_tap_and_is_cancelled_with_two(hall: Hall, phones: Phones) -> None:
    club = build_last_week_night(hall).club
    phone = phones()
    page = phone.page
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}/calendar/new")
    page.get_by_label("Night name").fill("Tuesday cards")
    page.get_by_label("Place").fill("Church hall")
    phone.take_picture("new")
    phone.tap(phone.find_button("^Add$"))
    expect(page.get_by_role("status")).to_contain_text("Added to calendar: Tuesday cards")
    phone.take_picture("calendar")

    phone.taps = 0
    next_week = page.locator(".nights a[href*='/on/']").nth(1)
    phone.tap(next_week)
    page.get_by_label("Reason").fill("storm")
    phone.take_picture("day")
    phone.tap(phone.find_button("Cancel the night"))
    expect(page.get_by_role("status")).to_contain_text("Tuesday cards: cancelled on")
    assert phone.taps == 2
    phone.tap(phone.find_button("^Undo$"))
    expect(page.get_by_text("Cancelled (storm)")).to_have_count(0)

    phone.taps = 0
    phone.open(f"/club/{club.slug}")
    phone.take_picture("tonight")
    phone.tap(phone.find_button("Start the night"))
    expect(page.locator("#present")).to_have_text("0 pairs present")
    assert phone.taps == 1
    phone.open(f"/c/{club.slug}/calendar")
    phone.take_picture("public")
