"""Network faults: login pages of a Wi-Fi network, proxies that answer with any status, lost responses.

No page takes a foreign response for one of the server's, and no hand is lost or recorded twice.
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
    build_club,
    build_event,
    compute_standings,
    get_score,
    list_statuses,
    matches_of,
    play,
    play_round,
)
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones, wait_until
from tests.spoiling_proxy import Delay, Fault, FaultKind, SpoilingProxy, Status, find_no_fault
from tournaments.events.services.lifecycle import end_event

STATUSES = [Status(status) for status in (401, 403, 404, 408, 413, 429, 500, 511)]
FOREIGN: list[FaultKind] = [Fault.PORTAL, Fault.LOGIN, Fault.LOGIN_HERE, Fault.REFRESH, *STATUSES]
LOST_FAULTS: list[FaultKind] = [Fault.RESET, Fault.DROP_BEFORE, Fault.DROP_ANSWER, Fault.SILENCE]


@pytest.fixture
def phones(browser: Browser, network: SpoilingProxy, tmp_path: Path) -> Iterator[Phones]:
    """Yield phones that reach the server only through the network proxy."""
    phones = Phones(browser, network.url, tmp_path)
    yield phones
    network.spoil = find_no_fault
    # The page's policy blocks requests to a login page on another host.
    phones.refused = [message for message in phones.refused if network.portal not in message]
    phones.close()


def spoil(network: SpoilingProxy, fault: FaultKind, *methods: str) -> None:
    """Apply the fault to all further requests, or only to those with these methods."""
    network.spoil = lambda method, path, count: fault if not methods or method in methods else None


def wait_for_answers(phone: Phone) -> None:
    """Let the time pass for which a page waits for a response."""
    phone.page.clock.fast_forward(9_000)


def poll_twice(phone: Phone, network: SpoilingProxy) -> None:
    """Poll for updates, wait for the response, and poll again."""
    before = len(network.requests)
    assert phone.wait_for_updates()
    assert len(network.requests) > before
    phone.poll_for_updates()


def wait_until_nothing_stored(phone: Phone) -> None:
    """Wait until the local storage of the page is empty."""
    while phone.run_script("localStorage.length"):
        phone.page.wait_for_timeout(20)


def lose_network_during_tap(phone: Phone, network: SpoilingProxy, what: Locator) -> None:
    """Record a hand, and let its sending fail between press and release of the next tap."""
    spoil(network, Fault.SILENCE)
    phone.mark("A-6-7")
    what.hover()
    phone.stop_clock()
    phone.page.mouse.down()
    phone.run_script("document.dispatchEvent(new CustomEvent('outbox:tried', { detail: false }))")
    expect(phone.screen.get_by_text("Everything is saved on this phone")).to_be_hidden()
    phone.page.mouse.up()
    phone.page.clock.resume()


def expect_unchanged_page(phone: Phone, path: str) -> None:
    expect(phone.page).to_have_url(re.compile(f"{path}(#.*)?$"))
    expect(phone.page.get_by_text("Free Wi-Fi")).to_have_count(0)


class TestTappedHand:
    def test_hand_waits_for_the_servers_answer_and_arrives_once(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        phone = phones(width=390, height=664)
        for fault in (*FOREIGN, *LOST_FAULTS):
            hall.build_night()
            phone.open(hall.table)
            spoil(network, fault)
            phone.mark("B-7-failed")
            phone.expect_totals(7, 0)
            wait_for_answers(phone)
            expect(phone.screen.get_by_text("1 to send"), str(fault)).to_be_visible()
            expect(phone.screen.get_by_text("Everything is saved on this phone"), str(fault)).to_be_visible()
            phone.poll_for_updates()
            phone.expect_sent_totals(7, 0)
            expect_unchanged_page(phone, hall.table)
            network.spoil = find_no_fault
            wait_for_answers(phone)
            expect(phone.screen.get_by_text("Sent", exact=True), str(fault)).to_be_visible()
            assert list_statuses(hall.match) == [(1, "current")], fault

    def test_next_hand_can_be_recorded_while_an_answer_is_incomplete(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        spoil(network, Fault.CUT_BODY, "POST")
        phone.mark("A-6-7")
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()
        assert list_statuses(hall.match) == [(1, "current")]
        phone.mark("B-7-7")
        phone.expect_totals(6, 7)
        network.spoil = find_no_fault
        wait_for_answers(phone)
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        phone.expect_sent_totals(6, 7)
        assert list_statuses(hall.match) == [(1, "current"), (2, "current")]

    def test_duplicate_or_slow_request_records_one_hand(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        phone = phones()
        for fault in (Fault.DUPLICATE, Delay(0.5)):
            hall.build_night()
            network.spoil = find_no_fault
            phone.open(hall.table)
            spoil(network, fault, "POST")
            phone.mark("A-6-7")
            expect(phone.find_contract_key("A-6"), str(fault)).to_be_visible()
            phone.poll_for_updates()
            phone.expect_sent_totals(6, 0)
            expect(phone.page.get_by_role("alert"), str(fault)).to_be_hidden()
            phone.mark("B-7-7")
            phone.poll_for_updates()
            phone.expect_sent_totals(6, 7)
            expect(phone.screen.get_by_text("Sent", exact=True), str(fault)).to_be_visible()
            assert list_statuses(hall.match) == [(1, "current"), (2, "current")], fault

    def test_hand_counts_if_the_network_fails_during_the_tap(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        lose_network_during_tap(phone, network, phone.find_contract_key("B-7"))
        phone.tap(phone.find_result_key("B-7-7"))
        phone.expect_totals(6, 7)

    @pytest.mark.long
    def test_screen_updates_after_a_resting_finger_lifts(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        lose_network_during_tap(phone, network, phone.page.get_by_role("heading", name="Table 1"))
        expect(phone.screen.get_by_text("Everything is saved on this phone")).to_be_visible()

    @pytest.mark.long
    def test_hand_arrives_after_the_browser_loses_its_cookies(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        phone.page.context.clear_cookies()
        phone.mark("A-6-7")
        phone.expect_sent_totals(6, 0)

    def test_hand_waits_for_its_own_installation(
        self, hall: Hall, phones: Phones, network: SpoilingProxy, settings: Settings
    ) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        spoil(network, Fault.PORTAL, "POST")
        phone.mark("A-6-7")
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()
        phone.open("about:blank")
        network.spoil = find_no_fault
        network.requests.clear()
        key, settings.SECRET_KEY = settings.SECRET_KEY, "another laptop, another evening"
        opened_at = hall.match.opened_at
        Match.objects.update(round_number=7, opened_at=opened_at - timedelta(days=7))
        phone.open(hall.table)
        phone.poll_for_updates()
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        assert ("POST", hall.table) not in network.requests
        settings.SECRET_KEY = key
        Match.objects.update(round_number=1, opened_at=opened_at)
        phone.open("/")
        wait_until(phone.page, lambda: list_statuses(hall.match) == [(1, "current")])
        wait_until_nothing_stored(phone)

    @pytest.mark.long
    def test_hand_stored_by_an_earlier_version_is_sent(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        phone.run_script("""() => {
            const values = Object.fromEntries(new FormData(document.getElementById("mark")));
            const hand = { path: document.body.dataset.hands, values: { ...values, said: "A-6-7" } };
            localStorage.unsent = JSON.stringify(hand);
        }""")
        phone.open("/")
        wait_until(phone.page, lambda: list_statuses(hall.match) == [(1, "current")])
        wait_until_nothing_stored(phone)

    def test_phone_without_storage_asks_to_keep_the_page_open(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.build_night()
        phone = phones()
        phone.page.add_init_script("IDBObjectStore.prototype.put = () => { throw new Error('full'); }")
        phone.open(hall.table)
        spoil(network, Fault.PORTAL, "POST")
        phone.mark("A-6-7")
        expect(phone.screen.get_by_text("Keep this page open until sent").first).to_be_visible()
        phone.take_picture("keeps-nothing")
        network.spoil = find_no_fault
        phone.poll_for_updates()
        phone.expect_sent_totals(6, 0)
        expect(phone.screen.get_by_text("Keep this page open until sent").first).to_be_hidden()
        assert all(stack.startswith("Error: full") for stack in phones.broken)
        phones.broken.clear()  # the simulated full storage raises an error that our scripts do not catch


class TestHandsOfSeveralTables:
    def test_waiting_hands_are_shown_on_every_page_and_arrive(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        event = hall.build_night(pairs=4)
        laptop = phones.open_laptop()
        laptop.sign_in(hall.owner)
        first, second = matches_of(event)
        spoil(network, Fault.PORTAL, "POST")
        for match, hand in ((first, "A-6-7"), (second, "B-7-7")):
            laptop.open(f"/t/{match.card.code}")
            laptop.mark(hand)
            expect(laptop.page.get_by_text("1 to send")).to_be_visible()
        expect(laptop.link(r"1 hand to send \(table 1\)")).to_be_in_viewport()
        laptop.take_picture("at-another-table")
        for path in ("/", f"/e/{event.short}/desk", f"/e/{event.short}"):
            laptop.open(path)
            for number in (1, 2):
                expect(laptop.link(rf"1 hand to send \(table {number}\)")).to_be_visible()
            laptop.take_picture("waiting")
        laptop.tap(laptop.link(r"table 2\)"))
        laptop.expect_sent_totals(0, 7)
        laptop.open("/")
        expect(laptop.page.locator("#outbox")).to_be_visible()
        network.spoil = find_no_fault
        laptop.poll_for_updates()
        expect(laptop.page.locator("#outbox")).to_be_hidden()
        assert [get_score(first), get_score(second)] == [[6, 0], [0, 7]]

    def test_refused_hand_is_shown_with_its_reason_until_dismissed(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        event = hall.build_night()
        phone = phones()
        phone.open(hall.table)
        spoil(network, Fault.PORTAL, "POST")
        phone.mark("A-6-7")
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()
        phone.open("/")
        play_round(event)
        end_event(event_id=event.pk)
        network.spoil = find_no_fault
        phone.poll_for_updates()
        expect(phone.page.get_by_role("alert")).to_contain_text(
            "Table 1: hand 1 (Roy and Dubé, 6 made) not recorded. Round closed"
        )
        expect(phone.link("to send")).to_be_hidden()
        phone.take_picture("refused")
        phone.open(f"/e/{event.short}")
        phone.tap(phone.find_button("Got it"))
        expect(phone.page.locator("#outbox")).to_be_hidden()
        phone.open("/")
        expect(phone.page.locator("#outbox")).to_be_hidden()

    def test_read_aloud_hand_is_confirmed_and_agreed_offline(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        spoil(network, Fault.PORTAL, "POST")
        phone.mark("A-gros_charlemagne-8")
        expect(phone.sheet).to_be_visible()
        phone.take_picture("asked")
        phone.tap(phone.find_button("Yes, that’s right"))
        expect(phone.sheet).to_be_hidden()
        expect(phone.page.get_by_role("heading", name="win the game")).to_be_visible()
        phone.tap(phone.find_button("Confirm the result").first)
        phone.tap(phone.find_button("Confirm the result").first)
        expect(phone.page.get_by_text("Result confirmed. Wait")).to_be_visible()
        phone.take_picture("agreed")
        assert not Mark.objects.exists()
        phone.open("/")
        expect(phone.link("to send")).to_be_visible()
        network.spoil = find_no_fault
        phone.poll_for_updates()
        expect(phone.page.locator("#outbox")).to_be_hidden()
        assert hall.match.agreements.count() == 2
        assert list_statuses(hall.match) == [(1, "current")]


class TestTableStatus:
    def test_table_reports_a_lost_and_restored_network(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        sent, away = (phone.screen.get_by_text(text, exact=True) for text in ("Sent", "No network"))
        expect(sent).to_be_visible()
        for fault in (*FOREIGN, Fault.RESET, Fault.CUT_BODY):
            spoil(network, fault)
            if fault is Fault.CUT_BODY:
                play(hall.match, "A 6 7")  # gives the response a body
            poll_twice(phone, network)
            expect(away).to_be_visible()
            expect(sent).to_be_hidden()
            expect_unchanged_page(phone, hall.table)
            network.spoil = find_no_fault
            phone.poll_for_updates()
            expect(sent).to_be_visible()
            expect(away).to_be_hidden()
        phone.expect_sent_totals(6, 0)

    def test_table_reports_a_server_that_cannot_record(
        self, hall: Hall, phones: Phones, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        with monkeypatch.context() as outage:
            outage.setattr("server.outage_pages.waits_at_most", Mock(side_effect=OperationalError))
            phone.poll_for_updates()
            phone.poll_for_updates()
            expect(phone.screen.get_by_text("Server problem", exact=True)).to_be_visible()
            phone.mark("A-6-7")
            cannot = phone.screen.get_by_text("Server problem: keep playing.")
            expect(cannot).to_be_visible()
            expect(phone.screen.get_by_text("No network").locator("visible=true")).to_have_count(0)
        wait_for_answers(phone)
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        expect(cannot).to_be_hidden()
        assert list_statuses(hall.match) == [(1, "current")]

    @pytest.mark.long
    def test_table_ignores_updates_from_another_installation(
        self, hall: Hall, phones: Phones, network: SpoilingProxy, settings: Settings
    ) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        key, settings.SECRET_KEY = settings.SECRET_KEY, "another laptop, another evening"
        play(hall.match, "A 6 7")
        poll_twice(phone, network)
        expect(phone.screen.get_by_text("No network", exact=True)).to_be_visible()
        phone.expect_sent_totals(0, 0)
        settings.SECRET_KEY = key
        phone.poll_for_updates()
        phone.expect_sent_totals(6, 0)

    def test_table_shows_a_refused_hand_and_its_reason(
        self, hall: Hall, phones: Phones, network: SpoilingProxy
    ) -> None:
        event = hall.build_night()
        phone = phones()
        phone.open(hall.table)
        spoil(network, Fault.PORTAL)
        phone.mark("A-6-7")
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()
        play_round(event)
        network.spoil = find_no_fault
        phone.poll_for_updates()
        expect(phone.page.get_by_role("alert")).to_contain_text("Round closed: corrections at the desk.")
        phone.take_picture("refused")
        phone.open_updates()
        phone.tap(phone.find_button("Got it"))
        phone.open("/")
        expect(phone.page.locator("#outbox")).to_be_hidden()


class TestSheetAtTheDesk:
    def test_sheet_waits_for_the_servers_answer(self, hall: Hall, phones: Phones, network: SpoilingProxy) -> None:
        laptop = phones.open_laptop()
        laptop.sign_in(hall.owner)
        for fault in (Fault.PORTAL, Fault.LOGIN_HERE, Fault.DROP_ANSWER, Status(403), Status(413)):
            hall.build_night()
            self._type(laptop, hall)
            spoil(network, fault)
            laptop.tap(laptop.find_button("Record the totals"))
            expect(laptop.page.get_by_text("saved here, waiting to be sent"), str(fault)).to_be_visible()
            laptop.take_picture("sheet-to-send")
            expect_unchanged_page(laptop, "/sheet")
            network.spoil = find_no_fault
            laptop.poll_for_updates()
            expect(laptop.page, str(fault)).to_have_url(re.compile("/desk"))
            assert hall.match.is_over, fault

    @pytest.mark.long
    def test_refused_sheet_is_shown_with_the_typed_totals(self, hall: Hall, phones: Phones) -> None:
        laptop = self._type_sheet(hall, phones, a="12", b="7")
        laptop.tap(laptop.find_button("Record the totals"))
        expect(laptop.page.get_by_role("alert").locator("visible=true")).to_contain_text("32")
        laptop.take_picture("sheet-refused")
        expect(laptop.page.locator("[name=points_a]")).to_have_value("12")
        laptop.page.locator("[name=points_a]").fill("32")
        laptop.tap(laptop.find_button("Record the totals"))
        expect(laptop.page).to_have_url(re.compile("/desk"))

    @pytest.mark.long
    def test_sheet_waits_until_its_author_signs_in_again(self, hall: Hall, phones: Phones) -> None:
        laptop = self._type_sheet(hall, phones)
        laptop.page.context.clear_cookies()
        laptop.tap(laptop.find_button("Record the totals"))
        expect(laptop.page.get_by_text("saved here, waiting to be sent")).to_be_visible()
        assert not Mark.objects.exists()
        laptop.sign_in_by_form(hall.owner)
        expect(laptop.page.locator("#outbox")).to_be_hidden()
        wait_until(laptop.page, lambda: Mark.objects.count() == 1)
        wait_until_nothing_stored(laptop)

    def _type_sheet(self, hall: Hall, phones: Phones, a: str = "32", b: str = "17") -> Phone:
        hall.build_night()
        laptop = phones.open_laptop()
        laptop.sign_in(hall.owner)
        self._type(laptop, hall, a, b)
        return laptop

    def _type(self, laptop: Phone, hall: Hall, a: str = "32", b: str = "17") -> None:
        laptop.open(f"/match/{hall.match.pk}/sheet")
        laptop.page.locator("[name=points_a]").fill(a)
        laptop.page.locator("[name=points_b]").fill(b)


@pytest.mark.long
def test_polling_page_ignores_foreign_answers_and_keeps_polling(
    hall: Hall, phones: Phones, network: SpoilingProxy
) -> None:
    laptop = phones.open_laptop()
    laptop.sign_in(hall.owner)
    asking, away = (
        laptop.page.locator("[hx-trigger^=every][hx-headers]"),
        laptop.page.get_by_text("out of date"),
    )
    for rest in ("", "/desk", "/board"):
        event = hall.build_night(pairs=4)
        path = f"/e/{event.short}{rest}"
        laptop.open(path)
        seen = str(asking.get_attribute("hx-headers"))
        for fault in FOREIGN:
            spoil(network, fault)
            poll_twice(laptop, network)
            expect_unchanged_page(laptop, path)
            expect(asking, str(fault)).to_have_attribute("hx-headers", seen)
            if rest != "/board":  # the board shows the time of its last update instead
                expect(away, str(fault)).to_be_visible()
        network.spoil = find_no_fault
        play_round(event)
        compute_standings(event)
        laptop.poll_for_updates()
        expect(asking).not_to_have_attribute("hx-headers", seen)
        expect(away).to_be_hidden()


@pytest.mark.long
def test_tap_without_an_answer_is_reported_as_not_recorded(hall: Hall, phones: Phones, network: SpoilingProxy) -> None:
    event = build_event(4, club=build_club(owner=hall.owner))
    laptop = phones.open_laptop()
    laptop.sign_in(hall.owner)
    laptop.open(f"/e/{event.short}/desk/entries/check-in")
    box = laptop.page.locator(".box button").first
    answers: dict[FaultKind, str] = {Status(413): "Too large: nothing was recorded"}
    for fault in (*FOREIGN, Fault.RESET):
        spoil(network, fault)
        laptop.tap(box)
        notice = laptop.page.get_by_text(answers.get(fault, "Your entries are still here"))
        expect(notice).to_be_visible()
        expect_unchanged_page(laptop, "/check-in")
    laptop.take_picture("not-recorded")
    network.spoil = find_no_fault
    laptop.tap(box)
    expect(laptop.page.locator(".box.ok")).to_have_count(1)
    expect(notice).to_be_hidden()


@pytest.mark.long
def test_table_without_its_scripts_records_and_renders_later(
    hall: Hall, phones: Phones, network: SpoilingProxy
) -> None:
    hall.build_night()
    network.spoil = lambda method, path, count: Fault.RESET if "/table/fold" in path else None
    phone = phones()
    with phone.page.expect_event("requestfailed", lambda request: "/table/fold" in request.url):
        phone.page.goto(hall.table)
    phone.mark("A-6-7")
    phone.has_sent()
    assert Mark.objects.count() == 1
    expect(phone.page.locator("body")).not_to_have_attribute("data-drawn", "")
    network.spoil = find_no_fault
    phone.poll_for_updates()
    expect(phone.page.locator("body")).to_have_attribute("data-drawn", "")
    phone.expect_sent_totals(6, 0)
