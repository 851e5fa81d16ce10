"""Number of taps for each task on a phone at the table, and the tasks by keyboard."""

import pytest
from playwright.sync_api import expect

from rules import BAS_SAINT_LAURENT
from tests.builders import TWO_GAMES, get_score, list_statuses, play
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones


def test_each_hand_takes_two_taps(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    for total in (6, 12, 18):
        phone.mark("A-6-6")
        phone.expect_sent_totals(total, 0)
    assert phone.taps == 6
    assert list_statuses(hall.match) == [(1, "current"), (2, "current"), (3, "current")]


def test_failed_charlemagne_that_ends_the_game_takes_three_taps(hall: Hall, phones: Phones) -> None:
    hall.build_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
    phone = phones()
    phone.open(hall.table)
    phone.mark("B-charlemagne-failed")
    expect(phone.sheet).to_contain_text("bid Charlemagne and failed")
    expect(phone.sheet).to_contain_text("win the game")
    phone.take_picture("read-aloud")
    phone.tap(phone.find_button("Yes, that’s right"))
    expect(phone.page.locator(".agree h2")).to_contain_text("win the game")
    phone.take_picture("game-over")
    assert phone.taps == 3


def test_correction_takes_three_taps_for_the_last_hand_and_four_before(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    play(hall.match, "B 5 made", "A 6 7")
    phone = phones()
    phone.open(hall.table)
    phone.expect_sent_totals(6, 5)
    phone.tap(phone.find_button("Undo"))
    phone.expect_sent_totals(0, 5)
    phone.take_picture("undone")
    phone.mark("A-7-7")
    phone.expect_sent_totals(7, 5)
    assert phone.taps == 3
    phone.tap(phone.page.locator("#hands a").last)
    expect(phone.page.locator(".band")).to_contain_text("Correct hand 1")
    phone.take_picture("correcting")
    phone.mark("B-6-6")
    phone.expect_sent_totals(7, 6)
    phone.take_picture("corrected")
    assert phone.taps <= 3 + 4


def test_table_is_joined_by_its_code_in_one_tap(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.open("/")
    phone.take_picture("home")
    phone.page.get_by_label("Table code").fill(hall.table.removeprefix("/t/"))
    phone.tap(phone.find_button("Go to my table"))
    expect(phone.page.locator("h1")).to_contain_text("Table 1")
    assert phone.taps == 1


def test_wrong_tap_or_rejected_read_aloud_hand_can_be_corrected(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    phone.mark("A-mulot-0")
    phone.tap(phone.link("No, correct it"))
    expect(phone.sheet).to_be_hidden()
    expect(phone.find_result_key("A-mulot-0")).to_be_visible()
    phone.take_picture("back-at-tricks")
    phone.tap(phone.find_result_key("A-mulot-1"))
    phone.expect_sent_totals(0, 7)
    assert get_score(hall.match) == [0, 7]
    phone.tap(phone.find_contract_key("B-8"))
    phone.tap(phone.link("Another contract"))
    expect(phone.find_contract_key("A-5")).to_be_in_viewport()
    phone.mark("A-5-5")
    phone.expect_sent_totals(5, 7)


def test_double_tap_on_a_bid_records_nothing(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones(reduced_motion="no-preference")
    phone.open(hall.table)
    sent: list[str] = []
    phone.page.on("request", lambda request: sent.append(request.method))
    box = phone.find_contract_key("A-6").bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for _ in range(2):
        phone.page.mouse.click(*middle)
    expect(phone.find_result_key("A-6-7")).to_be_visible()
    assert "POST" not in sent


def test_hand_is_recorded_by_keyboard_alone(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    laptop = phones.open_laptop()
    laptop.open(hall.table)
    keyboard = laptop.page.keyboard

    def focus_element(selector: str) -> None:
        for _ in range(60):
            keyboard.press("Tab")
            if laptop.page.locator(f"{selector}:focus-visible").count():
                return
        raise AssertionError(f"{selector} is not reached")

    focus_element('a[href$="#A-6"]')
    laptop.take_picture("focus-on-a-bid")
    keyboard.press("Enter")
    expect(laptop.find_result_key("A-6-7")).to_be_visible()
    focus_element('button[value="A-6-7"]')
    laptop.wait_for_taps()
    laptop.take_picture("focus-on-a-result")
    keyboard.press("Enter")
    laptop.expect_sent_totals(6, 0)
    focus_element('button[value="undone"]')
    laptop.wait_for_taps()
    keyboard.press("Space")
    laptop.expect_sent_totals(0, 0)


COVERED_FOCUS = """() => {
  const part = document.activeElement, {left, top, bottom, width} = part.getBoundingClientRect();
  const isSeen = (y) => part.contains(document.elementFromPoint(left + width / 2, y));
  return part === document.body || [top + 3, bottom - 3].every(isSeen) ? "" : part.outerHTML;
}"""
"""What has the focus and is covered, at its upper or its lower edge."""


@pytest.mark.long
def test_keyboard_focus_is_never_covered_by_the_foot(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    play(hall.match, *["A 5 made", "B 5 made"] * 3)
    phone = phones()
    phone.open(hall.table)
    covered = set()
    for _ in range(40):
        phone.page.keyboard.press("Tab")
        covered.add(phone.page.evaluate(COVERED_FOCUS))
    assert covered == {""}


@pytest.mark.long
def test_paper_sheet_shows_the_winner_while_totals_are_typed(hall: Hall, phones: Phones) -> None:
    hall.build_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
    desk = phones()
    desk.sign_in(hall.owner)
    desk.open(f"/match/{hall.match.pk}/sheet")
    blue, orange = (desk.page.locator(f"[name=points_{side}]") for side in "ab")
    outcome = desk.page.locator(".outcome")
    blue.fill("12")
    expect(outcome).to_have_text("", use_inner_text=True)
    orange.fill("21")
    desk.take_picture("paper-outcome")
    expect(outcome).to_contain_text(" win the game.", use_inner_text=True)
    assert desk.page.locator(".outcome .orange").is_visible()
    orange.fill("20")
    expect(outcome).to_have_text("Neither side has 21 points.", use_inner_text=True)
    desk.page.locator("[name=winner][value=A]").check()
    assert desk.page.locator(".outcome .blue").is_visible()
    orange.fill("23")
    blue.fill("23")
    expect(outcome).to_have_text("Only one side can reach 21 points.", use_inner_text=True)
