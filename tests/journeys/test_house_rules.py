"""House rules as they are written: the difference follows the finger, and nothing typed is lost."""

import re

import pytest
from playwright.sync_api import Page, expect

from clubs.models import HouseRules
from tests.builders import a_club
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import boxes
from tournaments.models import Event

UNDER_THE_FOOT = """(() => {
  const focused = document.activeElement, foot = document.querySelector(".deed");
  const above = focused.getBoundingClientRect(), below = foot.getBoundingClientRect();
  const isUnder = !foot.contains(focused) && above.bottom > below.top && above.top < below.bottom;
  return isUnder ? focused.outerHTML : null;
})()"""


def the_editor(hall: Hall, phone: Phone, base: str = "bas-saint-laurent") -> Page:
    """A new set of house rules, out of that system."""
    club = a_club(owner=hall.owner)
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}/house-rules/new/{base}")
    return phone.page


def says(page: Page, text: str) -> None:
    """Among what differs."""
    expect(page.locator("#difference")).to_contain_text(text)


@pytest.mark.parametrize(
    "screen", ["phone", pytest.param("laptop", marks=pytest.mark.long("the same way as on a phone"))]
)
def test_a_setting_says_at_once_that_it_differs_and_is_put_back_in_its_place(
    hall: Hall, phones: Phones, screen: str
) -> None:
    phone = phones() if screen == "phone" else phones.laptop()
    page = the_editor(hall, phone)
    target, setting = page.get_by_label("Points that win a game"), page.locator("#setting-target")
    says(page, "Same as the standard rules")
    phone.picture("new")
    target.fill("25")
    page.get_by_label("Name").fill("Our Tuesdays")
    says(page, "To 25 instead of 21.")
    expect(setting).to_contain_text("Changed. Standard: 21")
    phone.picture("changed")
    phone.tap(setting.get_by_role("button", name=re.compile("Restore")))
    says(page, "Same as the standard rules")
    expect(target).to_have_value("21")
    expect(target).to_be_focused()
    expect(page.get_by_label("Name")).to_have_value("Our Tuesdays")


def test_from_the_club_to_a_night_that_is_played_by_them(hall: Hall, phones: Phones) -> None:
    phone = phones()
    page = phone.page
    club = a_club(owner=hall.owner)
    phone.sign_in(hall.owner)
    phone.open(f"/club/{club.slug}")
    phone.opens_more()
    phone.tap(phone.link("House rules"))
    phone.picture("none")
    phone.tap(phone.link("^Maine, to 21"))
    page.get_by_label("Name").fill("Our Tuesdays")
    page.get_by_label("Points that win a game").fill("25")
    phone.tap(page.locator("#setting-contracts-5 > label"))
    says(page, "The order of bids lacks the dealer’s forced bid (5). Add or change it.")
    phone.picture("impossible")
    phone.tap(phone.button("Save rules").last)
    expect(page.locator("#refusal")).to_be_visible()
    expect(page.locator("[name=forced_bid]")).to_be_focused()
    phone.picture("refused")
    page.locator("[name=forced_bid]").fill("6")
    phone.tap(phone.button("Save rules").last)
    expect(page.locator(".differences li")).to_have_text(
        ["To 25 instead of 21.", "Not bid: 5.", "Dealer’s minimum bid: 6 instead of 5."]
    )
    phone.picture("kept")
    phone.tap(phone.link("^New night"))
    phone.picture("new-night")
    phone.tap(phone.button("Enter the pairs"))
    expect(page.get_by_text("0 entries").first).to_be_visible()
    terms = Event.objects.get().terms
    assert (terms.rules_name, terms.ruleset.target, terms.ruleset.forced_bid) == ("Our Tuesdays", 25, 6)


def test_nothing_moves_when_a_setting_is_marked_as_changed(hall: Hall, phones: Phones) -> None:
    phone = phones()
    page = the_editor(hall, phone)
    settings = page.locator(".setting.number, .setting.contract")
    before = [box["height"] for box in boxes(settings)]
    page.get_by_label("Points that win a game").fill("25")
    page.locator("[name='contracts.6.made']").fill("12")
    page.locator("[name='contracts.grosse.made']").fill("10")
    page.get_by_label("Name").focus()
    says(page, "High Card No Trump pays")
    assert [box["height"] for box in boxes(settings)] == before


def test_by_keyboard_the_focus_stays_where_it_is_above_the_foot_and_enter_saves(
    hall: Hall, phones: Phones
) -> None:
    laptop = phones.laptop()
    page = the_editor(hall, laptop)
    page.get_by_label("Name").fill("Our Tuesdays")
    page.get_by_label("Points that win a game").fill("25")
    page.keyboard.press("Tab")
    says(page, "To 25 instead of 21.")
    while not laptop.runs("document.activeElement.matches('.deed .button')"):
        assert laptop.runs(UNDER_THE_FOOT) is None
        page.keyboard.press("Tab")
    page.get_by_label("Points that win a game").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Our Tuesdays")).to_be_visible()
    assert HouseRules.objects.get().difference == {"target": 25}
