"""The table on a phone whose browser runs no scripts: everything works, a page at a time."""

import re

import pytest
from playwright.sync_api import expect

from tests.builders import get_score, list_statuses, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones


@pytest.fixture
def phone(hall: Hall, phones: Phones) -> Phone:
    hall.build_night()
    phone = phones(java_script_enabled=False)
    phone.open(hall.table)
    return phone


def test_hand_is_recorded_in_two_taps(hall: Hall, phone: Phone) -> None:
    phone.tap(phone.find_contract_key("A-6"))
    expect(phone.find_contract_key("A-6")).to_be_hidden()
    phone.take_picture("tricks")
    phone.tap(phone.find_result_key("A-6-7"))
    phone.expect_sent_totals(6, 0)
    expect(phone.find_contract_key("A-6")).to_be_in_viewport()
    assert phone.taps == 2
    assert get_score(hall.match) == [6, 0]


def test_hands_are_undone_restored_and_corrected_without_duplicates(hall: Hall, phone: Phone) -> None:
    phone.mark("A-6-7")
    phone.tap(phone.find_button("Undo"))
    phone.expect_sent_totals(0, 0)
    phone.tap(phone.find_button("Restore"))
    phone.expect_sent_totals(6, 0)
    assert list_statuses(hall.match)[-1] == (1, "current")
    phone.mark("B-5-5")
    phone.expect_sent_totals(6, 5)
    marks = list_statuses(hall.match)
    phone.page.reload()
    phone.expect_sent_totals(6, 5)
    assert list_statuses(hall.match) == marks
    phone.tap(phone.page.locator("#hands a").last)
    phone.mark("A-7-7")
    phone.expect_sent_totals(7, 5)


@pytest.mark.long("sends forms that need no browser: tests/scoring/test_table_screen.py")
def test_final_hand_is_read_aloud_confirmed_and_agreed(hall: Hall, phone: Phone) -> None:
    phone.mark("A-mulot-0")
    phone.tap(phone.link("No, correct it"))
    expect(phone.sheet).to_be_hidden()
    phone.tap(phone.find_result_key("A-mulot-1"))
    phone.expect_sent_totals(0, 7)
    phone.mark("A-gros_charlemagne-8")
    expect(phone.sheet).to_be_visible()
    phone.take_picture("read-aloud")
    phone.tap(phone.find_button("Yes, that’s right"))
    for side in "AB":
        phone.tap(phone.page.locator(f'button[name="side"][value="{side}"]'))
    expect(phone.page.get_by_text("Result confirmed. Wait for the desk’s announcement.")).to_be_visible()
    phone.take_picture("agreed")
    assert hall.match.agreements.count() == 2


@pytest.mark.long("test_public_pages.py looks at it without scripts")
def test_public_page_offers_a_refresh_link(hall: Hall, phone: Phone) -> None:
    assert hall.event is not None
    phone.open(f"/e/{hall.event.short}")
    win(hall.match)
    phone.tap(phone.link("Refresh"))
    expect(phone.page.locator(".pairings .winner")).to_contain_text(re.compile("32"))
    expect(phone.find_button("Light or dark")).to_be_hidden()
