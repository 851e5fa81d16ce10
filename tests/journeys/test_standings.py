"""Standings and brackets on a phone, with and without scripts: each rank opens into its reasons."""

from itertools import product

import pytest
from playwright.sync_api import expect

from tests.builders import compute_standings, matches_of, play_round, start_next_round, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import CUT_OFF_SCRIPT, SIDEWAYS, list_boxes
from tournaments.models import Event


def build_evening(hall: Hall) -> Event:
    """Build two rounds of eight pairs, with a tiebreak by opponents, a penalty and a withdrawal."""
    event = hall.build_night(pairs=8, draw_format="swiss")
    event.ranking = {"order": ["match_wins", "buchholz", "head_to_head", "difference", "lots"]}
    event.sections = [{"name": name, "first_table": None, "last_table": None} for name in ("Mixed", "Club")]
    event.save(update_fields=["ranking", "sections"])
    for entry in event.entries.all():
        entry.section = ("Mixed", "Club")[entry.number % 2]
        entry.save(update_fields=["section"])
    play_round(event)
    event.entries.filter(number=6).update(leaves_after=1)
    start_next_round(event)
    for match in matches_of(event, 2)[:2]:
        win(match, "B")
    first = event.entries.get(number=1)
    event.adjustments.create(entry=first, metric="points_for", amount=-5, round=1, reason="Late.")
    compute_standings(event)
    return event


def build_bracket(hall: Hall) -> Event:
    event = hall.build_night(pairs=7, draw_format="knockout", tables=4)
    play_round(event)
    start_next_round(event)
    compute_standings(event)
    return event


def take_full_picture(phone: Phone, title: str) -> None:
    """Take a picture of the whole page, beyond the screen."""
    size = phone.page.viewport_size
    assert size is not None
    height = int(str(phone.run_script("document.documentElement.scrollHeight")))
    phone.page.set_viewport_size({"width": size["width"], "height": max(size["height"], height)})
    phone.take_picture(title)
    phone.page.set_viewport_size(size)


def is_nothing_cut_off(phone: Phone, where: object = "") -> None:
    """Check that nothing exceeds the width of the page; the failure names ``where``."""
    assert phone.run_script(CUT_OFF_SCRIPT.replace("main *", "main :not(.wide *)")) == [], where
    assert phone.run_script(SIDEWAYS) == 0, where


def test_rank_opens_into_its_reasons_and_stays_open_on_updates(hall: Hall, phones: Phones) -> None:
    event = build_evening(hall)
    phone = phones()
    phone.open(f"/e/{event.short}/standings")
    phone.take_picture("standings")
    rows = phone.page.locator(".standings li details")
    phone.tap(rows.nth(2).locator("summary"))
    opened = str(rows.nth(2).get_attribute("id"))
    row = phone.page.locator(f"#{opened}")
    expect(row.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()
    expect(row.locator("tr.ok")).not_to_have_count(0)
    opponents = row.locator(".counted-rounds a")
    assert min(min(box["width"], box["height"]) for box in list_boxes(opponents)) >= 44
    take_full_picture(phone, "why")
    is_nothing_cut_off(phone)
    assert phone.taps == 1
    for match in matches_of(event, 2)[2:]:
        win(match, "B")
    compute_standings(event)
    phone.poll_for_updates()
    expect(rows.filter(has_text="Round 2")).to_have_count(1)
    expect(phone.page.locator(".standings li details[open]")).to_have_attribute("id", opened)
    expect(row.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()
    expect(row.locator("summary")).to_be_focused()


def test_column_heading_opens_its_explanation(hall: Hall, phones: Phones) -> None:
    event = build_evening(hall)
    laptop = phones()
    headings = laptop.page.locator(".standings-head summary")
    buchholz = laptop.page.get_by_text("Buchholz: Opponents’ total match points")
    for width in (1_280, 800):
        laptop.resize(width)
        laptop.open(f"/e/{event.short}")
        assert min(min(box["width"], box["height"]) for box in list_boxes(headings)) >= 44, width
        laptop.tap(headings.filter(has_text="Buch."))
        expect(buchholz, f"{width} pixels wide").to_be_in_viewport(ratio=1)
        laptop.take_picture(f"heading-{width}")
        is_nothing_cut_off(laptop, width)
    win(matches_of(event, 2)[2])
    compute_standings(event)
    laptop.poll_for_updates()
    expect(laptop.page.get_by_text("3 of 3 results")).to_be_visible()
    expect(buchholz).to_be_visible()
    expect(headings.filter(has_text="Buch.")).to_be_focused()
    laptop.page.keyboard.press("Enter")
    expect(buchholz).to_be_hidden()
    laptop.page.keyboard.press("Tab")
    laptop.page.keyboard.press("Enter")
    expect(laptop.page.get_by_text("Points scored minus points against.").first).to_be_visible()
    laptop.page.emulate_media(media="print")
    expect(headings.first).to_be_visible()
    expect(laptop.page.locator(".column p:visible")).to_have_count(0)


@pytest.mark.long
def test_closed_rank_stays_closed_and_sections_are_one_tap_away(hall: Hall, phones: Phones) -> None:
    event = build_evening(hall)
    phone = phones()
    phone.open(f"/e/{event.short}")
    row = phone.page.locator(".standings li summary").first
    phone.tap(row)
    expect(phone.page.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()
    phone.tap(row)
    win(matches_of(event, 2)[2])
    compute_standings(event)
    phone.poll_for_updates()
    expect(phone.page.get_by_text("3 of 3 results")).to_be_visible()
    expect(phone.page.locator(".standings li details[open]")).to_have_count(0)
    phone.tap(phone.link("Mixed"))
    expect(phone.page.locator(".standings li summary")).to_have_count(4)
    phone.take_picture("section")
    phone.tap(phone.page.locator(".standings li summary").nth(1))
    expect(phone.page.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()
    is_nothing_cut_off(phone)


@pytest.mark.long("tests/tournaments/standings/test_standings_pages.py follows that link")
def test_rank_links_to_a_page_with_its_reasons_without_scripts(hall: Hall, phones: Phones) -> None:
    event = build_evening(hall)
    phone = phones(java_script_enabled=False)
    phone.open(f"/e/{event.short}")
    row = phone.page.locator(".standings li details").first
    phone.tap(row.locator("summary"))
    phone.tap(row.get_by_role("link", name="Why this rank?"))
    expect(phone.page.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()
    expect(phone.page.get_by_text("Rank 1 of 8")).to_be_visible()
    take_full_picture(phone, "entry")
    phone.tap(phone.page.get_by_text("How ranking works"))
    expect(
        phone.page.get_by_text("A bye counts as a win, with no more games than the round’s best win")
    ).to_be_visible()
    phone.tap(phone.link("Standings"))
    expect(phone.page.locator(".standings li summary")).to_have_count(8)


@pytest.mark.long
def test_event_page_shows_the_bracket_with_and_without_scripts(hall: Hall, phones: Phones) -> None:
    event = build_bracket(hall)
    for phone in (phones(), phones("no-scripts", java_script_enabled=False)):
        phone.open(f"/e/{event.short}")
        bracket = phone.page.locator(".bracket").first
        bracket.scroll_into_view_if_needed()
        expect(bracket.get_by_role("heading", name="Semifinals")).to_be_visible()
        expect(bracket.locator(".winner")).to_have_count(3)
        take_full_picture(phone, "bracket")
        is_nothing_cut_off(phone, f"scripts: {phone.has_scripts}")


def test_standings_are_not_cut_off_at_any_size(hall: Hall, phones: Phones) -> None:
    event = build_evening(hall)
    phone = phones()
    for path in ("/standings", "/standings/1", "/charts", ""):
        phone.open(f"/e/{event.short}{path}")
        if rows := phone.page.locator(".standings li summary").all():
            phone.tap(rows[0])
            expect(phone.page.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()
        for screen in product((320, 390), (844,), (16, 24, 32)):
            phone.resize(*screen)
            take_full_picture(phone, f"{path.replace('/', '-')}")
            is_nothing_cut_off(phone, (path, screen))
    phone.resize(390)
    event.ranking = {"order": ["match_wins", "points_for"]}
    event.save(update_fields=["ranking"])
    compute_standings(event)
    phone.open(f"/e/{event.short}/standings")
    for width in (320, 390):
        phone.resize(width)
        phone.take_picture("two-figures")
        for row in phone.page.locator(".standings li summary").all():
            (names,), (figure,) = list_boxes(row.locator(".pair")), list_boxes(row.locator("span:not(.pair) >> nth=0"))
            middle = figure["y"] + figure["height"] / 2
            assert names["y"] < middle < names["y"] + names["height"], width
        is_nothing_cut_off(phone, width)


@pytest.mark.long
def test_laptop_shows_standings_beside_the_round(hall: Hall, phones: Phones) -> None:
    event = build_evening(hall)
    laptop = phones.open_laptop()
    laptop.open(f"/e/{event.short}")
    laptop.tap(laptop.page.locator(".standings li summary").nth(1))
    expect(laptop.page.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()
    take_full_picture(laptop, "laptop")
    for path in ("/standings", "/charts"):
        laptop.open(f"/e/{event.short}{path}")
        take_full_picture(laptop, f"{path[1:]}")
        is_nothing_cut_off(laptop)
