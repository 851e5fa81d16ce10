"""The house-rules editor: the list of differences updates while typing, and nothing typed is lost."""

import re

import pytest
from playwright.sync_api import Page, expect

from clubs.models import HouseRules
from tests.builders import build_club
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import list_boxes
from tournaments.models import Event

HIDDEN_FOCUS_SCRIPT = """(() => {
  const focused = document.activeElement, foot = document.querySelector(".action-bar");
  const above = focused.getBoundingClientRect(), below = foot.getBoundingClientRect();
  const isUnder = !foot.contains(focused) && above.bottom > below.top && above.top < below.bottom;
  return isUnder ? focused.outerHTML : null;
})()"""


def open_editor(hall: Hall, phone: Phone, base: str = "bas-saint-laurent") -> Page:
    """Open the editor of new house rules that are based on a ruleset."""
    club = build_club(owner=hall.owner)
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}/house-rules/new/{base}")
    return phone.page


def expect_difference(page: Page, text: str) -> None:
    """Wait until the list of differences contains the text."""
    expect(page.locator("#difference")).to_contain_text(text)


@pytest.mark.parametrize("screen", ["phone", pytest.param("laptop", marks=pytest.mark.long("the same as on a phone"))])
def test_changed_setting_is_marked_and_can_be_reset(hall: Hall, phones: Phones, screen: str) -> None:
    phone = phones() if screen == "phone" else phones.open_laptop()
    page = open_editor(hall, phone)
    target, setting = page.get_by_label("Points that win a game"), page.locator("#setting-target")
    expect_difference(page, "Same as the standard rules")
    phone.take_picture("new")
    target.fill("25")
    page.get_by_label("Name").fill("Our Tuesdays")
    expect_difference(page, "To 25 instead of 21.")
    expect(setting).to_contain_text("Changed. Standard: 21")
    phone.take_picture("changed")
    phone.tap(setting.get_by_role("button", name=re.compile("Restore")))
    expect_difference(page, "Same as the standard rules")
    expect(target).to_have_value("21")
    expect(target).to_be_focused()
    expect(page.get_by_label("Name")).to_have_value("Our Tuesdays")


def test_house_rules_apply_to_a_new_night(hall: Hall, phones: Phones) -> None:
    phone = phones()
    page = phone.page
    club = build_club(owner=hall.owner)
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}")
    phone.open_more_menu()
    phone.tap(phone.link("House rules"))
    phone.take_picture("none")
    phone.tap(phone.link("^Maine, to 21"))
    page.get_by_label("Name").fill("Our Tuesdays")
    page.get_by_label("Points that win a game").fill("25")
    phone.tap(page.locator("#setting-contracts-5 > label"))
    expect_difference(page, "The order of bids lacks the dealer’s forced bid (5). Add or change it.")
    phone.take_picture("impossible")
    phone.tap(phone.find_button("Save rules").last)
    expect(page.locator("#refusal")).to_be_visible()
    expect(page.locator("[name=forced_bid]")).to_be_focused()
    phone.take_picture("refused")
    page.locator("[name=forced_bid]").fill("6")
    phone.tap(phone.find_button("Save rules").last)
    expect(page.locator(".differences li")).to_have_text(
        ["To 25 instead of 21.", "Not bid: 5.", "Dealer’s minimum bid: 6 instead of 5."]
    )
    phone.take_picture("kept")
    phone.tap(phone.link("^New night"))
    phone.take_picture("new-night")
    phone.tap(phone.find_button("Enter the pairs"))
    expect(page.get_by_text("0 entries").first).to_be_visible()
    terms = Event.objects.get().terms
    assert (terms.rules_name, terms.ruleset.target, terms.ruleset.forced_bid) == ("Our Tuesdays", 25, 6)


@pytest.mark.long
def test_marking_a_setting_as_changed_moves_nothing(hall: Hall, phones: Phones) -> None:
    phone = phones()
    page = open_editor(hall, phone)
    settings = page.locator(".setting.number, .setting.contract")
    before = [box["height"] for box in list_boxes(settings)]
    page.get_by_label("Points that win a game").fill("25")
    page.locator("[name='contracts.6.made']").fill("12")
    page.locator("[name='contracts.grosse.made']").fill("10")
    page.get_by_label("Name").focus()
    expect_difference(page, "High Card No Trump pays")
    assert [box["height"] for box in list_boxes(settings)] == before


@pytest.mark.long
def test_keyboard_focus_stays_visible_and_enter_saves(hall: Hall, phones: Phones) -> None:
    laptop = phones.open_laptop()
    page = open_editor(hall, laptop)
    page.get_by_label("Name").fill("Our Tuesdays")
    page.get_by_label("Points that win a game").fill("25")
    page.keyboard.press("Tab")
    expect_difference(page, "To 25 instead of 21.")
    while not laptop.run_script("document.activeElement.matches('.action-bar .button')"):
        assert laptop.run_script(HIDDEN_FOCUS_SCRIPT) is None
        page.keyboard.press("Tab")
    page.get_by_label("Points that win a game").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Our Tuesdays")).to_be_visible()
    assert HouseRules.objects.get().difference == {"target": 25}
