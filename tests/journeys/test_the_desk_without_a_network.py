"""The desk and the public pages on a network that goes away, loses an answer, and comes back."""

import re

from playwright.sync_api import Page, Route, expect

from tests.builders import matches_of, win
from tests.journeys.axe import violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tournaments.models import Event, Round
from tournaments.rounds.services.clock import begin_round


def a_desk(hall: Hall, phones: Phones) -> tuple[Event, Phone]:
    event = hall.a_night()
    desk = phones("desk")
    desk.sign_in(hall.owner)
    return event, desk


def loses_the_answer(route: Route) -> None:
    """The server has done it, and the desk does not hear so."""
    route.fetch(max_redirects=0)
    route.abort()


def fails(route: Route) -> None:
    route.fulfill(status=503, body="Try later")


def is_not_through(page: Page) -> None:
    expect(page.locator("form .not-through")).to_contain_text("Your entries are still here")


class TestAFormOfTheDesk:
    def test_that_leads_back_to_where_it_was_sent_from_is_done_each_time(
        self, hall: Hall, phones: Phones
    ) -> None:
        event, desk = a_desk(hall, phones)
        desk.open(f"/e/{event.short}/desk/settings")
        for name in ("Mardi", "Mercredi", "Jeudi"):
            desk.tap(desk.page.locator("#part-name > summary"))
            desk.page.locator("#name input[name=name]").fill(name)
            desk.tap(desk.page.locator("#name button"))
            expect(desk.page.locator("header")).to_contain_text(name)
        assert Event.objects.get().name == "Jeudi"

    def test_stays_with_what_was_typed_and_goes_once_the_network_is_back(
        self, hall: Hall, phones: Phones
    ) -> None:
        event, desk = a_desk(hall, phones)
        desk.open(f"/e/{event.short}/desk")
        desk.page.get_by_label("Countdown (minutes)").fill("45")
        desk.page.context.set_offline(True)
        desk.tap(desk.button("Start the clock"))
        is_not_through(desk.page)
        expect(desk.page.get_by_label("Countdown (minutes)")).to_have_value("45")
        desk.picture("not-through")
        assert not violations(desk)
        desk.page.context.set_offline(False)
        win(hall.match)
        assert desk.is_told_the_news()
        is_not_through(desk.page)
        desk.tap(desk.button("Try again"))
        expect(desk.button("Pause the clock")).to_be_visible()
        assert Round.objects.get().clock_minutes == 45

    def test_is_tried_again_and_done_once(self, hall: Hall, phones: Phones) -> None:
        event, desk = a_desk(hall, phones)
        begin_round(event_id=event.pk, number=1, minutes=45)
        desk.open(f"/e/{event.short}/desk")
        for added, spoil in ((5, loses_the_answer), (10, fails)):
            desk.page.route("**/more-minutes", spoil, times=1)
            desk.tap(desk.button("Add 5 minutes"))
            is_not_through(desk.page)
            desk.tap(desk.button("Try again"))
            expect(desk.page.locator(".not-through"), spoil.__name__).to_be_hidden()
            expect(desk.page.locator(".last-deed")).to_contain_text("5 minutes")
            assert Round.objects.get().added_minutes == added, spoil.__name__

    def test_that_is_refused_says_why_and_keeps_what_was_typed(self, hall: Hall, phones: Phones) -> None:
        event, desk = a_desk(hall, phones)
        desk.open(f"/e/{event.short}/desk")
        desk.page.get_by_label("Countdown (minutes)").fill("601")
        desk.tap(desk.button("Start the clock"))
        expect(desk.page.get_by_role("alert")).to_contain_text("600")
        expect(desk.page.get_by_label("Countdown (minutes)")).to_have_value("601")

    def test_which_changes_a_part_of_its_page_says_so_too(self, hall: Hall, phones: Phones) -> None:
        event, desk = a_desk(hall, phones)
        desk.open(f"/e/{event.short}/desk/entries/check-in")
        desk.page.context.set_offline(True)
        box = desk.page.locator("#tap-1")
        before = box.get_attribute("aria-pressed")
        desk.tap(box)
        is_not_through(desk.page)
        desk.page.context.set_offline(False)
        desk.tap(desk.button("Try again"))
        expect(box).not_to_have_attribute("aria-pressed", str(before))


def test_a_call_without_a_network_waits_and_goes_with_what_came_after_it(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    win(hall.match)
    phone = phones()
    phone.open(hall.table)
    hall.server.stop()
    phone.tap(phone.button("Dispute: call the desk"))
    expect(phone.screen.get_by_text("your call is waiting to be sent")).to_be_visible()
    phone.picture("call-waits")
    phone.opens_news()
    phone.tap(phone.button("withdraw call"))
    expect(phone.button("Dispute: call the desk")).to_be_visible()
    phone.tap(phone.button("Dispute: call the desk"))
    hall.server.start()
    phone.looks_for_news()
    expect(phone.screen.get_by_text("The desk was notified.")).to_be_visible()
    phone.has_sent()
    settled = [call.settled_at is not None for call in hall.match.disputes.order_by("pk")]
    assert settled == [True, False]


def test_a_desk_that_missed_one_round_of_news_is_not_away_yet(hall: Hall, phones: Phones) -> None:
    event, desk = a_desk(hall, phones)
    desk.open(f"/e/{event.short}/desk")
    desk.page.context.set_offline(True)
    assert desk.is_told_the_news() == 2
    expect(desk.page.locator("#away")).to_be_hidden()
    desk.is_told_the_news()
    expect(desk.page.locator("#away")).to_be_visible()


def test_that_there_is_no_network_stays_in_sight_down_the_page(hall: Hall, phones: Phones) -> None:
    event, desk = a_desk(hall, phones)
    desk.open(f"/e/{event.short}/desk")
    desk.page.context.set_offline(True)
    desk.runs("scrollTo(0, document.documentElement.scrollHeight)")
    for _ in range(2):
        desk.is_told_the_news()
    expect(desk.page.locator("#away")).to_be_in_viewport()
    desk.picture("away-down-the-page")
    assert not violations(desk)


def test_a_public_page_shows_what_it_had_and_since_when(hall: Hall, phones: Phones) -> None:
    event = hall.a_night()
    win(matches_of(event)[0])
    reader = phones("reader")
    away = reader.page.locator("#away")
    for rest in ("", "/standings", "/rounds/1", "/rounds/1/tables/1"):
        reader.open(f"/e/{event.short}{rest}")
        reader.is_told_the_news()
        reader.page.context.set_offline(True)
        for _ in range(2):
            reader.is_told_the_news()
        expect(away, rest).to_have_text(re.compile(r"^No network\. Last update: \d\d?:\d\d\s[AP]M\.$"))
        reader.picture("away")
        here = reader.page.url
        reader.page.locator("main a[href^='/'], header a[href^='/']").first.click()
        expect(away, rest).to_contain_text("that page is unavailable")
        expect(away, rest).to_be_in_viewport()
        assert reader.page.url == here
        reader.page.context.set_offline(False)
        reader.is_told_the_news()
        expect(away, rest).to_have_text("The network is back.")
        reader.is_told_the_news()
        expect(away, rest).to_be_hidden()
