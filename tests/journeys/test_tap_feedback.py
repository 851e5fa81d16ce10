"""Effects of a tap are visible at once, and a mistaken tap can be undone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.builders import FIFTY_MINUTES, list_statuses, mark, play, win
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phone, Phones


def get_colours(key: Locator) -> list[str]:
    """Return the colours of the key's background and of its text."""
    found: list[str] = key.evaluate("key => [getComputedStyle(key).backgroundColor, getComputedStyle(key).color]")
    return found


def hold_requests(phone: Phone) -> list[Route]:
    """Hold all further hands on their way to the server, and return their requests."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route) if route.request.method == "POST" else route.continue_()

    phone.page.route("**/t/*", hold)
    return held


def test_hand_appears_before_the_server_answers(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    held = hold_requests(phone)
    phone.mark("A-6-7")
    phone.expect_totals(6, 0)
    expect(phone.screen.get_by_text("Sending…")).to_be_visible()
    phone.take_picture("sending")
    phone.mark("B-7-8")
    phone.expect_totals(6, 7)
    assert len(held) == 1
    held[0].continue_()
    phone.page.unroute("**/t/*")
    expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
    assert [mark.record_data["tricks"] for mark in hall.match.marks.all()] == [7, 8]


def test_double_tapped_key_records_one_hand(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    phone.tap(phone.find_contract_key("A-6"))
    phone.find_result_key("A-6-7").dblclick()
    phone.expect_sent_totals(6, 0)
    expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
    phone.expect_sent_totals(6, 0)
    assert list_statuses(hall.match) == [(1, "current")]


def test_button_ignores_the_second_half_of_a_double_tap(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    below = [phone.find_button("Misdeal"), phone.find_button("Undo hand 1")]
    expect(below[0]).to_have_css("pointer-events", "auto")
    phone.stop_clock()
    below[0].dblclick()
    expect(below[1]).to_be_visible()
    phone.has_sent_soon()  # by now the server's response has redrawn the screen
    for button in below:
        expect(button).to_have_css("pointer-events", "none")
    assert list_statuses(hall.match) == [(1, "current")]
    phone.page.clock.run_for(700)
    for button in below:
        expect(button).to_have_css("pointer-events", "auto")


def test_pending_undo_is_shown_at_once(hall: Hall, phones: Phones, server: Server) -> None:
    hall.build_night()
    play(hall.match, "A 6 7")
    phone = phones()
    phone.open(hall.table)
    server.stop()
    phone.tap(phone.find_button("Undo hand 1"))
    phone.expect_sent_totals(0, 0)
    expect(phone.screen.get_by_text("1 to send")).to_be_visible()
    phone.take_picture("undo-to-send")
    phone.tap(phone.find_button("Restore hand 1"))
    phone.expect_sent_totals(6, 0)
    server.start()
    phone.poll_for_updates()
    expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
    phone.expect_sent_totals(6, 0)
    assert list_statuses(hall.match) == [(1, "superseded"), (1, "superseded"), (1, "current")]


@pytest.mark.long
def test_call_to_the_desk_can_be_withdrawn(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    win(hall.match)
    phone = phones()
    phone.open(hall.table)
    phone.tap(phone.find_button("Dispute: call the desk"))
    expect(phone.screen.get_by_text("The desk was notified")).to_be_visible()
    expect(phone.find_button("Dispute: call the desk")).to_be_hidden()
    phone.take_picture("called")
    phone.open_updates()
    phone.tap(phone.find_button("withdraw call"))
    expect(phone.screen.get_by_text("The desk was notified")).to_be_hidden()
    expect(phone.find_button("Dispute: call the desk")).to_be_visible()
    phone.has_sent()
    assert hall.match.disputes.get().settled_at is not None


def test_conflicting_marks_show_their_authors_and_times(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    phone.mark("A-6-7")
    phone.expect_sent_totals(6, 0)
    expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
    mark(hall.match, "A 7 7", number=1, device="another")
    mark(hall.match, "A 8 8", number=1, device="@Noëlla Guy")
    phone.open(hall.table)
    phone.take_picture("two-marks")
    phone.open_updates()
    choices = phone.page.locator(".marks form")
    whose = (("this phone", "6"), ("another phone", "7"), (r"the desk \(Noëlla Guy\)", "8"))
    for choice, (who, contract) in zip(choices.all(), whose, strict=True):
        expect(choice).to_contain_text(re.compile(rf"{who}\s*\d+:\d\d\s[AP]M.*{contract}\s+made", re.DOTALL))
        expect(choice.locator(".difference").filter(has_text=contract)).to_be_visible()
    first, second = (choices.nth(place).bounding_box() for place in (0, 1))
    assert first is not None
    assert second is not None
    assert first["y"] == second["y"], "side by side"


@pytest.mark.long
def test_timed_match_panels_show_the_target_of_a_game(hall: Hall, phones: Phones) -> None:
    hall.build_night(match_format=FIFTY_MINUTES)
    for height in (844, 664):
        phone = phones(height=height)
        phone.open(hall.table)
        panels = phone.page.locator(".panel").locator("visible=true").filter(has_text="of 32")
        expect(panels.filter(has_text="0 won")).to_have_count(2)
