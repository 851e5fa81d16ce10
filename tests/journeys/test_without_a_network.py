"""Matches that are played while nobody answers: the phone is the table's memory until the network is back."""

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
from tests.builders import TWO_GAMES, fresh, mark, play, score, statuses
from tests.journeys.axe import violations
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_cold_start import table_opened_once

ENDS_A_GAME = "A-gros_charlemagne-8"


def pill(phone: Phone, text: str) -> Locator:
    return phone.page.locator(".band .chip").get_by_text(text, exact=True)


def is_all_sent(phone: Phone) -> None:
    """The network is back, and the phone has found out."""
    phone.looks_for_news()
    expect(pill(phone, "Sent")).to_be_visible()
    expect(phone.page.locator("#to-send")).to_be_hidden()


def marks_after_reading(phone: Phone, said: str) -> None:
    """A hand that is read aloud first."""
    phone.mark(said)
    phone.tap(phone.button("Yes, that’s right"))
    expect(phone.sheet).to_be_hidden()


def both_agree(phone: Phone) -> None:
    phone.tap(phone.button("Confirm the result").first)
    expect(phone.page.locator(".given")).to_have_count(1)
    phone.tap(phone.button("Confirm the result").first)


def sees_hand(phone: Phone, number: int, dealer: str) -> None:
    expect(phone.page.locator("#screen h1 + p")).to_have_text(f"Hand {number}, {dealer} deals")


def dealers_of(match: Match) -> list[str]:
    """First names, in the order in which they deal."""
    names = [player.person.name.split()[0] for player in match.players.order_by("seat")]
    first = match.dealer_at_start
    return names[first:] + names[:first]


def opens_the_hands(phone: Phone) -> None:
    phone.tap(phone.page.locator('a[href="#more"]'))
    phone.tap(phone.link("See or correct hands").locator("visible=true"))
    expect(phone.page.get_by_text("All hands")).to_be_visible()


def hands_seen(phone: Phone) -> list[str]:
    """The list of all hands, as it is read, without the hour of corrections, which the server has anew."""
    texts = phone.page.locator(".hands li").all_inner_texts()
    return [re.sub(r" at \d+:\d\d [AP]M", "", " ".join(text.split())) for text in texts]


def records_of(match: Match) -> list[str]:
    """Return what the server was told, in the order in which it heard it."""
    said = [mark.record_data for mark in match.marks.order_by("pk")]
    return [f"{each['kind']} {each.get('contract', '')} {each.get('tricks', '')}".strip() for each in said]


class TestAMatchWithoutANetwork:
    def test_is_marked_from_its_first_hand_to_its_last_agreement(  # noqa: PLR0915 - an evening
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.a_night(match_format=TWO_GAMES)
        one, two, three, four = dealers_of(hall.match)
        phone = phones()
        phone.open(hall.table)
        server.stop()
        sees_hand(phone, 1, one)
        phone.mark("A-6-7")
        phone.sees_totals(6, 0)
        sees_hand(phone, 2, two)
        phone.tap(phone.button("Misdeal"))
        sees_hand(phone, 3, two)
        phone.mark("B-7-7")
        phone.sees_totals(6, 7)
        sees_hand(phone, 4, three)
        phone.tap(phone.button("Undo hand 3"))
        phone.sees_totals(6, 0)
        sees_hand(phone, 3, two)
        phone.tap(phone.button("Restore hand 3"))
        phone.sees_totals(6, 7)
        sees_hand(phone, 4, three)
        phone.mark("A-7-failed")
        phone.sees_totals(6, 14)
        sees_hand(phone, 5, four)
        phone.picture("four-hands")

        opens_the_hands(phone)
        phone.picture("hands")
        phone.tap(phone.link("^Hand 1:"))
        expect(phone.page).to_have_url(re.compile(r"/hands/1$"))
        phone.picture("correcting")
        phone.mark("A-8-8")
        phone.sees_totals(8, 14)
        sees_hand(phone, 5, four)

        phone.mark(ENDS_A_GAME)
        expect(phone.sheet).to_be_visible()
        phone.picture("read-aloud")
        phone.tap(phone.link("No, correct it"))
        expect(phone.sheet).to_be_hidden()
        expect(phone.result(ENDS_A_GAME)).to_be_visible()
        phone.tap(phone.result(ENDS_A_GAME))
        phone.tap(phone.button("Yes, that’s right"))
        expect(phone.page.get_by_role("heading", name="win the game")).to_be_visible()
        phone.sees_totals(40, 14)
        phone.picture("game-over")
        both_agree(phone)
        sees_hand(phone, 6, one)
        phone.sees_totals(0, 0)
        expect(phone.page.locator(".panel").first).to_contain_text("game 1")

        marks_after_reading(phone, ENDS_A_GAME)
        expect(phone.page.get_by_role("heading", name="win the match")).to_be_visible()
        both_agree(phone)
        expect(phone.page.get_by_text("Result confirmed. Wait")).to_be_visible()
        expect(pill(phone, "13 to send")).to_be_visible()
        phone.picture("match-over")
        phone.tap(phone.link("See or correct hands"))
        shown = hands_seen(phone)
        phone.tap(phone.link("Back to the table"))

        server.start()
        is_all_sent(phone)
        match = fresh(hall.match)
        assert records_of(match) == [
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
        phone.picture("sent")
        expect(phone.page.get_by_text("Result confirmed. Wait")).to_be_visible()
        another = phones("another")
        another.open(f"{hall.table}/hands")
        assert hands_seen(another) == shown

    def test_is_walked_through_by_the_browsers_own_buttons(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.a_night()
        play(hall.match, "A 6 7", "B 7 7", "A 5 5")
        phone = phones()
        phone.open(hall.table)
        server.stop()
        page = phone.page
        opens_the_hands(phone)
        phone.tap(phone.link("^Hand 2:"))
        expect(page.get_by_role("heading", name="Hand 2: who bid")).to_be_visible()
        phone.tap(phone.contract("A-6"))
        page.go_back()
        expect(phone.contract("A-6")).to_be_visible()
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
        phone.sees_totals(11, 7)

    def test_keeps_the_hand_that_is_looked_at_when_its_page_is_read_anew(
        self, hall: Hall, phones: Phones
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        for said in ("A-6-7", "B-7-7"):
            phone.mark(said)
        is_all_sent(phone)
        phone.open(f"{hall.table}/hands/1")
        expect(phone.page).to_have_url(re.compile(r"/hands/1$"))
        phone.looks_for_news()
        expect(phone.page.get_by_role("heading", name="Hand 1: who bid")).to_be_visible()
        phone.mark("A-8-8")
        phone.sees_totals(8, 7)

    def test_comes_back_where_a_worker_keeps_the_page_with_what_was_marked_before_and_after(
        self, hall: Hall, phones: Phones, server: Server, tmp_path: Path
    ) -> None:
        hall.a_night()
        page = table_opened_once(hall, phones).new_page()
        phone = Phone(page, url=server.url, name="phone", pictures=tmp_path)
        phone.open(hall.table)
        phone.mark("A-6-7")
        is_all_sent(phone)
        server.stop()
        phone.open(hall.table)
        phone.sees_totals(6, 0)
        phone.mark("B-7-7")
        phone.sees_totals(6, 7)
        phone.open(hall.table)
        phone.sees_totals(6, 7)
        expect(pill(phone, "1 to send")).to_be_visible()
        server.start()
        is_all_sent(phone)
        assert statuses(hall.match) == [(1, "current"), (2, "current")]

    def test_waits_on_a_phone_whose_page_cannot_be_opened_until_it_can(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        server.stop()
        for said in ("A-6-7", "B-7-7"):
            phone.mark(said)
        phone.sees_totals(6, 7)
        phone.page.goto("about:blank")
        server.start()
        phone.open(hall.table)
        phone.sees_totals(6, 7)
        is_all_sent(phone)
        assert records_of(hall.match) == ["hand 6 7", "hand 7 7"]

    def test_is_not_left_for_a_page_that_does_not_come(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        server.stop()
        phone.mark("A-6-7")
        phone.sees_totals(6, 0)
        for leads_away in (phone.link("See the rules"), phone.button("Français")):
            phone.tap(phone.page.locator('a[href="#more"]'))
            phone.tap(leads_away)
            expect(phone.page.get_by_text("that page is unavailable")).to_be_in_viewport()
            phone.picture("out-of-reach")
        phone.mark("B-7-7")
        phone.sees_totals(6, 7)
        expect(phone.page.get_by_text("that page is unavailable")).to_be_hidden()
        server.start()
        phone.looks_for_news()
        is_all_sent(phone)
        phone.tap(phone.page.locator('a[href="#more"]'))
        phone.tap(phone.link("See the rules"))
        expect(phone.page.get_by_role("heading", level=1)).to_be_visible()
        assert phone.page.url.endswith("/rules")


class TestTwoPhonesWithoutANetwork:
    def offline(self, hall: Hall, phones: Phones) -> tuple[Phone, Phone]:
        hall.a_night()
        one, other = phones("one"), phones("other")
        for phone in (one, other):
            phone.open(hall.table)
        hall.server.stop()
        return one, other

    def online(self, hall: Hall, *those: Phone) -> None:
        hall.server.start()
        for _ in range(2):
            for phone in those:
                phone.looks_for_news()
                expect(phone.page.locator("#to-send")).to_be_hidden()

    def test_mark_equal_hands_once(self, hall: Hall, phones: Phones) -> None:
        one, other = self.offline(hall, phones)
        for phone in (one, other):
            for said in ("A-6-7", "B-7-7"):
                phone.mark(said)
        self.online(hall, one, other)
        for phone in (one, other):
            phone.looks_for_news()
            phone.sees_totals(6, 7)
        assert sorted(statuses(hall.match)) == [
            (1, "current"),
            (1, "echo"),
            (2, "current"),
            (2, "echo"),
        ]

    def test_mark_different_hands_which_wait_on_both_until_one_tap_chooses(
        self, hall: Hall, phones: Phones
    ) -> None:
        one, other = self.offline(hall, phones)
        one.mark("A-6-7")
        other.mark("A-8-8")
        for phone in (one, other):
            phone.mark("B-5-5")
        self.online(hall, one, other)
        for phone in (one, other):
            phone.looks_for_news()
            expect(phone.page.get_by_role("alert")).to_contain_text("Hand 1: two different scores")
            phone.sees_totals(0, 5)
        other.picture("two-marks")
        other.opens_news()
        other.tap(other.page.locator(".marks button").filter(has_text=re.compile("6 made")))
        other.sees_totals(6, 5)
        one.looks_for_news()
        one.sees_totals(6, 5)
        assert score(hall.match) == [6, 5]

    @pytest.mark.parametrize("is_first", [True, False], ids=["heard first", "heard last"])
    def test_leave_the_hand_of_the_other_where_one_takes_back_its_own(
        self, hall: Hall, phones: Phones, is_first: bool
    ) -> None:
        one, other = self.offline(hall, phones)
        for phone in (one, other):
            phone.mark("A-6-7")
        one.tap(one.button("Undo hand 1"))
        one.sees_totals(0, 0)
        order = (one, other) if is_first else (other, one)
        hall.server.start()
        for phone in order:
            is_all_sent(phone)
        for phone in order:
            phone.looks_for_news()
            phone.sees_totals(6, 0)
        assert score(hall.match) == [6, 0]

    def test_answer_a_question_that_only_the_server_knew_to_ask(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        *_, third = play(hall.match, "A 8 8", "A 8 8", "B 5 5")
        phone = phones()
        phone.open(hall.table)
        phone.is_told_the_news()  # else an answer that is on its way may tell what follows
        phone.page.context.set_offline(True)
        mark(hall.match, "A 8 8", replacing=third)
        phone.mark("A-8-8")
        phone.sees_totals(24, 5)
        phone.page.context.set_offline(False)
        phone.looks_for_news()
        expect(phone.sheet).to_be_visible()
        phone.picture("asked-by-the-server")
        phone.tap(phone.button("Yes, that’s right"))
        expect(phone.sheet).to_be_hidden()
        expect(phone.page.get_by_role("heading", name="win the game")).to_be_visible()
        expect(pill(phone, "Sent")).to_be_visible()
        phone.looks_for_news()
        expect(phone.sheet).to_be_hidden()
        assert fresh(hall.match).is_over


class TestAPhone:
    def test_that_forbids_storage_marks_on_and_says_so(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
        phone.open(hall.table)
        server.stop()
        phone.mark("A-6-7")
        phone.mark("B-7-7")
        phone.sees_totals(6, 7)
        expect(phone.screen.get_by_text("Keep this page open until sent")).to_be_visible()
        expect(phone.page.locator("#to-send")).to_contain_text("No network: keep playing.")
        phone.picture("keeps-nothing")
        server.start()
        is_all_sent(phone)
        expect(phone.screen.get_by_text("This device cannot save hands")).to_be_hidden()
        assert records_of(hall.match) == ["hand 6 7", "hand 7 7"]

    def test_whose_database_does_not_answer_when_the_page_is_opened_has_what_waits(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.a_night()
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
        phone.sees_totals(6, 0)
        phone.runs("sessionStorage.isSilent = 1")
        server.start()
        phone.open(hall.table)
        phone.mark("B-7-7")
        phone.sees_totals(6, 7)
        is_all_sent(phone)
        phone.runs("sessionStorage.removeItem('isSilent')")
        phone.open(hall.table)
        phone.sees_totals(6, 7)
        assert records_of(hall.match) == ["hand 6 7", "hand 7 7"]

    def test_that_fills_up_and_has_room_again_keeps_the_order(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.a_night()
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
        said = ("A-5-5", "B-5-5", "A-6-6", "B-6-6", "A-7-7", "B-7-7")
        for number, each in enumerate(said, start=1):
            phone.runs(f"window.isFull = {str(number in (2, 3, 5)).lower()}")
            phone.mark(each)
            expect(phone.page.locator("#screen h1 + p")).to_contain_text(f"Hand {number + 1}")
        phone.sees_totals(18, 18)
        server.start()
        is_all_sent(phone)
        assert records_of(hall.match) == [f"hand {n} {n}" for n in (5, 5, 6, 6, 7, 7)]

    def test_whose_clock_is_a_day_off_is_heard_in_order_and_at_the_servers_time(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        phone = phones()
        for days in (-1, 1):
            hall.a_night()
            phone.page.clock.set_system_time(timezone.now())
            phone.open(hall.table)
            server.stop()
            phone.mark("A-6-7")
            phone.page.clock.set_system_time(timezone.now() + datetime.timedelta(days=days))
            phone.mark("B-7-7")
            phone.sees_totals(6, 7)
            server.start()
            before = timezone.now() - datetime.timedelta(minutes=1)
            is_all_sent(phone)
            assert records_of(hall.match) == ["hand 6 7", "hand 7 7"], days
            assert all(before < mark.created_at <= timezone.now() for mark in hall.match.marks.all()), days

    def test_whose_page_is_gone_right_after_the_tap_has_the_hand(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.a_night()
        context = phones.context()
        for number, said in enumerate(("A-6-7", "B-7-7", "A-5-5"), start=1):
            page = context.new_page()
            page.goto(hall.table)
            page.locator("body[data-drawn]").wait_for(state="attached")
            page.locator(f'.lanes a[href$="#{said[:3]}"]').click()
            server.stop()
            page.locator(f'button[name="said"][value="{said}"]').click(no_wait_after=True)
            page.close(run_before_unload=False)
            server.start()
            page = context.new_page()
            page.goto(hall.table)
            expect(page.locator("#screen h1 + p")).to_contain_text(f"Hand {number + 1}")
            expect(page.locator(".band .chip").get_by_text("Sent", exact=True)).to_be_visible()
            page.close()
        assert records_of(hall.match) == ["hand 6 7", "hand 7 7", "hand 5 5"]

    def test_is_shown_why_an_agreement_that_came_late_was_refused(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        server.stop()
        marks_after_reading(phone, ENDS_A_GAME)
        both_agree(phone)
        expect(phone.page.get_by_text("Result confirmed. Wait")).to_be_visible()
        mark(hall.match, "B gros_charlemagne made", number=1)
        server.start()
        phone.looks_for_news()
        said = phone.page.locator("#outbox")
        expect(said).to_contain_text("Table 1, game 1: confirmation not recorded")
        phone.picture("late-agreement")
        assert not hall.match.agreements.exists()
        for _ in range(2):
            phone.opens_news()
            phone.tap(phone.page.locator("#outbox button").first)
        expect(said).to_be_hidden()


@pytest.fixture
def plain_phones(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], server: Server, tmp_path: Path
) -> Iterator[Phones]:
    """Phones that open a plain http address of the hall, which is no secure context."""
    arguments = [*browser_type_launch_args["args"], "--host-resolver-rules=MAP hall.lan 127.0.0.1"]
    browser: Browser = browser_type.launch(**browser_type_launch_args | {"args": arguments})
    phones = Phones(browser, server.url.replace("127.0.0.1", "hall.lan"), tmp_path)
    yield phones
    phones.close()
    browser.close()


def test_a_plain_address_of_the_hall_is_enough(hall: Hall, plain_phones: Phones, server: Server) -> None:
    hall.a_night()
    phone = plain_phones(service_workers="allow")
    phone.open(hall.table)
    assert not phone.runs("isSecureContext")
    assert not phone.runs("'randomUUID' in crypto")
    server.stop()
    phone.mark("A-6-7")
    opens_the_hands(phone)
    phone.tap(phone.link("^Hand 1:"))
    phone.mark("B-8-8")
    phone.sees_totals(0, 8)
    phone.page.goto("about:blank")
    server.start()
    phone.open(hall.table)
    phone.sees_totals(0, 8)
    is_all_sent(phone)
    assert records_of(hall.match) == ["hand 6 7", "hand 8 8"]


def test_the_clock_of_the_round_is_seen_where_nothing_was_marked_meanwhile(
    hall: Hall, phones: Phones
) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    clock = Clock(started_at=timezone.now(), ends_at=timezone.now() + datetime.timedelta(minutes=50))
    TableCard.objects.filter(pk=hall.match.card.pk).update(clock_data=clock_to_json(clock))
    phone.looks_for_news()
    expect(phone.page.locator(".band .clock")).to_be_visible()


@pytest.mark.parametrize(
    "locale", ["fr-CA", pytest.param("en-CA", marks=pytest.mark.long("French words are longer"))]
)
def test_what_the_page_says_is_true_and_fits_the_smallest_phone(
    hall: Hall, phones: Phones, server: Server, locale: str
) -> None:
    words = {
        "fr-CA": ("Envoyé", "2 à envoyer", "Pas de réseau"),
        "en-CA": ("Sent", "2 to send", "No network"),
    }
    sent, two, away = words[locale]
    hall.a_night(match_format=TWO_GAMES)
    phone = phones(locale, width=320, height=640, locale=locale)
    phone.reads_text_of(21)
    phone.open(hall.table)
    expect(pill(phone, sent)).to_be_visible()
    server.stop()
    for _ in range(2):
        phone.is_told_the_news()
    expect(pill(phone, away)).to_be_visible()
    expect(pill(phone, sent)).to_be_hidden()
    fits(phone, "no-network")
    phone.mark("A-6-7")
    phone.mark("B-7-7")
    expect(pill(phone, two)).to_be_visible()
    fits(phone, "two-to-send")
    phone.tap(phone.contract("A-8"))
    fits(phone, "step")
    phone.page.go_back()
    phone.tap(phone.page.locator('a[href="#more"]'))
    fits(phone, "more")
    phone.tap(phone.page.locator('.step:target a[href$="/hands"]'))
    expect(phone.page.locator(".hands li")).to_have_count(2)
    fits(phone, "hands")
    phone.page.go_back()
    phone.page.go_back()
    phone.mark(ENDS_A_GAME)
    expect(phone.sheet).to_be_visible()
    fits(phone, "read-aloud")
    phone.tap(phone.sheet.locator("button"))
    expect(phone.page.locator(".agree")).to_be_visible()
    fits(phone, "game-over")


def fits(phone: Phone, title: str) -> None:
    """Nothing is wider than the screen, and nothing wrong is found by axe."""
    phone.picture(title)
    assert phone.runs("document.documentElement.scrollWidth <= innerWidth"), title
    assert violations(phone) == [], title


def test_a_match_goes_on_by_keyboard_without_a_network(hall: Hall, phones: Phones, server: Server) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    server.stop()
    press = phone.page.keyboard.press
    phone.contract("B-7").focus()
    press("Enter")
    phone.result("B-7-7").press("Enter")
    phone.sees_totals(0, 7)
    expect(phone.page.get_by_role("heading", name="Who bid, and what?")).to_be_focused()
    phone.contract("A-gros_charlemagne").press("Enter")
    phone.result(ENDS_A_GAME).press("Enter")
    expect(phone.sheet).to_be_focused()
    press("Tab")
    press("Enter")
    expect(phone.page.get_by_role("heading", name="win the game")).to_be_focused()
