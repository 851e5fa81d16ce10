"""A whole round at the desk: what waits comes first, the hall is told and called, and the next round is three
taps away."""

import re

from playwright.sync_api import expect

from scoring.models import Match
from scoring.services import dispute
from tests.builders import mark, matches_of, win
from tests.journeys.axe import violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones, wait_until
from tests.journeys.test_the_board import OUTSIDE

TONES = """
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when) { window.tones += 1; return start.call(this, when); };
"""


def answers_and_calls(desk: Phone, table: Phone, wall: Phone, match: Match) -> None:
    """A table calls the desk, which answers, then has somebody of that table come."""
    dispute(match_id=match.pk, note="A renege?")
    desk.looks_for_news()
    expect(desk.page.locator("#waits")).to_contain_text("Table 1: calls the desk.")
    desk.picture("waits")
    desk.tap(desk.page.locator("#waits").get_by_role("link"))
    desk.page.get_by_label("What did you rule?").fill("Play on")
    desk.tap(desk.button("Settle the call"))
    expect(desk.page.get_by_label("What did you rule?")).to_have_count(0)
    desk.tap(desk.button("Call this table to the desk"))
    expect(desk.page.get_by_text("Table 1 is called to the desk")).to_be_visible()
    table.looks_for_news()
    expect(table.page.get_by_text("The desk asks you to come")).to_be_visible()
    table.picture("called")
    wall.looks_for_news()
    expect(wall.page.locator(".leaf:visible .messages")).to_contain_text("To the desk, please: table 1")
    assert wall.runs(OUTSIDE) == []
    wall.picture("called")
    desk.tap(desk.button("They came"))


def test_the_hall_is_told_called_and_brought_to_the_next_round(hall: Hall, phones: Phones) -> None:
    event = hall.a_night(4)
    first, second = matches_of(event)
    desk, table = phones("desk"), phones("table")
    wall = phones("wall", width=1280, height=720)
    desk.sign_in(hall.owner)
    desk.open(f"/e/{event.short}/desk")
    table.open(hall.table)
    wall.open(f"/e/{event.short}/board")

    desk.tap(desk.link("Message").last)
    desk.page.get_by_label("What everybody is to read").fill("We eat at eight, in the small hall")
    desk.picture("message")
    assert not violations(desk)
    desk.tap(desk.button("Show it"))
    said = re.compile("We eat at eight, in the small hall")
    expect(desk.page.get_by_text(said)).to_have_count(2)  # what stands, and what was done last
    for screen in (table, wall):
        screen.looks_for_news()
        expect(screen.page.get_by_text(said).locator("visible=true")).to_be_visible()

    answers_and_calls(desk, table, wall, first)
    desk.tap(desk.button("Start the clock"))
    desk.tap(desk.button("Last hand"))
    for screen in (table, wall):
        screen.looks_for_news()
        expect(screen.page.locator(".last-hand").locator("visible=true")).to_be_visible()

    win(first)
    desk.looks_for_news()
    desk.tap(desk.button("Close round 1"))
    missing = desk.page.locator("#missing")
    expect(missing).to_contain_text("Round 1 waits for 1 table")
    expect(missing.get_by_role("link", name="Type the paper sheet")).to_be_visible()
    assert not violations(desk)
    desk.picture("missing")
    win(second)
    desk.looks_for_news()
    expect(missing).to_have_count(0)
    for step in ("Close round 1", "Draw round 2", "Publish round 2"):
        desk.tap(desk.button(step))
    expect(desk.page.get_by_text("Round 2: 0 tables of 2 done")).to_be_visible()
    for screen in (table, wall):
        screen.looks_for_news()
        expect(screen.page.get_by_text(said)).to_have_count(0)
    desk.picture("next-round")


def test_a_laptop_goes_by_keys_and_sounds_when_something_new_waits(hall: Hall, phones: Phones) -> None:
    event = hall.a_night(4)
    first, second = matches_of(event)
    desk = phones.laptop()
    desk.page.add_init_script(TONES)
    desk.sign_in(hall.owner)
    desk.open(f"/e/{event.short}/desk")
    keys = desk.page.keyboard
    keys.press("n")
    expect(desk.button("Close round 1")).to_be_focused()
    expect(desk.page.locator("#refusal")).to_have_count(0)
    keys.press("Control+m")
    expect(desk.button("Close round 1")).to_be_focused()
    desk.page.get_by_label("Minutes to count down").press("5")
    expect(desk.page.get_by_label("Minutes to count down")).to_have_value("5")
    desk.picture("keys")

    dispute(match_id=first.pk)
    desk.looks_for_news()
    expect(desk.page.locator("#waits")).to_contain_text("Table 1")
    assert desk.page.evaluate("window.tones") == 0
    sound = desk.button("Sound when something waits")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    heard = desk.page.evaluate("window.tones")
    assert heard == 2
    mark(second, "A 6 7")
    desk.looks_for_news()
    expect(desk.page.locator("#table-2")).to_contain_text("Playing, hand 2")
    assert desk.page.evaluate("window.tones") == heard  # nothing new waits
    dispute(match_id=second.pk)
    desk.looks_for_news()
    expect(desk.page.locator("#waits")).to_contain_text("Table 2")
    wait_until(desk.page, lambda: bool(desk.page.evaluate("window.tones") == 2 * heard))
    desk.page.reload()
    expect(sound).to_have_attribute("aria-pressed", "true")
    desk.button("Keys beside buttons").click()
    keys.press("m")
    expect(desk.page.locator("#say")).not_to_be_focused()


def test_a_phone_has_no_switch_for_keys_until_a_keyboard_types(hall: Hall, phones: Phones) -> None:
    event = hall.a_night(4)
    desk = phones(is_mobile=True)
    desk.sign_in(hall.owner)
    desk.open(f"/e/{event.short}/desk")
    expect(desk.button("Sound when something waits")).to_be_visible()
    expect(desk.button("Keys beside buttons")).to_be_hidden()
    desk.page.keyboard.press("n")
    expect(desk.button("Close round 1")).to_be_focused()
    expect(desk.button("Keys beside buttons")).to_be_visible()
