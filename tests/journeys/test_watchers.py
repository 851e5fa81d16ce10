"""Updates on the pages of onlookers: the public page of the family and the desk of the organizer."""

import pytest
from playwright.sync_api import expect

from tests.builders import compute_standings, matches_of, play, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones


@pytest.mark.long
def test_opened_row_stays_open_on_updates(hall: Hall, phones: Phones) -> None:
    phone = phones()
    for row in (0, 2):
        event = hall.build_night(pairs=4)
        first, second = matches_of(event)
        win(first)
        compute_standings(event)
        phone.open(f"/e/{event.short}")
        rows = phone.page.locator(".standings li details")
        opened = rows.nth(row).get_attribute("id")
        rows.nth(row).locator("summary").press("Enter")
        win(second)
        compute_standings(event)
        phone.poll_for_updates()
        expect(rows.filter(has_text="Matches won: 1")).to_have_count(2)
        still_open = phone.page.locator(".standings li details[open]")
        expect(still_open, f"row {row}").to_have_attribute("id", str(opened))
        expect(phone.page.locator(f"#{opened} summary"), f"row {row}").to_be_focused()


def test_signed_out_desk_asks_to_sign_in_again(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    laptop = phones.open_laptop()
    laptop.sign_in(hall.owner)
    laptop.open(f"/e/{event.short}/desk")
    other = laptop.page.context.new_page()
    other.goto(f"/club/{event.club.slug}")
    other.locator("#menu summary").click()
    other.get_by_role("button", name="Sign out").click()
    expect(other).to_have_url(f"{hall.server.url}/")
    laptop.poll_for_updates()
    expect(laptop.page.get_by_label("Password")).to_be_visible()
    laptop.take_picture("sign-in")
    laptop.sign_in_by_form(hall.owner)


@pytest.mark.long
def test_desk_keeps_its_focus_on_updates(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    laptop = phones.open_laptop()
    laptop.sign_in(hall.owner)
    laptop.open(f"/e/{event.short}/desk")
    row = laptop.page.locator("#table-2")
    row.focus()
    play(matches_of(event)[0], "A 6 7")
    laptop.poll_for_updates()
    expect(laptop.page.get_by_text("Hand 2", exact=True)).to_be_visible()
    expect(row).to_be_focused()


def test_update_does_not_move_the_desk_during_a_press(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    laptop = phones.open_laptop()
    laptop.sign_in(hall.owner)
    laptop.open(f"/e/{event.short}/desk")
    laptop.link("Correct").hover()
    laptop.page.mouse.down()
    play(matches_of(event)[0], "A 6 7")
    assert laptop.wait_for_updates()
    expect(laptop.page.get_by_text("Hand 2", exact=True)).to_be_hidden()
    laptop.page.mouse.up()
    expect(laptop.page).to_have_url(f"{hall.server.url}/e/{event.short}/desk/rounds/1")


def test_pressed_desk_catches_up_after_release(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=4)
    laptop = phones.open_laptop()
    laptop.sign_in(hall.owner)
    laptop.open(f"/e/{event.short}/desk")
    laptop.page.get_by_role("progressbar").hover()
    laptop.page.mouse.down()
    play(matches_of(event)[0], "A 6 7")
    laptop.poll_for_updates()
    laptop.page.mouse.up()
    laptop.poll_for_updates()
    expect(laptop.page.get_by_text("Hand 2", exact=True)).to_be_visible()
