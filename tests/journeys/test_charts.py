"""Brackets and cross tables on a phone: every link is large enough for a finger."""

from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders import build_club, build_running_night, compute_standings, play_round, start_next_round
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tests.journeys.test_layout import list_boxes
from tests.journeys.test_standings import is_nothing_cut_off, take_full_picture
from tournaments.models import Event

FINGER = 44
"""Minimum width and height of a tap target, in pixels."""

CORNERS_SCRIPT = """(cell) => {
  cell.scrollIntoView({block: "center", inline: "end"});
  const box = cell.getBoundingClientRect();
  return [box.left + 3, box.right - 3].flatMap((x) => [box.top + 3, box.bottom - 3].map(
    (y) => Boolean(document.elementFromPoint(x, y).closest("a"))));
}"""

OFTEN = (
    *("Marie-Paule Saint-Pierre-Desrosiers", "Jean-Baptiste de la Bruère-Montarville"),
    *("Lise Roy", "Paul Roy", "Guy Roy", "Thérèse Lavoie-Ouellet"),
)
"""Long and short names, repeated for all players."""


def build_long_names_event(hall: Hall, pairs: int, **settings: Any) -> Event:
    """Build an event with these names, its first round played and its second published."""
    event = build_running_night(pairs, club=build_club(owner=hall.owner), **settings)
    for person, name in zip(event.club.people.all(), cycle(OFTEN), strict=False):
        event.club.people.filter(pk=person.pk).update(name=name, shows_full_name=True)
    play_round(event)
    start_next_round(event)
    compute_standings(event)
    return event


def test_phone_bracket_shows_one_round_and_wide_screen_all(hall: Hall, phones: Phones) -> None:
    event = build_long_names_event(hall, 16, draw_format="knockout")
    phone = phones()
    bracket = phone.page.locator(".bracket")
    ways = bracket.get_by_role("navigation").get_by_role("link")
    for width in (320, 390):
        phone.resize(width)
        phone.open(f"/e/{event.short}/charts")
        take_full_picture(phone, "bracket_by_rounds")
        links = phone.page.locator(".match a, .bye a")
        expect(links).to_have_count(8 * 3 + 4 * 3)
        for leads_on in (links, bracket.locator("a:visible")):
            assert min(min(box["width"], box["height"]) for box in list_boxes(leads_on)) >= FINGER, width
        is_nothing_cut_off(phone, width)
        assert bracket.locator(".wide").evaluate("(it) => it.scrollWidth - it.clientWidth") == 0, width
        expect(ways).to_have_text(["Round of 16", "Quarter-finals", "Semifinals", "Final"])
        ways.filter(has_text="Semifinals").click()
        semifinals, final = (bracket.get_by_role("heading", name=name).last for name in ("Semifinals", "Final"))
        expect(semifinals, f"{width} pixels wide").to_be_in_viewport(ratio=1)
        bracket.get_by_role("link", name="Next: Final").click()
        expect(final, f"{width} pixels wide").to_be_in_viewport(ratio=1)
        assert min(min(box["width"], box["height"]) for box in list_boxes(bracket.locator("a:visible"))) >= FINGER
        is_nothing_cut_off(phone, width)
    phone.resize(1_440)
    phone.open(f"/e/{event.short}/charts")
    take_full_picture(phone, "bracket_side_by_side")
    headings = list_boxes(phone.page.locator(".bracket h4"))
    assert len({box["y"] for box in headings}) == 1
    assert len({box["x"] for box in headings}) == 4
    expect(phone.page.get_by_role("link", name="Next: Final")).to_be_hidden()


@pytest.mark.long
def test_whole_cross_table_cell_links_to_its_match(hall: Hall, phones: Phones) -> None:
    event = build_long_names_event(hall, 9, draw_format="round_robin")
    phone = phones()
    phone.open(f"/e/{event.short}/charts")
    names, cells = phone.page.locator(".cross th a"), phone.page.locator(".cross td a")
    expect(names).to_have_count(9)
    expect(cells).to_have_count(2 * 8)
    for width in (320, 390):
        phone.resize(width)
        take_full_picture(phone, "cross")
        assert min(box["height"] for box in list_boxes(names)) >= FINGER, width
        for cell in phone.page.locator(".cross td:has(a)").all():
            assert cell.evaluate(CORNERS_SCRIPT) == [True] * 4, width
        is_nothing_cut_off(phone, width)


@pytest.mark.long
def test_overlong_name_does_not_cover_its_score(hall: Hall, phones: Phones) -> None:
    event = build_long_names_event(hall, 4, draw_format="knockout")
    event.club.people.update(name=50 * "O")
    phone = phones()
    phone.open(f"/e/{event.short}/charts")
    names = phone.page.locator(".match p:has(.score) > span:not(.seed, .score, .visually-hidden)")
    expect(names).to_have_count(2 * 2)
    for width in (320, 390, 1280):
        phone.resize(width)
        take_full_picture(phone, "endless")
        for name in names.all():
            assert name.evaluate("(it) => it.scrollWidth - it.clientWidth") <= 0, width
