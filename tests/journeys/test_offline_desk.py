"""The desk and the public pages on a network that fails, loses a response and returns."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.builders import matches_of, win
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tournaments.models import Event, Round
from tournaments.rounds.services.clock import begin_round


def open_desk(hall: Hall, phones: Phones) -> tuple[Event, Phone]:
    event = hall.build_night()
    desk = phones("desk")
    desk.sign_in(hall.owner)
    return event, desk


def drop_answer(route: Route) -> None:
    """Let the server execute the request, but drop the response."""
    route.fetch(max_redirects=0)
    route.abort()


def fail_request(route: Route) -> None:
    route.fulfill(status=503, body="Try later")


def refuse_forms(route: Route) -> None:
    """Refuse a form as a proxy refuses a large body."""
    if route.request.method == "POST":
        route.fulfill(status=413, body="Request Entity Too Large")
    else:
        route.fallback()


def is_not_through(page: Page, message: str = "Your entries are still here") -> None:
    expect(page.locator("form .unsent")).to_contain_text(message)


class TestDeskForms:
    @pytest.mark.long
    def test_form_that_returns_to_its_page_can_be_sent_repeatedly(self, hall: Hall, phones: Phones) -> None:
        event, desk = open_desk(hall, phones)
        desk.open(f"/e/{event.short}/desk/settings")
        for name in ("Mardi", "Mercredi", "Jeudi"):
            desk.tap(desk.page.locator("#part-name > summary"))
            desk.page.locator("#name input[name=name]").fill(name)
            desk.tap(desk.page.locator("#name button"))
            expect(desk.page.locator("header")).to_contain_text(name)
        assert Event.objects.get().name == "Jeudi"

    def test_form_keeps_its_input_and_is_sent_when_the_network_returns(self, hall: Hall, phones: Phones) -> None:
        event, desk = open_desk(hall, phones)
        desk.open(f"/e/{event.short}/desk")
        desk.page.get_by_label("Countdown (minutes)").fill("45")
        desk.page.context.set_offline(True)
        desk.tap(desk.find_button("Start the clock"))
        is_not_through(desk.page)
        expect(desk.page.get_by_label("Countdown (minutes)")).to_have_value("45")
        desk.take_picture("not-through")
        assert not find_violations(desk)
        desk.page.context.set_offline(False)
        win(hall.match)
        assert desk.wait_for_updates()
        is_not_through(desk.page)
        desk.tap(desk.find_button("Try again"))
        expect(desk.find_button("Pause the clock")).to_be_visible()
        assert Round.objects.get().clock_minutes == 45

    def test_retried_form_is_executed_once(self, hall: Hall, phones: Phones) -> None:
        event, desk = open_desk(hall, phones)
        begin_round(event_id=event.pk, number=1, minutes=45)
        desk.open(f"/e/{event.short}/desk")
        for added, spoil in ((5, drop_answer), (10, fail_request)):
            desk.page.route("**/more-minutes", spoil, times=1)
            desk.tap(desk.find_button("Add 5 minutes"))
            is_not_through(desk.page)
            desk.tap(desk.find_button("Try again"))
            expect(desk.page.locator(".unsent"), spoil.__name__).to_be_hidden()
            expect(desk.page.locator(".last-action")).to_contain_text("5 minutes")
            assert Round.objects.get().added_minutes == added, spoil.__name__

    @pytest.mark.long
    def test_form_that_is_too_large_says_so_and_keeps_its_input(self, hall: Hall, phones: Phones) -> None:
        event, desk = open_desk(hall, phones)
        desk.open(f"/e/{event.short}/desk")
        desk.page.get_by_label("Countdown (minutes)").fill("45")
        desk.page.route("**/desk/**", refuse_forms)
        desk.tap(desk.find_button("Start the clock"))
        is_not_through(desk.page, "Too large: nothing was recorded")
        expect(desk.page.get_by_label("Countdown (minutes)")).to_have_value("45")

    def test_refused_form_shows_the_reason_and_keeps_its_input(self, hall: Hall, phones: Phones) -> None:
        event, desk = open_desk(hall, phones)
        desk.open(f"/e/{event.short}/desk")
        desk.page.get_by_label("Countdown (minutes)").fill("601")
        desk.tap(desk.find_button("Start the clock"))
        expect(desk.page.get_by_role("alert")).to_contain_text("600")
        expect(desk.page.get_by_label("Countdown (minutes)")).to_have_value("601")

    @pytest.mark.long
    def test_partial_page_form_reports_a_missing_network(self, hall: Hall, phones: Phones) -> None:
        event, desk = open_desk(hall, phones)
        desk.open(f"/e/{event.short}/desk/entries/check-in")
        desk.page.context.set_offline(True)
        box = desk.page.locator("#tap-1")
        before = box.get_attribute("aria-pressed")
        desk.tap(box)
        is_not_through(desk.page)
        desk.page.context.set_offline(False)
        desk.tap(desk.find_button("Try again"))
        expect(box).not_to_have_attribute("aria-pressed", str(before))


def test_offline_call_waits_and_is_sent_in_order(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    win(hall.match)
    phone = phones()
    phone.open(hall.table)
    hall.server.stop()
    phone.tap(phone.find_button("Dispute: call the desk"))
    expect(phone.screen.get_by_text("your call is waiting to be sent")).to_be_visible()
    phone.take_picture("call-waits")
    phone.open_updates()
    phone.tap(phone.find_button("withdraw call"))
    expect(phone.find_button("Dispute: call the desk")).to_be_visible()
    phone.tap(phone.find_button("Dispute: call the desk"))
    hall.server.start()
    phone.poll_for_updates()
    expect(phone.screen.get_by_text("The desk was notified.")).to_be_visible()
    phone.has_sent()
    settled = [call.settled_at is not None for call in hall.match.disputes.order_by("pk")]
    assert settled == [True, False]


@pytest.mark.long
def test_desk_that_missed_one_update_is_not_reported_offline(hall: Hall, phones: Phones) -> None:
    event, desk = open_desk(hall, phones)
    desk.open(f"/e/{event.short}/desk")
    desk.page.context.set_offline(True)
    assert desk.wait_for_updates() == 2
    expect(desk.page.locator("#away")).to_be_hidden()
    desk.wait_for_updates()
    expect(desk.page.locator("#away")).to_be_visible()


@pytest.mark.long
def test_offline_notice_stays_visible_while_scrolling(hall: Hall, phones: Phones) -> None:
    event, desk = open_desk(hall, phones)
    desk.open(f"/e/{event.short}/desk")
    desk.page.context.set_offline(True)
    desk.run_script("scrollTo(0, document.documentElement.scrollHeight)")
    for _ in range(2):
        desk.wait_for_updates()
    expect(desk.page.locator("#away")).to_be_in_viewport()
    desk.take_picture("away-down-the-page")
    assert not find_violations(desk)


def test_offline_public_page_shows_its_last_content_and_time(hall: Hall, phones: Phones) -> None:
    event = hall.build_night()
    win(matches_of(event)[0])
    reader = phones("reader")
    away = reader.page.locator("#away")
    for rest in ("", "/standings", "/rounds/1", "/rounds/1/tables/1"):
        reader.open(f"/e/{event.short}{rest}")
        reader.wait_for_updates()
        reader.page.context.set_offline(True)
        for _ in range(2):
            reader.wait_for_updates()
        expect(away, rest).to_have_text(re.compile(r"^No network\. Last update: \d\d?:\d\d\s[AP]M\.$"))
        reader.take_picture("away")
        here = reader.page.url
        reader.page.locator("main a[href^='/'], header a[href^='/']").first.click()
        expect(away, rest).to_contain_text("that page is unavailable")
        expect(away, rest).to_be_in_viewport()
        assert reader.page.url == here
        reader.page.context.set_offline(False)
        reader.wait_for_updates()
        expect(away, rest).to_have_text("The network is back.")
        reader.wait_for_updates()
        expect(away, rest).to_be_hidden()
