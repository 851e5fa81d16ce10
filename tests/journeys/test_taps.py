"""Number of taps for each task, counted on a phone at the table; and the same by keyboard."""

from playwright.sync_api import expect

from rules import BAS_SAINT_LAURENT
from tests.builders import TWO_GAMES, play, score, statuses
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones


def test_one_hand_after_the_other_takes_two_taps_each(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    for total in (6, 12, 18):
        phone.mark("A-6-6")
        phone.sees_totals(total, 0)
    assert phone.taps == 6
    assert statuses(hall.match) == [(1, "current"), (2, "current"), (3, "current")]


def test_a_charlemagne_that_failed_and_ends_the_game_takes_three_taps(hall: Hall, phones: Phones) -> None:
    hall.a_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
    phone = phones()
    phone.open(hall.table)
    phone.mark("B-charlemagne-failed")
    expect(phone.sheet).to_contain_text("bid Charlemagne and failed")
    expect(phone.sheet).to_contain_text("win the game")
    phone.picture("read-aloud")
    phone.tap(phone.button("Yes, that’s right"))
    expect(phone.page.locator(".agree h2")).to_contain_text("win the game")
    phone.picture("game-over")
    assert phone.taps == 3


def test_the_last_hand_is_entered_anew_in_three_taps_and_an_earlier_one_in_four(
    hall: Hall, phones: Phones
) -> None:
    hall.a_night()
    play(hall.match, "B 5 made", "A 6 7")
    phone = phones()
    phone.open(hall.table)
    phone.sees_totals(6, 5)
    phone.tap(phone.button("Undo"))
    phone.sees_totals(0, 5)
    phone.picture("undone")
    phone.mark("A-7-7")
    phone.sees_totals(7, 5)
    assert phone.taps == 3
    phone.tap(phone.page.locator("#hands a").last)
    expect(phone.page.locator(".band")).to_contain_text("Correct hand 1")
    phone.picture("correcting")
    phone.mark("B-6-6")
    phone.sees_totals(7, 6)
    phone.picture("corrected")
    assert phone.taps <= 3 + 4


def test_a_table_is_joined_by_its_code_or_by_its_square(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones()
    phone.open("/")
    phone.picture("home")
    phone.page.get_by_label("Table code").fill(hall.table.removeprefix("/t/"))
    phone.tap(phone.button("Go to my table"))
    expect(phone.page.locator("h1")).to_contain_text("Table 1")
    assert phone.taps == 1


def test_a_wrong_tap_or_what_was_read_aloud_and_is_wrong_leads_back(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    phone.mark("A-mulot-0")
    phone.tap(phone.link("No, correct it"))
    expect(phone.sheet).to_be_hidden()
    expect(phone.result("A-mulot-0")).to_be_visible()
    phone.picture("back-at-tricks")
    phone.tap(phone.result("A-mulot-1"))
    phone.sees_totals(0, 7)
    assert score(hall.match) == [0, 7]
    phone.tap(phone.contract("B-8"))
    phone.tap(phone.link("Another contract"))
    expect(phone.contract("A-5")).to_be_in_viewport()
    phone.mark("A-5-5")
    phone.sees_totals(5, 7)


def test_a_double_tap_marks_nothing(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones(reduced_motion="no-preference")
    phone.open(hall.table)
    sent: list[str] = []
    phone.page.on("request", lambda request: sent.append(request.method))
    box = phone.contract("A-6").bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for _ in range(2):
        phone.page.mouse.click(*middle)
    expect(phone.result("A-6-7")).to_be_visible()
    assert "POST" not in sent


def test_a_hand_is_marked_by_keyboard_alone(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    laptop = phones.laptop()
    laptop.open(hall.table)
    keyboard = laptop.page.keyboard

    def go_to(selector: str) -> None:
        for _ in range(60):
            keyboard.press("Tab")
            if laptop.page.locator(f"{selector}:focus-visible").count():
                return
        raise AssertionError(f"{selector} is not reached")

    go_to('a[href$="#A-6"]')
    laptop.picture("focus-on-a-bid")
    keyboard.press("Enter")
    expect(laptop.result("A-6-7")).to_be_visible()
    go_to('button[value="A-6-7"]')
    laptop.hears_taps()
    laptop.picture("focus-on-a-result")
    keyboard.press("Enter")
    laptop.sees_totals(6, 0)
    go_to('button[value="undone"]')
    laptop.hears_taps()
    keyboard.press("Space")
    laptop.sees_totals(0, 0)


def test_a_paper_sheet_says_who_wins_while_its_totals_are_typed(hall: Hall, phones: Phones) -> None:
    hall.a_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
    desk = phones()
    desk.sign_in(hall.owner)
    desk.open(f"/match/{hall.match.pk}/sheet")
    blue, orange = (desk.page.locator(f"[name=points_{side}]") for side in "ab")
    outcome = desk.page.locator(".outcome")
    blue.fill("12")
    expect(outcome).to_have_text("", use_inner_text=True)
    orange.fill("21")
    desk.picture("paper-outcome")
    expect(outcome).to_contain_text(" win the game.", use_inner_text=True)
    assert desk.page.locator(".outcome .orange").is_visible()
    orange.fill("20")
    expect(outcome).to_have_text("Neither side has 21 points.", use_inner_text=True)
    desk.page.locator("[name=winner][value=A]").check()
    assert desk.page.locator(".outcome .blue").is_visible()
    orange.fill("23")
    blue.fill("23")
    expect(outcome).to_have_text("Only one side can reach 21 points.", use_inner_text=True)
