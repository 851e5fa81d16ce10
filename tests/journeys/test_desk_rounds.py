"""A round at the desk: pending matters, messages and calls to the hall, and the next round in three taps."""

import re

from playwright.sync_api import expect

from scoring.models import Match
from scoring.services.agreement import call_desk
from tests.builders import TWO_GAMES, build_club, build_running_night, mark, matches_of, play, win
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones, wait_until
from tests.journeys.test_board import list_outside

TONES = """
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when) { window.tones += 1; return start.call(this, when); };
"""


PLACES = """() => {
  const tiles = [...document.querySelectorAll(".tables > li")].map((tile) => tile.getBoundingClientRect());
  const foot = document.querySelector(".action-bar").getBoundingClientRect();
  const corners = tiles.map(({ x, y }) => [x, y]);
  return { first: tiles[0].top, last: tiles.at(-1).bottom, foot: foot.height, corners };
}"""
"""Positions of the desk's tiles from the top of the page, and the height of its fixed footer."""

OVERFLOW_SCRIPT = """() => [...document.querySelectorAll(".tables .chip")].filter((chip) => {
  const words = document.createRange();
  words.selectNodeContents(chip);
  const [inner, tile] = [words.getBoundingClientRect(), chip.closest("li").getBoundingClientRect()];
  return inner.right > tile.right - 4 || inner.height > 26;
}).map((chip) => chip.textContent.trim())"""
"""Table states that touch the edge of their tile or take two lines."""


def answer_and_call(desk: Phone, table: Phone, wall: Phone, match: Match) -> None:
    """Let a table call the desk, settle the call, then call a player of the table to the desk."""
    call_desk(match_id=match.pk, note="A renege?")
    desk.poll_for_updates()
    expect(desk.page.locator("#next")).to_contain_text("Table 1: calls the desk.")
    desk.take_picture("waits")
    desk.tap(desk.page.locator("#next").get_by_role("link"))
    table.poll_for_updates()
    expect(table.screen.get_by_text("Someone is coming.")).to_be_visible()
    desk.page.get_by_label("Score upheld").check()
    desk.page.get_by_label("Other reason").fill("Play on")
    desk.tap(desk.find_button("Settle the call"))
    expect(desk.find_button("Settle the call")).to_have_count(0)
    desk.tap(desk.find_button("Call this table"))
    expect(desk.page.get_by_text("Table 1 called to the desk at")).to_be_visible()
    table.poll_for_updates()
    expect(table.screen.get_by_text("Please send one player to the desk")).to_be_visible()
    table.take_picture("called")
    wall.poll_for_updates()
    expect(wall.page.locator(".board-page:visible .messages")).to_contain_text("To the desk, please: table 1")
    assert list_outside(wall) == []
    wall.take_picture("called")
    desk.tap(desk.find_button("Mark as arrived"))


def test_desk_sends_messages_calls_a_table_and_starts_the_next_round(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(4)
    first, second = matches_of(event)
    desk, table = phones("desk"), phones("table")
    wall = phones("wall", width=1280, height=720)
    desk.sign_in(hall.owner)
    desk.open(f"/e/{event.short}/desk")
    table.open(hall.table)
    wall.open(f"/e/{event.short}/board")

    desk.tap(desk.link("Message").last)
    desk.page.get_by_label("Message").fill("We eat at eight, in the small hall")
    desk.take_picture("message")
    assert not find_violations(desk)
    desk.tap(desk.find_button("Show message"))
    message_pattern = re.compile("We eat at eight, in the small hall")
    expect(desk.page.get_by_text(message_pattern)).to_have_count(2)  # the message itself, and the last action
    for screen in (table, wall):
        screen.poll_for_updates()
        expect(screen.page.get_by_text(message_pattern).locator("visible=true").first).to_be_visible()

    answer_and_call(desk, table, wall, first)
    desk.tap(desk.find_button("Start the clock"))
    desk.tap(desk.find_button("Last hand"))
    for screen in (table, wall):
        screen.poll_for_updates()
        expect(screen.page.locator(".last-hand").locator("visible=true")).to_be_visible()

    win(first)
    desk.poll_for_updates()
    desk.tap(desk.find_button("Close round 1"))
    missing = desk.page.locator("#missing")
    expect(missing).to_contain_text("Round 1: waiting for 1 table")
    expect(missing.get_by_role("link", name="Enter the score sheet")).to_be_visible()
    assert not find_violations(desk)
    desk.take_picture("missing")
    win(second)
    desk.poll_for_updates()
    expect(missing).to_have_count(0)
    for step in ("Close round 1", "Draw round 2", "Publish round 2"):
        desk.tap(desk.find_button(step))
    expect(desk.page.get_by_text("Round 2: 0 of 2 tables done")).to_be_visible()
    for screen in (table, wall):
        screen.wait_for_updates()  # one may have been asked before the round was published
        screen.poll_for_updates()
        expect(screen.page.get_by_text(message_pattern)).to_have_count(0)
    desk.take_picture("next-round")


def test_thirty_tables_fit_on_two_phone_screens(hall: Hall, phones: Phones) -> None:
    event = build_running_night(60, club=build_club(owner=hall.owner), match_format=TWO_GAMES)
    first, second, third, *_ = matches_of(event)
    play(first, "A gros_charlemagne made", "A 6 7")
    call_desk(match_id=second.pk)
    for hand in ("A 8 made", "A 8 failed"):
        mark(third, hand, number=1)
    desk = phones("desk", locale="fr-CA")
    desk.sign_in(hall.owner)
    desk.open(f"/e/{event.short}/desk")
    before = desk.page.evaluate(PLACES)
    assert before["first"] < 200
    assert before["last"] <= 2 * 844 - before["foot"]
    assert desk.run_script(OVERFLOW_SCRIPT) == []
    assert not find_violations(desk)
    desk.take_picture("thirty-tables")
    call_desk(match_id=matches_of(event)[20].pk)
    desk.poll_for_updates()
    expect(desk.page.locator("#sort")).to_be_visible()
    assert desk.page.evaluate(PLACES)["corners"] == before["corners"]


def test_laptop_desk_has_keyboard_shortcuts_and_sound_alerts(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(4)
    first, second = matches_of(event)
    desk = phones.open_laptop()
    desk.page.add_init_script(TONES)
    desk.sign_in(hall.owner)
    desk.open(f"/e/{event.short}/desk")
    keys = desk.page.keyboard
    keys.press("n")
    expect(desk.find_button("Close round 1")).to_be_focused()
    expect(desk.page.locator("#refusal")).to_have_count(0)
    keys.press("Control+m")
    expect(desk.find_button("Close round 1")).to_be_focused()
    desk.page.get_by_label("Countdown (minutes)").press("5")
    expect(desk.page.get_by_label("Countdown (minutes)")).to_have_value("5")
    desk.take_picture("keys")

    call_desk(match_id=first.pk)
    desk.poll_for_updates()
    expect(desk.page.locator("#next")).to_contain_text("Table 1")
    assert desk.page.evaluate("window.tones") == 0
    desk.open_more_menu()
    sound = desk.find_button("Sound alerts")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    heard = desk.page.evaluate("window.tones")
    assert heard == 2
    mark(second, "A 6 7")
    desk.poll_for_updates()
    expect(desk.page.locator("#table-2")).to_contain_text("Hand 2")
    assert desk.page.evaluate("window.tones") == heard  # no new table needs attention
    call_desk(match_id=second.pk)
    desk.poll_for_updates()
    expect(desk.page.locator("#next")).to_contain_text("And 1 more table needs attention.")
    wait_until(desk.page, lambda: bool(desk.page.evaluate("window.tones") == 2 * heard))
    desk.page.reload()
    desk.open_more_menu()
    expect(sound).to_have_attribute("aria-pressed", "true")
    desk.find_button("Keyboard shortcuts").click()
    keys.press("m")
    expect(desk.page.locator("#say")).not_to_be_focused()


def test_phone_offers_keyboard_shortcuts_once_a_keyboard_is_used(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(4)
    desk = phones(is_mobile=True)
    desk.sign_in(hall.owner)
    desk.open(f"/e/{event.short}/desk")
    desk.open_more_menu()
    expect(desk.find_button("Sound alerts")).to_be_visible()
    expect(desk.find_button("Keyboard shortcuts")).to_be_hidden()
    desk.page.keyboard.press("n")
    expect(desk.find_button("Close round 1")).to_be_focused()
    expect(desk.find_button("Keyboard shortcuts")).to_be_visible()
