"""Offline matches: the phone stores everything until the network is back."""

import datetime
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserType, Locator, expect

from scoring.clock import Clock, clock_to_json
from scoring.models import Match, TableCard
from tests.builders import TWO_GAMES, get_score, list_statuses, mark, play, reload_match
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_service_worker import open_and_cache_table

ENDS_A_GAME = "A-gros_charlemagne-8"


def find_chip(phone: Phone, text: str) -> Locator:
    return phone.page.locator(".band .chip").get_by_text(text, exact=True)


def is_all_sent(phone: Phone) -> None:
    """Poll for updates, and wait until the phone reports everything as sent."""
    phone.poll_for_updates()
    expect(find_chip(phone, "Sent")).to_be_visible()
    expect(phone.page.locator("#to-send")).to_be_hidden()


def mark_after_reading(phone: Phone, notation: str) -> None:
    """Record a hand that is read aloud and confirmed."""
    phone.mark(notation)
    phone.tap(phone.find_button("Yes, that’s right"))
    expect(phone.sheet).to_be_hidden()


def confirm_for_both_sides(phone: Phone) -> None:
    phone.tap(phone.find_button("Confirm the result").first)
    expect(phone.page.locator(".confirmed")).to_have_count(1)
    phone.tap(phone.find_button("Confirm the result").first)


def expect_hand(phone: Phone, number: int, dealer: str) -> None:
    expect(phone.page.locator("#screen h1 + p")).to_have_text(f"Hand {number}, {dealer} deals")


def list_dealers(match: Match) -> list[str]:
    """Return the first names in the order of dealing."""
    names = [player.person.name.split()[0] for player in match.players.order_by("seat")]
    first = match.first_dealer_seat
    return names[first:] + names[:first]


def open_hands(phone: Phone) -> None:
    phone.tap(phone.page.locator('a[href="#more"]'))
    phone.tap(phone.link("See or correct hands").locator("visible=true"))
    expect(phone.page.get_by_text("All hands")).to_be_visible()


def list_hands(phone: Phone) -> list[str]:
    """Return the texts of all hands, without the time of corrections, which the server replaces."""
    texts = phone.page.locator(".hands li").all_inner_texts()
    return [re.sub(r" at \d+:\d\d [AP]M", "", " ".join(text.split())) for text in texts]


def list_records(match: Match) -> list[str]:
    """Return the recorded hands in the order in which the server received them."""
    records = [mark.record_data for mark in match.marks.order_by("pk")]
    return [f"{each['kind']} {each.get('contract', '')} {each.get('tricks', '')}".strip() for each in records]


class TestOfflineMatch:
    def test_match_is_recorded_offline_from_first_hand_to_agreement(  # noqa: PLR0915 - an evening
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.build_night(match_format=TWO_GAMES)
        one, two, three, four = list_dealers(hall.match)
        phone = phones()
        phone.open(hall.table)
        server.stop()
        expect_hand(phone, 1, one)
        phone.mark("A-6-7")
        phone.expect_sent_totals(6, 0)
        expect_hand(phone, 2, two)
        phone.tap(phone.find_button("Misdeal"))
        expect_hand(phone, 3, two)
        phone.mark("B-7-7")
        phone.expect_sent_totals(6, 7)
        expect_hand(phone, 4, three)
        phone.tap(phone.find_button("Undo hand 3"))
        phone.expect_sent_totals(6, 0)
        expect_hand(phone, 3, two)
        phone.tap(phone.find_button("Restore hand 3"))
        phone.expect_sent_totals(6, 7)
        expect_hand(phone, 4, three)
        phone.mark("A-7-failed")
        phone.expect_sent_totals(6, 14)
        expect_hand(phone, 5, four)
        phone.take_picture("four-hands")

        open_hands(phone)
        phone.take_picture("hands")
        phone.tap(phone.link("^Hand 1:"))
        expect(phone.page).to_have_url(re.compile(r"/hands/1$"))
        phone.take_picture("correcting")
        phone.mark("A-8-8")
        phone.expect_sent_totals(8, 14)
        expect_hand(phone, 5, four)

        phone.mark(ENDS_A_GAME)
        expect(phone.sheet).to_be_visible()
        phone.take_picture("read-aloud")
        phone.tap(phone.link("No, correct it"))
        expect(phone.sheet).to_be_hidden()
        expect(phone.find_result_key(ENDS_A_GAME)).to_be_visible()
        phone.tap(phone.find_result_key(ENDS_A_GAME))
        phone.tap(phone.find_button("Yes, that’s right"))
        expect(phone.page.get_by_role("heading", name="win the game")).to_be_visible()
        phone.expect_sent_totals(40, 14)
        phone.take_picture("game-over")
        confirm_for_both_sides(phone)
        expect_hand(phone, 6, one)
        phone.expect_sent_totals(0, 0)
        expect(phone.page.locator(".panel").first).to_contain_text("1 won")

        mark_after_reading(phone, ENDS_A_GAME)
        expect(phone.page.get_by_role("heading", name="win the match")).to_be_visible()
        confirm_for_both_sides(phone)
        expect(phone.page.get_by_text("Result confirmed. Wait")).to_be_visible()
        expect(find_chip(phone, "13 to send")).to_be_visible()
        phone.take_picture("match-over")
        phone.tap(phone.link("See or correct hands"))
        shown = list_hands(phone)
        phone.tap(phone.link("Back to the table"))

        server.start()
        is_all_sent(phone)
        match = reload_match(hall.match)
        assert list_records(match) == [
            "hand 6 7",
            "misdeal",
            "hand 7 7",
            "undone",
            "hand 7 7",
            "hand 7",
            "hand 8 8",
            "hand gros_charlemagne 8",
            "hand gros_charlemagne 8",
        ]
        assert match.is_over
        assert match.agreements.count() == 4
        phone.take_picture("sent")
        expect(phone.page.get_by_text("Result confirmed. Wait")).to_be_visible()
        another = phones("another")
        another.open(f"{hall.table}/hands")
        assert list_hands(another) == shown

    @pytest.mark.long
    def test_browser_back_and_forward_work_offline(self, hall: Hall, phones: Phones, server: Server) -> None:
        hall.build_night()
        play(hall.match, "A 6 7", "B 7 7", "A 5 5")
        phone = phones()
        phone.open(hall.table)
        server.stop()
        page = phone.page
        open_hands(phone)
        phone.tap(phone.link("^Hand 2:"))
        expect(page.get_by_role("heading", name="Hand 2: who bid")).to_be_visible()
        phone.tap(phone.find_contract_key("A-6"))
        page.go_back()
        expect(phone.find_contract_key("A-6")).to_be_visible()
        page.go_back()
        expect(page.get_by_text("All hands")).to_be_visible()
        page.go_forward()
        expect(page.get_by_role("heading", name="Hand 2: who bid")).to_be_visible()
        phone.mark("B-mulot-0")
        expect(phone.sheet).to_be_visible()
        page.go_back()
        page.go_back()
        expect(phone.sheet).to_be_hidden()
        expect(page.get_by_text("All hands")).to_be_visible()
        phone.tap(phone.link("Back to the table"))
        phone.expect_sent_totals(11, 7)

    @pytest.mark.long
    def test_reloaded_hand_page_keeps_its_hand(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        for hand in ("A-6-7", "B-7-7"):
            phone.mark(hand)
        is_all_sent(phone)
        phone.open(f"{hall.table}/hands/1")
        expect(phone.page).to_have_url(re.compile(r"/hands/1$"))
        phone.poll_for_updates()
        expect(phone.page.get_by_role("heading", name="Hand 1: who bid")).to_be_visible()
        phone.mark("A-8-8")
        phone.expect_sent_totals(8, 7)

    def test_cached_page_returns_offline_with_every_hand(
        self, hall: Hall, phones: Phones, server: Server, tmp_path: Path
    ) -> None:
        hall.build_night()
        page = open_and_cache_table(hall, phones).new_page()
        phone = Phone(page, url=server.url, name="phone", pictures=tmp_path)
        phone.open(hall.table)
        phone.mark("A-6-7")
        is_all_sent(phone)
        server.stop()
        phone.open(hall.table)
        phone.expect_sent_totals(6, 0)
        phone.mark("B-7-7")
        phone.expect_sent_totals(6, 7)
        phone.open(hall.table)
        phone.expect_sent_totals(6, 7)
        expect(find_chip(phone, "1 to send")).to_be_visible()
        server.start()
        is_all_sent(phone)
        assert list_statuses(hall.match) == [(1, "current"), (2, "current")]

    def test_hands_wait_on_a_phone_until_its_page_opens_again(self, hall: Hall, phones: Phones, server: Server) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        server.stop()
        for hand in ("A-6-7", "B-7-7"):
            phone.mark(hand)
        phone.expect_sent_totals(6, 7)
        phone.page.goto("about:blank")
        server.start()
        phone.open(hall.table)
        phone.expect_sent_totals(6, 7)
        is_all_sent(phone)
        assert list_records(hall.match) == ["hand 6 7", "hand 7 7"]

    def test_unreachable_page_does_not_replace_the_table(self, hall: Hall, phones: Phones, server: Server) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        server.stop()
        phone.mark("A-6-7")
        phone.expect_sent_totals(6, 0)
        for leads_away in (phone.link("See the rules"), phone.find_button("Français")):
            phone.tap(phone.page.locator('a[href="#more"]'))
            phone.tap(leads_away)
            expect(phone.page.get_by_text("that page is unavailable")).to_be_in_viewport()
            phone.take_picture("out-of-reach")
        phone.mark("B-7-7")
        phone.expect_sent_totals(6, 7)
        expect(phone.page.get_by_text("that page is unavailable")).to_be_hidden()
        server.start()
        phone.poll_for_updates()
        is_all_sent(phone)
        phone.tap(phone.page.locator('a[href="#more"]'))
        phone.tap(phone.link("See the rules"))
        expect(phone.page.get_by_role("heading", level=1)).to_be_visible()
        assert phone.page.url.endswith("/rules")


class TestTwoOfflinePhones:
    def start_offline(self, hall: Hall, phones: Phones) -> tuple[Phone, Phone]:
        hall.build_night()
        one, other = phones("one"), phones("other")
        for phone in (one, other):
            phone.open(hall.table)
        hall.server.stop()
        return one, other

    def go_online(self, hall: Hall, *those: Phone) -> None:
        hall.server.start()
        for _ in range(2):
            for phone in those:
                phone.poll_for_updates()
                expect(phone.page.locator("#to-send")).to_be_hidden()

    def test_identical_offline_hands_count_once(self, hall: Hall, phones: Phones) -> None:
        one, other = self.start_offline(hall, phones)
        for phone in (one, other):
            for hand in ("A-6-7", "B-7-7"):
                phone.mark(hand)
        self.go_online(hall, one, other)
        for phone in (one, other):
            phone.poll_for_updates()
            phone.expect_sent_totals(6, 7)
        assert sorted(list_statuses(hall.match)) == [
            (1, "current"),
            (1, "echo"),
            (2, "current"),
            (2, "echo"),
        ]

    def test_conflicting_offline_hands_wait_for_one_choice(self, hall: Hall, phones: Phones) -> None:
        one, other = self.start_offline(hall, phones)
        one.mark("A-6-7")
        other.mark("A-8-8")
        for phone in (one, other):
            phone.mark("B-5-5")
        self.go_online(hall, one, other)
        for phone in (one, other):
            phone.poll_for_updates()
            expect(phone.page.get_by_role("alert")).to_contain_text("Hand 1: two different scores")
            phone.expect_sent_totals(0, 5)
        other.take_picture("two-marks")
        other.open_updates()
        other.tap(other.page.locator(".marks button").filter(has_text=re.compile("6 made")))
        other.expect_sent_totals(6, 5)
        one.poll_for_updates()
        one.expect_sent_totals(6, 5)
        assert get_score(hall.match) == [6, 5]

    @pytest.mark.parametrize("is_first", [True, False], ids=["heard first", "heard last"])
    def test_undone_hand_does_not_remove_the_other_phones_hand(
        self, hall: Hall, phones: Phones, is_first: bool
    ) -> None:
        one, other = self.start_offline(hall, phones)
        for phone in (one, other):
            phone.mark("A-6-7")
        one.tap(one.find_button("Undo hand 1"))
        one.expect_sent_totals(0, 0)
        order = (one, other) if is_first else (other, one)
        hall.server.start()
        for phone in order:
            is_all_sent(phone)
        for phone in order:
            phone.poll_for_updates()
            phone.expect_sent_totals(6, 0)
        assert get_score(hall.match) == [6, 0]

    def test_offline_hand_can_answer_a_later_server_question(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        *_, third = play(hall.match, "A 8 8", "A 8 8", "B 5 5")
        phone = phones()
        phone.open(hall.table)
        phone.wait_for_updates()  # a response under way might already contain the change below
        phone.page.context.set_offline(True)
        mark(hall.match, "A 8 8", replaced=third)
        phone.mark("A-8-8")
        phone.expect_sent_totals(24, 5)
        phone.page.context.set_offline(False)
        phone.poll_for_updates()
        expect(phone.sheet).to_be_visible()
        phone.take_picture("asked-by-the-server")
        phone.tap(phone.find_button("Yes, that’s right"))
        expect(phone.sheet).to_be_hidden()
        expect(phone.page.get_by_role("heading", name="win the game")).to_be_visible()
        expect(find_chip(phone, "Sent")).to_be_visible()
        phone.poll_for_updates()
        expect(phone.sheet).to_be_hidden()
        assert reload_match(hall.match).is_over


class TestPhoneFailures:
    def test_phone_without_storage_records_hands_with_a_warning(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.build_night()
        phone = phones()
        phone.page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
        phone.open(hall.table)
        server.stop()
        phone.mark("A-6-7")
        phone.mark("B-7-7")
        phone.expect_sent_totals(6, 7)
        expect(phone.screen.get_by_text("Keep this page open until sent")).to_be_visible()
        expect(phone.page.locator("#to-send")).to_contain_text("No network: keep playing.")
        phone.take_picture("keeps-nothing")
        server.start()
        is_all_sent(phone)
        expect(phone.screen.get_by_text("This device cannot save hands")).to_be_hidden()
        assert list_records(hall.match) == ["hand 6 7", "hand 7 7"]

    @pytest.mark.long
    def test_phone_with_an_unresponsive_database_keeps_waiting_hands(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.build_night()
        phone = phones()
        phone.page.add_init_script("""
            const { open } = IDBFactory.prototype;
            IDBFactory.prototype.open = function (...asked) {
                return sessionStorage.isSilent ? {} : open.apply(this, asked);
            };
        """)
        phone.open(hall.table)
        server.stop()
        phone.mark("A-6-7")
        phone.expect_sent_totals(6, 0)
        phone.run_script("sessionStorage.isSilent = 1")
        server.start()
        phone.open(hall.table)
        phone.mark("B-7-7")
        phone.expect_sent_totals(6, 7)
        is_all_sent(phone)
        phone.run_script("sessionStorage.removeItem('isSilent')")
        phone.open(hall.table)
        phone.expect_sent_totals(6, 7)
        assert list_records(hall.match) == ["hand 6 7", "hand 7 7"]

    def test_full_storage_keeps_the_order_of_hands(self, hall: Hall, phones: Phones, server: Server) -> None:
        hall.build_night()
        phone = phones()
        phone.page.add_init_script("""
            const { put } = IDBObjectStore.prototype;
            IDBObjectStore.prototype.put = function (...item) {
                if (window.isFull) throw new DOMException("full", "QuotaExceededError");
                return put.apply(this, item);
            };
        """)
        phone.open(hall.table)
        server.stop()
        hands = ("A-5-5", "B-5-5", "A-6-6", "B-6-6", "A-7-7", "B-7-7")
        for number, each in enumerate(hands, start=1):
            phone.run_script(f"window.isFull = {str(number in (2, 3, 5)).lower()}")
            phone.mark(each)
            expect(phone.page.locator("#screen h1 + p")).to_contain_text(f"Hand {number + 1}")
        phone.expect_sent_totals(18, 18)
        server.start()
        is_all_sent(phone)
        assert list_records(hall.match) == [f"hand {n} {n}" for n in (5, 5, 6, 6, 7, 7)]

    @pytest.mark.long
    def test_phone_with_a_wrong_clock_keeps_order_and_server_time(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        phone = phones()
        for days in (-1, 1):
            hall.build_night()
            phone.page.clock.set_system_time(timezone.now())
            phone.open(hall.table)
            server.stop()
            phone.mark("A-6-7")
            phone.page.clock.set_system_time(timezone.now() + datetime.timedelta(days=days))
            phone.mark("B-7-7")
            phone.expect_sent_totals(6, 7)
            server.start()
            before = timezone.now() - datetime.timedelta(minutes=1)
            is_all_sent(phone)
            assert list_records(hall.match) == ["hand 6 7", "hand 7 7"], days
            assert all(before < mark.created_at <= timezone.now() for mark in hall.match.marks.all()), days

    def test_page_closed_right_after_a_tap_keeps_the_hand(self, hall: Hall, phones: Phones, server: Server) -> None:
        hall.build_night()
        context = phones.build_context()
        for number, hand in enumerate(("A-6-7", "B-7-7", "A-5-5"), start=1):
            page = context.new_page()
            page.goto(hall.table)
            page.locator("body[data-drawn]").wait_for(state="attached")
            page.locator(f'.lanes a[href$="#{hand[:3]}"]').click()
            server.stop()
            page.locator(f'button[name="said"][value="{hand}"]').click(no_wait_after=True)
            page.close(run_before_unload=False)
            server.start()
            page = context.new_page()
            page.goto(hall.table)
            expect(page.locator("#screen h1 + p")).to_contain_text(f"Hand {number + 1}")
            expect(page.locator(".band .chip").get_by_text("Sent", exact=True)).to_be_visible()
            page.close()
        assert list_records(hall.match) == ["hand 6 7", "hand 7 7", "hand 5 5"]

    @pytest.mark.long
    def test_refused_late_agreement_shows_its_reason(self, hall: Hall, phones: Phones, server: Server) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        server.stop()
        mark_after_reading(phone, ENDS_A_GAME)
        confirm_for_both_sides(phone)
        expect(phone.page.get_by_text("Result confirmed. Wait")).to_be_visible()
        mark(hall.match, "B gros_charlemagne made", number=1)
        server.start()
        phone.poll_for_updates()
        outbox = phone.page.locator("#outbox")
        expect(outbox).to_contain_text("Table 1, game 1: confirmation not recorded")
        phone.take_picture("late-agreement")
        assert not hall.match.agreements.exists()
        for _ in range(2):
            phone.open_updates()
            phone.tap(phone.page.locator("#outbox button").first)
        expect(outbox).to_be_hidden()


@pytest.fixture
def plain_phones(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], server: Server, tmp_path: Path
) -> Iterator[Phones]:
    """Yield phones that open a plain http address of the hall, which is no secure context."""
    arguments = [*browser_type_launch_args["args"], "--host-resolver-rules=MAP hall.lan 127.0.0.1"]
    browser: Browser = browser_type.launch(**browser_type_launch_args | {"args": arguments})
    phones = Phones(browser, server.url.replace("127.0.0.1", "hall.lan"), tmp_path)
    yield phones
    phones.close()
    browser.close()


@pytest.mark.long
def test_insecure_local_address_suffices_for_offline_play(hall: Hall, plain_phones: Phones, server: Server) -> None:
    hall.build_night()
    phone = plain_phones(service_workers="allow")
    phone.open(hall.table)
    assert not phone.run_script("isSecureContext")
    assert not phone.run_script("'randomUUID' in crypto")
    server.stop()
    phone.mark("A-6-7")
    open_hands(phone)
    phone.tap(phone.link("^Hand 1:"))
    phone.mark("B-8-8")
    phone.expect_sent_totals(0, 8)
    phone.page.goto("about:blank")
    server.start()
    phone.open(hall.table)
    phone.expect_sent_totals(0, 8)
    is_all_sent(phone)
    assert list_records(hall.match) == ["hand 6 7", "hand 8 8"]


def test_round_clock_appears_without_new_hands(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    clock = Clock(started_at=timezone.now(), ends_at=timezone.now() + datetime.timedelta(minutes=50))
    TableCard.objects.filter(pk=hall.match.card.pk).update(clock_data=clock_to_json(clock))
    phone.poll_for_updates()
    expect(phone.page.locator(".band .clock")).to_be_visible()


@pytest.mark.parametrize("locale", ["fr-CA", pytest.param("en-CA", marks=pytest.mark.long("French words are longer"))])
def test_offline_messages_are_correct_and_fit_the_smallest_phone(
    hall: Hall, phones: Phones, server: Server, locale: str
) -> None:
    words = {
        "fr-CA": ("Envoyé", "2 à envoyer", "Pas de réseau"),
        "en-CA": ("Sent", "2 to send", "No network"),
    }
    sent, two, away = words[locale]
    hall.build_night(match_format=TWO_GAMES)
    phone = phones(locale, width=320, height=640, locale=locale)
    phone.set_text_size(21)
    phone.open(hall.table)
    expect(find_chip(phone, sent)).to_be_visible()
    server.stop()
    for _ in range(2):
        phone.wait_for_updates()
    expect(find_chip(phone, away)).to_be_visible()
    expect(find_chip(phone, sent)).to_be_hidden()
    expect_fit(phone, "no-network")
    phone.mark("A-6-7")
    phone.mark("B-7-7")
    expect(find_chip(phone, two)).to_be_visible()
    expect_fit(phone, "two-to-send")
    phone.tap(phone.find_contract_key("A-8"))
    expect_fit(phone, "step")
    phone.page.go_back()
    phone.tap(phone.page.locator('a[href="#more"]'))
    expect_fit(phone, "more")
    phone.tap(phone.page.locator('.step:target a[href$="/hands"]'))
    expect(phone.page.locator(".hands li")).to_have_count(2)
    expect_fit(phone, "hands")
    phone.page.go_back()
    phone.page.go_back()
    phone.mark(ENDS_A_GAME)
    expect(phone.sheet).to_be_visible()
    expect_fit(phone, "read-aloud")
    phone.tap(phone.sheet.locator("button"))
    expect(phone.page.locator(".agree")).to_be_visible()
    expect_fit(phone, "game-over")


def expect_fit(phone: Phone, title: str) -> None:
    """Check that nothing is wider than the screen, and that axe finds no violations."""
    phone.take_picture(title)
    assert phone.run_script("document.documentElement.scrollWidth <= innerWidth"), title
    assert find_violations(phone) == [], title


def test_match_continues_offline_by_keyboard(hall: Hall, phones: Phones, server: Server) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    server.stop()
    press = phone.page.keyboard.press
    phone.find_contract_key("B-7").focus()
    press("Enter")
    phone.find_result_key("B-7-7").press("Enter")
    phone.expect_sent_totals(0, 7)
    expect(phone.page.get_by_role("heading", name="Who bid, and what?")).to_be_focused()
    phone.find_contract_key("A-gros_charlemagne").press("Enter")
    phone.find_result_key(ENDS_A_GAME).press("Enter")
    expect(phone.sheet).to_be_focused()
    press("Tab")
    press("Enter")
    expect(phone.page.get_by_role("heading", name="win the game")).to_be_focused()
