"""Low screens: a browser's bars, landscape orientation and larger text leave little height.

Under all rules and with very long names, all bids of both sides and both totals are visible.
"""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from clubs.models import Person
from rules import CANADIAN, RULESETS, MatchFormat, Ruleset
from scoring.models import Match
from tests import external_tools
from tests.builders import FIFTY_MINUTES, ONE_GAME, TWO_GAMES, play
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones

pytestmark = pytest.mark.skipif(external_tools.find_phone_font() is None, reason="letters are wider than a phone's")

LOW = {
    "between the bars of a browser": (390, 664),
    "a small one": (360, 640),
    "on its side": (844, 390),
}
TEXTS = {"100 %": 16, "130 %": 21}
FORMATS = {"one game": ONE_GAME, "games by the clock": FIFTY_MINUTES}
LONGEST = (
    *("Marie-Paule Saint-Pierre-Desrosiers", "Maximilien-Alexandre Vaillancourt-Archambault"),
    *("Jean-Baptiste de la Bruère-Montarville", "Marie-Antoinette Desrochers-Beauchesne"),
)
MIN_SIZE = 48
"""Minimum height of a bid key and of the keys below the bids, in pixels."""

PLACEHOLDER_ROOM_SCRIPT = """field => {
  const style = getComputedStyle(field), letters = document.createElement("canvas").getContext("2d");
  letters.font = style.font;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const cross = getComputedStyle(field, "::-webkit-search-cancel-button").display === "none" ? 0 : 16;
  return room - cross - letters.measureText(field.placeholder).width;
}"""
"""Pixels left beside the placeholder, without those of the field's clear button."""
OUT_OF_SIGHT_SCRIPT = """least => {
  const lacks = [], parts = [...document.querySelectorAll(".lanes .key, .others > :is(button, a)")];
  const isSeen = (part, x, y) => part.contains(document.elementFromPoint(x, y));
  for (const part of parts) {
    const {left, right, top, bottom, width, height} = part.getBoundingClientRect();
    const middle = (left + right) / 2;
    const isWhole = [top + 1, bottom - 1].every((y) => isSeen(part, middle, y))
      && [left + 1, right - 1].every((x) => isSeen(part, x, (top + bottom) / 2));
    if (!isWhole || height < least || part.scrollWidth > part.clientWidth)
      lacks.push(`${part.innerText}: ${width} by ${height}, down to ${bottom}`);
  }
  const totals = [...document.querySelectorAll(".panels .total")].filter((total) => {
    const {left, top, width, height} = total.getBoundingClientRect();
    return [.3, .7].every((part) => isSeen(total, left + width / 2, top + height * part));
  });
  return totals.length === 2 ? lacks : [...lacks, `${totals.length} totals`];
}"""
"""Keys and totals that are not wholly visible and large enough without scrolling."""


CUT_NAMES = """[...document.querySelectorAll(".panels :is(li, .dealer)")]
  .filter((name) => name.scrollWidth > name.clientWidth + 6).map((name) => name.textContent.trim())"""


def build_long_night(hall: Hall, ruleset: Ruleset, match_format: MatchFormat = ONE_GAME) -> Match:
    """Build a match of players with very long names, whose last hand has the longest text."""
    hall.build_night(pairs=2, ruleset=ruleset, match_format=match_format, details=("declarer", "trump", "mode"))
    for player in hall.match.players.all():
        Person.objects.filter(pk=player.person_id).update(name=LONGEST[player.seat])
    longest = max(ruleset.playable, key=lambda contract: (not contract.ends_game, len(contract.key)))
    play(hall.match, "B 5 made", f"A {longest.key} failed")
    return hall.match


def resize_phone(phone: Phone, width: int, height: int, text: int) -> None:
    """Resize the phone, and wait for the new layout."""
    phone.resize(width, height, text)
    phone.wait_for_taps()


def get_box(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box is not None
    return box


def test_all_bids_and_both_totals_are_visible(hall: Hall, phones: Phones) -> None:
    phone = phones(locale="fr-CA")
    lost = {}
    for (key, ruleset), (format_name, match_format) in product(RULESETS.items(), FORMATS.items()):
        build_long_night(hall, ruleset, match_format)
        phone.open(hall.table)
        for (size, (width, height)), (text, pixels) in product(LOW.items(), TEXTS.items()):
            resize_phone(phone, width, height, pixels)
            phone.take_picture(f"{size}-{text}")
            if found := list_out_of_sight(phone):
                lost[key, format_name, size, text] = found
    assert lost == {}


def list_out_of_sight(phone: Phone) -> list[str]:
    """Return the parts still out of sight once the page has its new size."""
    for _ in range(20):
        found: list[str] = phone.page.evaluate(OUT_OF_SIGHT_SCRIPT, MIN_SIZE)
        if not found:
            break
        phone.page.wait_for_timeout(100)
    return found


@pytest.mark.long
def test_double_text_size_leaves_most_of_the_screen_to_the_bids(hall: Hall, phones: Phones) -> None:
    build_long_night(hall, CANADIAN, TWO_GAMES)
    phone = phones(locale="fr-CA")
    for width, height in LOW.values():
        resize_phone(phone, width, height, 32)
        phone.take_picture(f"200-{width}")
        for step in ("", "#A-gros_charlemagne"):
            phone.open(f"{hall.table}{step}")
            phone.wait_for_taps()
            foot = phone.page.locator(".foot").locator("visible=true")
            taken = get_box(phone.page.locator(".band"))["height"] + get_box(foot)["height"]
            assert taken <= height / 4, (width, height, step)
        phone.open(hall.table)
        for key in phone.page.locator(".lanes .key").all():
            key.scroll_into_view_if_needed()
            assert get_box(key)["height"] >= MIN_SIZE
        assert phone.run_script("document.documentElement.scrollWidth") == width


def test_smallest_phone_shows_common_surnames_in_full(hall: Hall, phones: Phones) -> None:
    hall.build_night(pairs=6)
    phone = phones(width=320, height=568, locale="fr-CA")
    phone.open(hall.table)
    for hand in ("A-6-7", "B-5-5", "A-5-4", "B-6-6"):
        cut = phone.run_script(CUT_NAMES)
        phone.take_picture("surnames")
        assert cut == [], hand
        band = phone.page.locator(".band p")
        assert band.evaluate("element => element.scrollWidth <= element.clientWidth"), band.text_content()
        phone.mark(hand)


@pytest.mark.long
def test_smallest_phone_shows_the_search_placeholder_in_full(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(pairs=6)
    hall.owner.language = "fr"
    hall.owner.save()
    phone = phones(width=320, height=568, locale="fr-CA")
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk/entries/check-in")
    search = phone.page.get_by_placeholder("Chercher un nom")
    search.scroll_into_view_if_needed()
    phone.take_picture("search")
    assert search.evaluate(PLACEHOLDER_ROOM_SCRIPT) >= 0


def test_truncated_name_is_shown_in_full_after_a_tap(hall: Hall, phones: Phones) -> None:
    build_long_night(hall, CANADIAN)
    phone = phones(height=664)
    phone.open(hall.table)
    panels = phone.page.locator(".scores .panels")
    assert len(phone.page.evaluate(CUT_NAMES)) >= 2
    expect(phone.page.locator(".last .gain > :last-child")).to_be_in_viewport(ratio=0.9)
    phone.tap(panels.locator("li").first)
    phone.take_picture("names")
    assert phone.page.evaluate(CUT_NAMES) == []
    for name in LONGEST:
        expect(panels.get_by_text(name)).to_be_in_viewport(ratio=0.9)  # letters are lower than their box
    phone.tap(phone.find_contract_key("A-charlemagne"))
    expect(phone.find_result_key("A-charlemagne-7")).to_be_visible()
