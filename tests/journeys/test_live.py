"""Live updates: a stream brings what happens at a table to other pages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.builders import play
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones, wait_until

REASONS = """
  window.reasons = [];
  document.addEventListener("htmx:beforeSend", ({ detail: { requestConfig: { triggeringEvent } } }) => {
    window.reasons.push(triggeringEvent?.type ?? "every few seconds");
  });
"""
"""Reasons of the page's background requests."""
SET_HIDDEN_SCRIPT = """(is) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => is });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
HEAR = """() => {
  window.hears = false;
  const stream = new EventSource(document.querySelector("[data-live]").dataset.live);
  stream.onmessage = () => { window.hears = true; };
}"""


def wait_for_a_stream(page: Page) -> None:
    """Wait until a stream of the page sends a message."""
    page.evaluate(HEAR)
    wait_until(page, lambda: bool(page.evaluate("hears")))


def open_watcher(phones: Phones, address: str) -> Phone:
    """Open a page on a laptop, which records the reasons of its requests."""
    watcher = phones.open_laptop()
    watcher.page.add_init_script(REASONS)
    watcher.open(address)
    return watcher


def find_hand_rows(watcher: Phone) -> Locator:
    """Find the rows of hands on a table's public page."""
    return watcher.page.locator(".sheet tbody tr")


def test_recorded_hand_is_streamed_to_a_public_page(hall: Hall, phones: Phones) -> None:
    event = hall.build_night()
    watcher = open_watcher(phones, f"/e/{event.short}/rounds/1/tables/1")
    phone = phones()
    phone.open(hall.table)
    phone.mark("A-6-7")
    phone.has_sent()
    expect(find_hand_rows(watcher)).to_have_count(1)
    watcher.page.clock.fast_forward(5_000)  # with a stream, the page does not poll every few seconds
    assert set(watcher.page.evaluate("reasons")) == {"live"}


def test_page_receives_missed_changes_after_a_server_restart(hall: Hall, phones: Phones) -> None:
    event = hall.build_night()
    watcher = open_watcher(phones, f"/e/{event.short}/rounds/1/tables/1")
    wait_for_a_stream(watcher.page)
    hall.server.stop()
    play(hall.match, "A 6 7")
    watcher.wait_for_updates()
    watcher.wait_for_updates()
    expect(watcher.page.locator("body")).to_have_class("offline")
    hall.server.start()
    watcher.poll_for_updates()
    expect(find_hand_rows(watcher)).to_have_count(1)
    expect(watcher.page.locator("body")).not_to_have_class("offline")


@pytest.mark.long
def test_hidden_page_has_no_stream(hall: Hall, phones: Phones) -> None:
    page = open_watcher(phones, f"/e/{hall.build_night().short}").page
    wait_for_a_stream(page)
    with page.expect_event("requestfailed", is_stream):
        page.evaluate(SET_HIDDEN_SCRIPT, True)
    with page.expect_event("request", is_stream):
        page.evaluate(SET_HIDDEN_SCRIPT, False)


def hold_back(route: Route) -> None:
    """Hold the whole response back, as a buffering proxy does."""


def cut_short(route: Route) -> None:
    """End the response at once, as a proxy with a time limit does."""
    route.fulfill(content_type="text/event-stream", body="retry: 1000\n\n")


def test_page_without_a_stream_polls_every_few_seconds(hall: Hall, phones: Phones) -> None:
    for proxy in (hold_back, cut_short):
        event = hall.build_night()
        watcher = phones.open_laptop()
        watcher.page.add_init_script(REASONS)
        watcher.page.route("**/live/*", proxy)
        watcher.open(f"/e/{event.short}/rounds/1/tables/1")
        play(hall.match, "A 6 7")
        watcher.page.clock.fast_forward(5_000)
        expect(find_hand_rows(watcher), proxy.__name__).to_have_count(1)
        assert set(watcher.page.evaluate("reasons")) == {"every few seconds"}, proxy.__name__


def test_hidden_pages_release_their_connections(hall: Hall, phones: Phones) -> None:
    """A browser allows six connections to a server over HTTP/1.1."""
    address, watcher = f"/e/{hall.build_night().short}", phones.open_laptop()
    for _ in range(6):
        page = watcher.page.context.new_page()
        with page.expect_event("response", lambda answer: is_stream(answer.request)):
            page.goto(hall.server.url + address)
        with page.expect_event("requestfailed", is_stream):
            page.evaluate(SET_HIDDEN_SCRIPT, True)
    watcher.open(address)
    wait_for_a_stream(watcher.page)


def test_recorded_hand_is_streamed_to_the_other_phone_of_the_table(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    one, other = phones(), phones()
    other.page.add_init_script(REASONS)
    other.open(hall.table)
    wait_until(other.page, lambda: bool(other.page.evaluate("answered > 0")))  # its stream has sent the current state
    one.open(hall.table)
    one.mark("A-6-7")
    expect(other.page.locator("#screen")).to_have_attribute("data-number", "2")
    assert set(other.page.evaluate("reasons")) == {"live"}


def is_stream(request: Request) -> bool:
    return "/live/" in request.url
