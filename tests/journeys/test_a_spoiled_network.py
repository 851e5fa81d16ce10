"""A hall's Wi-Fi that answers with pages of its own, boxes that answer with any status, lost answers.

Nothing of them is taken for an answer, on any page, and no hand is lost or comes twice.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.db import OperationalError
from playwright.sync_api import Browser, Locator, expect
from pytest_django.fixtures import Settings

from scoring.models import Mark, Match
from tests.builders import (
    a_club,
    an_event,
    matches_of,
    play,
    play_round,
    score,
    standings_after,
    statuses,
)
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones, wait_until
from tests.spoiling_proxy import Delay, Fault, Spoiled, SpoilingProxy, Status, no_fault
from tournaments.events.services.lifecycle import end_event

STATUSES = [Status(status) for status in (401, 403, 404, 408, 413, 429, 500, 511)]
FOREIGN: list[Spoiled] = [Fault.PORTAL, Fault.LOGIN, Fault.LOGIN_HERE, Fault.REFRESH, *STATUSES]
LOST: list[Spoiled] = [Fault.RESET, Fault.DROP_BEFORE, Fault.DROP_ANSWER, Fault.SILENCE]


@pytest.fixture
def phones(browser: Browser, network: SpoilingProxy, tmp_path: Path) -> Iterator[Phones]:
    """Phones whose only way to the server is that network."""
    phones = Phones(browser, network.url, tmp_path)
    yield phones
    network.spoil = no_fault
    # A portal elsewhere is what a page's policy refuses to ask.
    phones.refused = [said for said in phones.refused if network.portal not in said]
    phones.close()


def spoil(network: SpoilingProxy, fault: Spoiled, *methods: str) -> None:
    """From now on, requests of these methods; of all, without any."""
    network.spoil = lambda method, path, count: fault if not methods or method in methods else None


def waits_for_answers(phone: Phone) -> None:
    """As long as a page waits for one."""
    phone.page.clock.fast_forward(9_000)


def asks_for_news(phone: Phone, network: SpoilingProxy) -> None:
    """Its page asks, is answered somehow, and asks again."""
    before = len(network.requests)
    assert phone.is_told_the_news()
    assert len(network.requests) > before
    phone.looks_for_news()


def keeps_nothing(phone: Phone) -> None:
    """By now or soon."""
    while phone.runs("localStorage.length"):
        phone.page.wait_for_timeout(20)


def loses_the_network_under_a_finger(phone: Phone, network: SpoilingProxy, what: Locator) -> None:
    """A hand waits, and between the press and the release its sender gives up."""
    spoil(network, Fault.SILENCE)
    phone.mark("A-6-7")
    what.hover()
    phone.stops_the_clock()
    phone.page.mouse.down()
    phone.runs("document.dispatchEvent(new CustomEvent('outbox:tried', { detail: false }))")
    expect(phone.screen.get_by_text("Everything is saved on this phone")).to_be_hidden()
    phone.page.mouse.up()
    phone.page.clock.resume()


def stays(phone: Phone, path: str) -> None:
    expect(phone.page).to_have_url(re.compile(f"{path}(#.*)?$"))
    expect(phone.page.get_by_text("Free Wi-Fi")).to_have_count(0)


class TestAHandMarkedByTap:
    def test_waits_until_the_server_itself_has_answered_and_arrives_once(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        phone = phones(width=390, height=664)
        for fault in (*FOREIGN, *LOST):
            hall.a_night()
            phone.open(hall.table)
            spoil(network, fault)
            phone.mark("B-7-failed")
            phone.shows_totals(7, 0)
            waits_for_answers(phone)
            expect(phone.screen.get_by_text("1 to send"), str(fault)).to_be_visible()
            expect(phone.screen.get_by_text("Everything is saved on this phone"), str(fault)).to_be_visible()
            phone.looks_for_news()
            phone.sees_totals(7, 0)
            stays(phone, hall.table)
            network.spoil = no_fault
            waits_for_answers(phone)
            expect(phone.screen.get_by_text("Sent", exact=True), str(fault)).to_be_visible()
            assert statuses(hall.match) == [(1, "current")], fault

    def test_waits_for_the_whole_of_its_answer_and_the_next_one_is_marked_meanwhile(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        spoil(network, Fault.CUT_BODY, "POST")
        phone.mark("A-6-7")
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()
        assert statuses(hall.match) == [(1, "current")]
        phone.mark("B-7-7")
        phone.shows_totals(6, 7)
        network.spoil = no_fault
        waits_for_answers(phone)
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        phone.sees_totals(6, 7)
        assert statuses(hall.match) == [(1, "current"), (2, "current")]

    def test_is_done_with_once_the_server_has_said_so(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        phone = phones()
        for fault in (Fault.DUPLICATE, Delay(0.5)):
            hall.a_night()
            network.spoil = no_fault
            phone.open(hall.table)
            spoil(network, fault, "POST")
            phone.mark("A-6-7")
            expect(phone.contract("A-6"), str(fault)).to_be_visible()
            phone.looks_for_news()
            phone.sees_totals(6, 0)
            expect(phone.page.get_by_role("alert"), str(fault)).to_be_hidden()
            phone.mark("B-7-7")
            phone.looks_for_news()
            phone.sees_totals(6, 7)
            expect(phone.screen.get_by_text("Sent", exact=True), str(fault)).to_be_visible()
            assert statuses(hall.match) == [(1, "current"), (2, "current")], fault

    def test_counts_where_the_network_goes_away_while_the_finger_is_down(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        loses_the_network_under_a_finger(phone, network, phone.contract("B-7"))
        phone.tap(phone.result("B-7-7"))
        phone.shows_totals(6, 7)

    def test_lets_the_screen_follow_as_soon_as_a_finger_that_rested_on_it_has_gone(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        loses_the_network_under_a_finger(phone, network, phone.page.get_by_role("heading", name="Table 1"))
        expect(phone.screen.get_by_text("Everything is saved on this phone")).to_be_visible()

    def test_arrives_where_the_browser_has_forgotten_its_cookies(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        phone.page.context.clear_cookies()
        phone.mark("A-6-7")
        phone.sees_totals(6, 0)

    def test_waits_for_its_own_installation_where_another_has_the_same_address(
        self, hall: Hall, phones: Phones, network: SpoilingProxy, settings: Settings
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        spoil(network, Fault.PORTAL, "POST")
        phone.mark("A-6-7")
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()
        phone.open("about:blank")
        network.spoil = no_fault
        network.requests.clear()
        key, settings.SECRET_KEY = settings.SECRET_KEY, "another laptop, another evening"
        opened_at = hall.match.opened_at
        Match.objects.update(round_number=7, opened_at=opened_at - timedelta(days=7))
        phone.open(hall.table)
        phone.looks_for_news()
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        assert ("POST", hall.table) not in network.requests
        settings.SECRET_KEY = key
        Match.objects.update(round_number=1, opened_at=opened_at)
        phone.open("/")
        wait_until(phone.page, lambda: statuses(hall.match) == [(1, "current")])
        keeps_nothing(phone)

    def test_that_an_earlier_version_kept_is_sent(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        phone.runs("""() => {
            const values = Object.fromEntries(new FormData(document.getElementById("mark")));
            const hand = { path: document.body.dataset.hands, values: { ...values, said: "A-6-7" } };
            localStorage.unsent = JSON.stringify(hand);
        }""")
        phone.open("/")
        wait_until(phone.page, lambda: statuses(hall.match) == [(1, "current")])
        keeps_nothing(phone)

    def test_is_said_to_be_kept_as_long_as_the_page_is_open_where_the_device_keeps_nothing(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.page.add_init_script("IDBObjectStore.prototype.put = () => { throw new Error('full'); }")
        phone.open(hall.table)
        spoil(network, Fault.PORTAL, "POST")
        phone.mark("A-6-7")
        expect(phone.page.get_by_text("Keep this page open until sent").first).to_be_visible()
        phone.picture("keeps-nothing")
        network.spoil = no_fault
        phone.looks_for_news()
        phone.sees_totals(6, 0)
        expect(phone.page.get_by_text("Keep this page open until sent").first).to_be_hidden()
        assert all(stack.startswith("Error: full") for stack in phones.broken)
        phones.broken.clear()  # the device of this test refuses by an error, which no script of ours catches


class TestHandsOfSeveralTables:
    def test_all_wait_are_seen_on_every_page_and_arrive(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        event = hall.a_night(pairs=4)
        laptop = phones.laptop()
        laptop.sign_in(hall.owner)
        first, second = matches_of(event)
        spoil(network, Fault.PORTAL, "POST")
        for match, said in ((first, "A-6-7"), (second, "B-7-7")):
            laptop.open(f"/t/{match.card.code}")
            laptop.mark(said)
            expect(laptop.page.get_by_text("1 to send")).to_be_visible()
        expect(laptop.link(r"1 hand to send \(table 1\)")).to_be_in_viewport()
        laptop.picture("at-another-table")
        for path in ("/", f"/e/{event.short}/desk", f"/e/{event.short}"):
            laptop.open(path)
            for number in (1, 2):
                expect(laptop.link(rf"1 hand to send \(table {number}\)")).to_be_visible()
            laptop.picture("waiting")
        laptop.tap(laptop.link(r"table 2\)"))
        laptop.sees_totals(0, 7)
        laptop.open("/")
        expect(laptop.page.locator("#outbox")).to_be_visible()
        network.spoil = no_fault
        laptop.looks_for_news()
        expect(laptop.page.locator("#outbox")).to_be_hidden()
        assert [score(first), score(second)] == [[6, 0], [0, 7]]

    def test_one_that_was_refused_is_shown_with_its_reason_until_it_was_read(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        event = hall.a_night()
        phone = phones()
        phone.open(hall.table)
        spoil(network, Fault.PORTAL, "POST")
        phone.mark("A-6-7")
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()
        phone.open("/")
        play_round(event)
        end_event(event_id=event.pk)
        network.spoil = no_fault
        phone.looks_for_news()
        expect(phone.page.get_by_role("alert")).to_contain_text(
            "Table 1: hand 1 (Roy and Dubé, 6 made) not recorded. Round closed"
        )
        expect(phone.link("to send")).to_be_hidden()
        phone.picture("refused")
        phone.open(f"/e/{event.short}")
        phone.tap(phone.button("Got it"))
        expect(phone.page.locator("#outbox")).to_be_hidden()
        phone.open("/")
        expect(phone.page.locator("#outbox")).to_be_hidden()

    def test_one_that_is_to_be_read_aloud_is_asked_about_and_agreed_to_without_a_network(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        spoil(network, Fault.PORTAL, "POST")
        phone.mark("A-gros_charlemagne-8")
        expect(phone.sheet).to_be_visible()
        phone.picture("asked")
        phone.tap(phone.button("Yes, that’s right"))
        expect(phone.sheet).to_be_hidden()
        expect(phone.page.get_by_role("heading", name="win the game")).to_be_visible()
        phone.tap(phone.button("Confirm the result").first)
        phone.tap(phone.button("Confirm the result").first)
        expect(phone.page.get_by_text("Result confirmed. Wait")).to_be_visible()
        phone.picture("agreed")
        assert not Mark.objects.exists()
        phone.open("/")
        expect(phone.link("to send")).to_be_visible()
        network.spoil = no_fault
        phone.looks_for_news()
        expect(phone.page.locator("#outbox")).to_be_hidden()
        assert hall.match.agreements.count() == 2
        assert statuses(hall.match) == [(1, "current")]


class TestATable:
    def test_says_after_two_questions_without_an_answer_that_the_network_is_away_and_then_that_it_is_back(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        sent, away = (phone.screen.get_by_text(text, exact=True) for text in ("Sent", "No network"))
        expect(sent).to_be_visible()
        for fault in (*FOREIGN, Fault.RESET, Fault.CUT_BODY):
            spoil(network, fault)
            if fault is Fault.CUT_BODY:
                play(hall.match, "A 6 7")  # an answer with a body
            asks_for_news(phone, network)
            expect(away).to_be_visible()
            expect(sent).to_be_hidden()
            stays(phone, hall.table)
            network.spoil = no_fault
            phone.looks_for_news()
            expect(sent).to_be_visible()
            expect(away).to_be_hidden()
        phone.sees_totals(6, 0)

    def test_says_of_a_computer_that_cannot_record_that_and_not_that_the_network_is_away(
        self, hall: Hall, phones: Phones, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        with monkeypatch.context() as outage:
            outage.setattr("server.outage_pages.waits_at_most", Mock(side_effect=OperationalError))
            phone.looks_for_news()
            phone.looks_for_news()
            expect(phone.screen.get_by_text("Server problem", exact=True)).to_be_visible()
            phone.mark("A-6-7")
            cannot = phone.screen.get_by_text("Server problem: keep playing.")
            expect(cannot).to_be_visible()
            expect(phone.screen.get_by_text("No network").locator("visible=true")).to_have_count(0)
        waits_for_answers(phone)
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        expect(cannot).to_be_hidden()
        assert statuses(hall.match) == [(1, "current")]

    def test_takes_no_news_from_another_installation_at_the_same_address(
        self, hall: Hall, phones: Phones, network: SpoilingProxy, settings: Settings
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        key, settings.SECRET_KEY = settings.SECRET_KEY, "another laptop, another evening"
        play(hall.match, "A 6 7")
        asks_for_news(phone, network)
        expect(phone.screen.get_by_text("No network", exact=True)).to_be_visible()
        phone.sees_totals(0, 0)
        settings.SECRET_KEY = key
        phone.looks_for_news()
        phone.sees_totals(6, 0)

    def test_shows_what_the_server_refused_where_it_was_marked(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        event = hall.a_night()
        phone = phones()
        phone.open(hall.table)
        spoil(network, Fault.PORTAL)
        phone.mark("A-6-7")
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()
        play_round(event)
        network.spoil = no_fault
        phone.looks_for_news()
        expect(phone.page.get_by_role("alert")).to_contain_text("Round closed: corrections at the desk.")
        phone.picture("refused")
        phone.opens_news()
        phone.tap(phone.button("Got it"))
        phone.open("/")
        expect(phone.page.locator("#outbox")).to_be_hidden()


class TestASheetTypedAtTheDesk:
    def test_waits_until_the_server_itself_has_answered(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        laptop = phones.laptop()
        laptop.sign_in(hall.owner)
        for fault in (Fault.PORTAL, Fault.LOGIN_HERE, Fault.DROP_ANSWER, Status(403), Status(413)):
            hall.a_night()
            self._type(laptop, hall)
            spoil(network, fault)
            laptop.tap(laptop.button("Record the totals"))
            expect(laptop.page.get_by_text("saved here, waiting to be sent"), str(fault)).to_be_visible()
            laptop.picture("sheet-to-send")
            stays(laptop, "/sheet")
            network.spoil = no_fault
            laptop.looks_for_news()
            expect(laptop.page, str(fault)).to_have_url(re.compile("/desk"))
            assert hall.match.is_over, fault

    def test_is_shown_with_what_was_refused_and_typed(self, hall: Hall, phones: Phones) -> None:
        laptop = self._typed(hall, phones, a="12", b="7")
        laptop.tap(laptop.button("Record the totals"))
        expect(laptop.page.get_by_role("alert").locator("visible=true")).to_contain_text("32")
        laptop.picture("sheet-refused")
        expect(laptop.page.locator("[name=points_a]")).to_have_value("12")
        laptop.page.locator("[name=points_a]").fill("32")
        laptop.tap(laptop.button("Record the totals"))
        expect(laptop.page).to_have_url(re.compile("/desk"))

    def test_waits_for_who_typed_it_to_sign_in_again(self, hall: Hall, phones: Phones) -> None:
        laptop = self._typed(hall, phones)
        laptop.page.context.clear_cookies()
        laptop.tap(laptop.button("Record the totals"))
        expect(laptop.page.get_by_text("saved here, waiting to be sent")).to_be_visible()
        assert not Mark.objects.exists()
        laptop.sign_in_by_form(hall.owner)
        expect(laptop.page.locator("#outbox")).to_be_hidden()
        wait_until(laptop.page, lambda: Mark.objects.count() == 1)
        keeps_nothing(laptop)

    def _typed(self, hall: Hall, phones: Phones, a: str = "32", b: str = "17") -> Phone:
        hall.a_night()
        laptop = phones.laptop()
        laptop.sign_in(hall.owner)
        self._type(laptop, hall, a, b)
        return laptop

    def _type(self, laptop: Phone, hall: Hall, a: str = "32", b: str = "17") -> None:
        laptop.open(f"/match/{hall.match.pk}/sheet")
        laptop.page.locator("[name=points_a]").fill(a)
        laptop.page.locator("[name=points_b]").fill(b)


def test_a_page_that_looks_for_news_takes_none_from_others_and_goes_on_asking(
    hall: Hall, phones: Phones, network: SpoilingProxy
) -> None:
    laptop = phones.laptop()
    laptop.sign_in(hall.owner)
    asking, away = (
        laptop.page.locator("[hx-trigger^=every][hx-headers]"),
        laptop.page.get_by_text("out of date"),
    )
    for rest in ("", "/desk", "/board"):
        event = hall.a_night(pairs=4)
        path = f"/e/{event.short}{rest}"
        laptop.open(path)
        seen = str(asking.get_attribute("hx-headers"))
        for fault in FOREIGN:
            spoil(network, fault)
            asks_for_news(laptop, network)
            stays(laptop, path)
            expect(asking, str(fault)).to_have_attribute("hx-headers", seen)
            if rest != "/board":  # which says since when
                expect(away, str(fault)).to_be_visible()
        network.spoil = no_fault
        play_round(event)
        standings_after(event)
        laptop.looks_for_news()
        expect(asking).not_to_have_attribute("hx-headers", seen)
        expect(away).to_be_hidden()


def test_a_tap_without_an_answer_is_said_not_to_be_recorded(
    hall: Hall, phones: Phones, network: SpoilingProxy
) -> None:
    event = an_event(4, club=a_club(owner=hall.owner))
    laptop = phones.laptop()
    laptop.sign_in(hall.owner)
    laptop.open(f"/e/{event.short}/desk/entries/check-in")
    box, said = (
        laptop.page.locator(".box button").first,
        laptop.page.get_by_text("Your entries are still here"),
    )
    for fault in (*FOREIGN, Fault.RESET):
        spoil(network, fault)
        laptop.tap(box)
        expect(said).to_be_visible()
        stays(laptop, "/check-in")
    laptop.picture("not-recorded")
    network.spoil = no_fault
    laptop.tap(box)
    expect(laptop.page.locator(".box.ok")).to_have_count(1)
    expect(said).to_be_hidden()


def test_a_table_that_got_no_more_than_its_page_marks_and_draws_itself_once_it_can(
    hall: Hall, phones: Phones, network: SpoilingProxy
) -> None:
    hall.a_night()
    network.spoil = lambda method, path, count: Fault.RESET if "/table/fold" in path else None
    phone = phones()
    with phone.page.expect_event("requestfailed", lambda request: "/table/fold" in request.url):
        phone.page.goto(hall.table)
    phone.mark("A-6-7")
    phone.has_sent()
    assert Mark.objects.count() == 1
    expect(phone.page.locator("body")).not_to_have_attribute("data-drawn", "")
    network.spoil = no_fault
    phone.looks_for_news()
    expect(phone.page.locator("body")).to_have_attribute("data-drawn", "")
    phone.sees_totals(6, 0)
