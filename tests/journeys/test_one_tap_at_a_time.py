"""Effects of a tap are seen at once, and a mistaken tap can be undone."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Route, expect

from tests.builders import BY_THE_CLOCK, mark, play, statuses, win
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phone, Phones


def colours(key: Locator) -> list[str]:
    """Of its ground and of its letters."""
    found: list[str] = key.evaluate(
        "key => [getComputedStyle(key).backgroundColor, getComputedStyle(key).color]"
    )
    return found


def hold_what_is_sent(phone: Phone) -> list[Route]:
    """Every hand from here on stays on its way."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route) if route.request.method == "POST" else route.continue_()

    phone.page.route("**/t/*", hold)
    return held


def test_a_hand_stands_on_the_screen_before_the_server_has_answered(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    held = hold_what_is_sent(phone)
    phone.mark("A-6-7")
    phone.shows_totals(6, 0)
    expect(phone.screen.get_by_text("Sending…")).to_be_visible()
    phone.picture("sending")
    phone.mark("B-7-8")
    phone.shows_totals(6, 7)
    assert len(held) == 1
    held[0].continue_()
    phone.page.unroute("**/t/*")
    expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
    assert [mark.record_data["tricks"] for mark in hall.match.marks.all()] == [7, 8]


def test_a_key_that_is_tapped_twice_marks_one_hand(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    phone.tap(phone.contract("A-6"))
    phone.result("A-6-7").dblclick()
    phone.sees_totals(6, 0)
    expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
    phone.sees_totals(6, 0)
    assert statuses(hall.match) == [(1, "current")]


def test_a_button_that_stands_where_it_was_is_deaf_to_the_second_half_of_a_double_tap(
    hall: Hall, phones: Phones
) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    below = [phone.button("Misdeal"), phone.button("Undo hand 1")]
    expect(below[0]).to_have_css("pointer-events", "auto")
    phone.stops_the_clock()
    below[0].dblclick()
    expect(below[1]).to_be_visible()
    phone.has_sent_soon()  # and the screen is drawn again with the server's answer
    for button in below:
        expect(button).to_have_css("pointer-events", "none")
    assert statuses(hall.match) == [(1, "current")]
    phone.page.clock.run_for(700)
    for button in below:
        expect(button).to_have_css("pointer-events", "auto")


def test_an_undo_that_waits_is_seen_at_once(hall: Hall, phones: Phones, server: Server) -> None:
    hall.a_night()
    play(hall.match, "A 6 7")
    phone = phones()
    phone.open(hall.table)
    server.stop()
    phone.tap(phone.button("Undo hand 1"))
    phone.sees_totals(0, 0)
    expect(phone.screen.get_by_text("1 to send")).to_be_visible()
    phone.picture("undo-to-send")
    phone.tap(phone.button("Restore hand 1"))
    phone.sees_totals(6, 0)
    server.start()
    phone.looks_for_news()
    expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
    phone.sees_totals(6, 0)
    assert statuses(hall.match) == [(1, "superseded"), (1, "superseded"), (1, "current")]


def test_a_call_to_the_desk_is_taken_back(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    win(hall.match)
    phone = phones()
    phone.open(hall.table)
    phone.tap(phone.button("Dispute: call the desk"))
    expect(phone.screen.get_by_text("The desk was notified")).to_be_visible()
    expect(phone.button("Dispute: call the desk")).to_be_hidden()
    phone.picture("called")
    phone.opens_news()
    phone.tap(phone.button("withdraw call"))
    expect(phone.screen.get_by_text("The desk was notified")).to_be_hidden()
    expect(phone.button("Dispute: call the desk")).to_be_visible()
    phone.has_sent()
    assert hall.match.disputes.get().settled_at is not None


def test_two_marks_for_one_hand_say_who_made_each_of_them_and_when(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    phone.mark("A-6-7")
    phone.sees_totals(6, 0)
    expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
    mark(hall.match, "A 7 7", number=1, device="another")
    mark(hall.match, "A 8 8", number=1, device="@Noëlla Guy")
    phone.open(hall.table)
    phone.picture("two-marks")
    phone.opens_news()
    choices = phone.page.locator(".marks form")
    whose = (("this phone", "6"), ("another phone", "7"), (r"the desk \(Noëlla Guy\)", "8"))
    for choice, (who, contract) in zip(choices.all(), whose, strict=True):
        expect(choice).to_contain_text(re.compile(rf"{who}\s*\d+:\d\d\s[AP]M.*{contract}\s+made", re.DOTALL))
        expect(choice.locator(".differs").filter(has_text=contract)).to_be_visible()
    first, second = (choices.nth(place).bounding_box() for place in (0, 1))
    assert first is not None
    assert second is not None
    assert first["y"] == second["y"], "side by side"


def test_the_panels_of_a_night_by_the_clock_say_what_a_game_goes_to(hall: Hall, phones: Phones) -> None:
    hall.a_night(match_format=BY_THE_CLOCK)
    for height in (844, 664):
        phone = phones(height=height)
        phone.open(hall.table)
        panels = phone.page.locator(".panel").locator("visible=true").filter(has_text="of 32")
        expect(panels.filter(has_text="games 0")).to_have_count(2)
