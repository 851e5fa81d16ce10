"""The table on a phone whose browser runs no scripts: everything works, a page at a time."""

import re

import pytest
from playwright.sync_api import expect

from tests.builders import score, statuses, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones


@pytest.fixture
def phone(hall: Hall, phones: Phones) -> Phone:
    hall.a_night()
    phone = phones(java_script_enabled=False)
    phone.open(hall.table)
    return phone


def test_a_hand_is_marked_in_two_taps(hall: Hall, phone: Phone) -> None:
    phone.tap(phone.contract("A-6"))
    expect(phone.contract("A-6")).to_be_hidden()
    phone.picture("tricks")
    phone.tap(phone.result("A-6-7"))
    phone.sees_totals(6, 0)
    expect(phone.contract("A-6")).to_be_in_viewport()
    assert phone.taps == 2
    assert score(hall.match) == [6, 0]


def test_hands_are_undone_put_back_and_corrected_and_a_reload_repeats_nothing(
    hall: Hall, phone: Phone
) -> None:
    phone.mark("A-6-7")
    phone.tap(phone.button("Undo"))
    phone.sees_totals(0, 0)
    phone.tap(phone.button("Restore"))
    phone.sees_totals(6, 0)
    assert statuses(hall.match)[-1] == (1, "current")
    phone.mark("B-5-5")
    phone.sees_totals(6, 5)
    marks = statuses(hall.match)
    phone.page.reload()
    phone.sees_totals(6, 5)
    assert statuses(hall.match) == marks
    phone.tap(phone.page.locator("#hands a").last)
    phone.mark("A-7-7")
    phone.sees_totals(7, 5)


@pytest.mark.long("its forms are sent without a browser by tests/scoring/test_table_screen.py")
def test_the_end_is_read_aloud_confirmed_and_agreed_to(hall: Hall, phone: Phone) -> None:
    phone.mark("A-mulot-0")
    phone.tap(phone.link("No, correct it"))
    expect(phone.sheet).to_be_hidden()
    phone.tap(phone.result("A-mulot-1"))
    phone.sees_totals(0, 7)
    phone.mark("A-gros_charlemagne-8")
    expect(phone.sheet).to_be_visible()
    phone.picture("read-aloud")
    phone.tap(phone.button("Yes, that’s right"))
    for side in "AB":
        phone.tap(phone.page.locator(f'button[name="side"][value="{side}"]'))
    expect(phone.page.get_by_text("Result confirmed. Wait for the next round.")).to_be_visible()
    phone.picture("agreed")
    assert hall.match.agreements.count() == 2


@pytest.mark.long("test_the_public_pages.py looks at it without scripts")
def test_the_public_page_offers_to_be_refreshed(hall: Hall, phone: Phone) -> None:
    assert hall.event is not None
    phone.open(f"/e/{hall.event.short}")
    win(hall.match)
    phone.tap(phone.link("Refresh"))
    expect(phone.page.locator(".pairings .winner")).to_contain_text(re.compile("32"))
    expect(phone.button("Light or dark")).to_be_hidden()
