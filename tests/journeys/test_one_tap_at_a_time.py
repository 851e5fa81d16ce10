"""What a tap has done is seen at once, and what was tapped by mistake can be taken back."""

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


def test_the_key_that_was_tapped_is_filled_while_it_is_sent_and_no_other_one_can_be_tapped(
    hall: Hall, phones: Phones
) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    held = hold_what_is_sent(phone)
    phone.tap(phone.contract("A-6"))
    at_rest = colours(phone.result("A-6-7"))
    phone.tap(phone.result("A-6-7"))
    expect(phone.page.get_by_text("Sending…")).to_be_visible()
    phone.picture("sending")
    assert colours(phone.result("A-6-7")) != at_rest
    assert colours(phone.result("A-6-8")) == at_rest
    phone.tap(phone.result("A-6-8"))
    phone.tap(phone.link("No, another contract"))
    expect(phone.result("A-6-7")).to_be_visible()
    assert len(held) == 1
    held[0].continue_()
    phone.sees_totals(6, 0)
    assert hall.match.marks.get().record_data["tricks"] == 7


def test_a_key_below_the_bids_is_filled_too(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    play(hall.match, "A 6 7")
    phone = phones()
    phone.open(hall.table)
    held = hold_what_is_sent(phone)
    for key in (phone.button("Misdeal"), phone.button("Undo hand 1")):
        at_rest = colours(key)
        phone.tap(key)
        assert colours(key) != at_rest
        held.pop().fulfill(status=503)
        phone.tap(phone.page.get_by_text("Do not send it…"))
        phone.tap(phone.button("Yes, do not send it"))
        assert colours(key) == at_rest
    assert statuses(hall.match) == [(1, "current")]


def test_an_undo_that_waits_is_called_an_undo(hall: Hall, phones: Phones, server: Server) -> None:
    hall.a_night()
    play(hall.match, "A 6 7")
    phone = phones()
    phone.open(hall.table)
    server.stop()
    phone.tap(phone.button("Undo hand 1"))
    alert = phone.page.get_by_role("alert")
    expect(alert).to_contain_text("This undo is kept on the phone", use_inner_text=True)
    expect(alert).not_to_contain_text("This hand", use_inner_text=True)
    expect(phone.page.get_by_text("1 undo to send")).to_be_visible()
    phone.picture("undo-to-send")
    phone.tap(phone.page.get_by_text("Do not send it…"))
    expect(phone.page.get_by_text("The hand will stay as it is.")).to_be_visible()
    server.start()
    phone.looks_for_news()
    phone.sees_totals(0, 0)


def test_not_to_send_a_hand_is_asked_about_far_from_the_keys(
    hall: Hall, phones: Phones, server: Server
) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    server.stop()
    phone.mark("A-6-7")
    asks = phone.page.get_by_text("Do not send it…")
    expect(asks).to_be_visible()
    expect(phone.button("Yes, do not send it")).to_be_hidden()
    box = asks.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 844 / 2
    phone.tap(asks)
    phone.picture("asks")
    phone.tap(asks)
    expect(phone.button("Yes, do not send it")).to_be_hidden()
    server.start()
    phone.looks_for_news()
    phone.sees_totals(6, 0)


def test_a_call_to_the_desk_is_taken_back(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    win(hall.match)
    phone = phones()
    phone.open(hall.table)
    phone.tap(phone.button("Dispute: call the desk"))
    expect(phone.page.get_by_text("The desk has been called")).to_be_visible()
    expect(phone.button("Dispute: call the desk")).to_be_hidden()
    phone.picture("called")
    phone.tap(phone.button("withdraw the call"))
    expect(phone.page.get_by_text("The desk has been called")).to_be_hidden()
    expect(phone.button("Dispute: call the desk")).to_be_visible()
    assert hall.match.disputes.get().settled_at is not None


def test_two_marks_for_one_hand_say_who_made_each_of_them_and_when(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    phone.mark("A-6-7")
    phone.sees_totals(6, 0)
    mark(hall.match, "A 7 7", number=1, device="another")
    mark(hall.match, "A 8 8", number=1, device="@Noëlla Guy")
    phone.open(hall.table)
    phone.picture("two-marks")
    choices = phone.page.locator(".marks button")
    whose = ("6 made.*this phone", "7 made.*another phone", r"8 made.*the desk \(Noëlla Guy\)")
    for choice, who in zip(choices.all(), whose, strict=True):
        expect(choice).to_contain_text(re.compile(rf"{who}, \d+:\d\d\s[ap]\.m\."))


def test_the_panels_of_a_night_by_the_clock_say_what_a_game_goes_to(hall: Hall, phones: Phones) -> None:
    hall.a_night(match_format=BY_THE_CLOCK)
    for height in (844, 664):
        phone = phones(height=height)
        phone.open(hall.table)
        panels = phone.page.locator(".panel").locator("visible=true").filter(has_text="of 32")
        expect(panels.filter(has_text="games 0")).to_have_count(2 if height == 844 else 4)
