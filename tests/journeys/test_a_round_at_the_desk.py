"""A whole round at the desk: what waits comes first, the hall is told and called, and the next round is three
taps away."""

import re

from playwright.sync_api import expect

from scoring.models import Match
from scoring.services import dispute
from tests.builders import TWO_GAMES, a_club, a_running_night, mark, matches_of, play, win
from tests.journeys.axe import violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones, wait_until
from tests.journeys.test_the_board import OUTSIDE

TONES = """
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when) { window.tones += 1; return start.call(this, when); };
"""


PLACES = """() => {
  const tiles = [...document.querySelectorAll(".tables > li")].map((tile) => tile.getBoundingClientRect());
  const foot = document.querySelector(".deed").getBoundingClientRect();
  const corners = tiles.map(({ x, y }) => [x, y]);
  return { first: tiles[0].top, last: tiles.at(-1).bottom, foot: foot.height, corners };
}"""
"""Where the tiles of the desk are on its page, from the top, and how high the foot is that stays in sight."""

SPILLED = """() => [...document.querySelectorAll(".tables .chip")].filter((chip) => {
  const words = document.createRange();
  words.selectNodeContents(chip);
  const [inner, tile] = [words.getBoundingClientRect(), chip.closest("li").getBoundingClientRect()];
  return inner.right > tile.right - 4 || inner.height > 26;
}).map((chip) => chip.textContent.trim())"""
"""States that touch the edge of their tile, or take two lines."""


def answers_and_calls(desk: Phone, table: Phone, wall: Phone, match: Match) -> None:
    """A table calls the desk, which answers, then has somebody of that table come."""
    dispute(match_id=match.pk, note="A renege?")
    desk.looks_for_news()
    expect(desk.page.locator("#next")).to_contain_text("Table 1: calls the desk.")
    desk.picture("waits")
    desk.tap(desk.page.locator("#next").get_by_role("link"))
    table.looks_for_news()
    expect(table.screen.get_by_text("Someone is coming.")).to_be_visible()
    desk.page.get_by_label("Score upheld").check()
    desk.page.get_by_label("Other reason").fill("Play on")
    desk.tap(desk.button("Settle the call"))
    expect(desk.button("Settle the call")).to_have_count(0)
    desk.tap(desk.button("Call this table"))
    expect(desk.page.get_by_text("Table 1 called to the desk at")).to_be_visible()
    table.looks_for_news()
    expect(table.screen.get_by_text("Please send one player to the desk")).to_be_visible()
    table.picture("called")
    wall.looks_for_news()
    expect(wall.page.locator(".leaf:visible .messages")).to_contain_text("To the desk, please: table 1")
    assert wall.runs(OUTSIDE) == []
    wall.picture("called")
    desk.tap(desk.button("Mark as arrived"))


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
    desk.page.get_by_label("Message").fill("We eat at eight, in the small hall")
    desk.picture("message")
    assert not violations(desk)
    desk.tap(desk.button("Show message"))
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
    expect(missing).to_contain_text("Round 1: waiting for 1 table")
    expect(missing.get_by_role("link", name="Enter the score sheet")).to_be_visible()
    assert not violations(desk)
    desk.picture("missing")
    win(second)
    desk.looks_for_news()
    expect(missing).to_have_count(0)
    for step in ("Close round 1", "Draw round 2", "Publish round 2"):
        desk.tap(desk.button(step))
    expect(desk.page.get_by_text("Round 2: 0 of 2 tables done")).to_be_visible()
    for screen in (table, wall):
        screen.looks_for_news()
        expect(screen.page.get_by_text(said)).to_have_count(0)
    desk.picture("next-round")


def test_thirty_tables_fit_in_two_screens_of_a_phone_and_none_moves(hall: Hall, phones: Phones) -> None:
    event = a_running_night(60, club=a_club(owner=hall.owner), match_format=TWO_GAMES)
    first, second, third, *_ = matches_of(event)
    play(first, "A gros_charlemagne made", "A 6 7")
    dispute(match_id=second.pk)
    for said in ("A 8 made", "A 8 failed"):
        mark(third, said, number=1)
    desk = phones("desk", locale="fr-CA")
    desk.sign_in(hall.owner)
    desk.open(f"/e/{event.short}/desk")
    before = desk.page.evaluate(PLACES)
    assert before["first"] < 200
    assert before["last"] <= 2 * 844 - before["foot"]
    assert desk.runs(SPILLED) == []
    assert not violations(desk)
    desk.picture("thirty-tables")
    dispute(match_id=matches_of(event)[20].pk)
    desk.looks_for_news()
    expect(desk.page.locator("#sort")).to_be_visible()
    assert desk.page.evaluate(PLACES)["corners"] == before["corners"]


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
    desk.page.get_by_label("Countdown (minutes)").press("5")
    expect(desk.page.get_by_label("Countdown (minutes)")).to_have_value("5")
    desk.picture("keys")

    dispute(match_id=first.pk)
    desk.looks_for_news()
    expect(desk.page.locator("#next")).to_contain_text("Table 1")
    assert desk.page.evaluate("window.tones") == 0
    desk.opens_more()
    sound = desk.button("Sound alerts")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    heard = desk.page.evaluate("window.tones")
    assert heard == 2
    mark(second, "A 6 7")
    desk.looks_for_news()
    expect(desk.page.locator("#table-2")).to_contain_text("Hand 2")
    assert desk.page.evaluate("window.tones") == heard  # nothing new waits
    dispute(match_id=second.pk)
    desk.looks_for_news()
    expect(desk.page.locator("#next")).to_contain_text("And 1 more table needs attention.")
    wait_until(desk.page, lambda: bool(desk.page.evaluate("window.tones") == 2 * heard))
    desk.page.reload()
    desk.opens_more()
    expect(sound).to_have_attribute("aria-pressed", "true")
    desk.button("Keyboard shortcuts").click()
    keys.press("m")
    expect(desk.page.locator("#say")).not_to_be_focused()


def test_a_phone_has_no_switch_for_keys_until_a_keyboard_types(hall: Hall, phones: Phones) -> None:
    event = hall.a_night(4)
    desk = phones(is_mobile=True)
    desk.sign_in(hall.owner)
    desk.open(f"/e/{event.short}/desk")
    desk.opens_more()
    expect(desk.button("Sound alerts")).to_be_visible()
    expect(desk.button("Keyboard shortcuts")).to_be_hidden()
    desk.page.keyboard.press("n")
    expect(desk.button("Close round 1")).to_be_focused()
    expect(desk.button("Keyboard shortcuts")).to_be_visible()
