"""Two phones at one table, updates of an open page, and a server that is away."""

import re

import pytest
from playwright.sync_api import Route, expect

from rules import Side
from scoring.models import Mark, Match
from scoring.scorekeeper import ANSWER_TIMEOUT
from tests.builders import TWO_GAMES, get_score, list_statuses, mark, play, reload_match, win
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phone, Phones, wait_until
from tournaments.rounds.services.tables import forfeit_table, let_cards_count


def block_stream(phone: Phone) -> None:
    """Block the stream of the page, so that it polls every few seconds."""
    phone.page.route("**/live/*", lambda route: route.abort())


def is_update_request(route: Route) -> bool:
    return bool(route.request.headers.get("hx-request")) and route.request.method == "GET"


class TestTwoPhones:
    def test_phones_see_each_others_hands_within_seconds(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        one, other = phones("one"), phones("other")
        for phone in (one, other):
            phone.open(hall.table)
        one.mark("A-6-7")
        one.expect_sent_totals(6, 0)
        other.poll_for_updates()
        other.expect_sent_totals(6, 0)
        one.mark("B-7-7")
        one.expect_sent_totals(6, 7)
        other.poll_for_updates()
        other.expect_sent_totals(6, 7)
        one.poll_for_updates()
        one.expect_sent_totals(6, 7)
        assert list_statuses(hall.match) == [(1, "current"), (2, "current")]

    def test_conflicting_marks_are_kept_until_the_table_chooses(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        one, other = phones("one"), phones("other")
        for phone in (one, other):
            phone.open(hall.table)
            phone.tap(phone.find_contract_key("A-6" if phone is one else "A-7"))
        one.tap(one.find_result_key("A-6-7"))
        one.expect_sent_totals(6, 0)
        other.tap(other.find_result_key("A-7-7"))
        for phone in (other, one):
            phone.poll_for_updates()
            phone.open_updates()
            expect(phone.page.get_by_role("alert")).to_contain_text("Hand 1: two different scores")
            marks = phone.page.locator(".marks")
            expect(marks.get_by_text("this phone")).to_be_visible()
            expect(marks.get_by_text("another phone")).to_be_visible()
            phone.expect_sent_totals(0, 0)
        one.take_picture("two-marks")
        one.open_updates()
        one.tap(one.page.locator(".marks button").filter(has_text=re.compile("7 made")))
        for phone in (one, other):
            phone.poll_for_updates()
            phone.expect_sent_totals(7, 0)
            expect(phone.page.get_by_role("alert")).to_be_hidden()
        assert get_score(hall.match) == [7, 0]

    def test_identical_marks_count_once(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        one, other = phones("one"), phones("other")
        for phone in (one, other):
            phone.open(hall.table)
            phone.tap(phone.page.locator(".scores .panels li").first)  # names in full cover no bid
            phone.tap(phone.find_contract_key("A-6"))
        for phone in (one, other):
            phone.tap(phone.find_result_key("A-6-7"))
            phone.expect_sent_totals(6, 0)
        assert get_score(hall.match) == [6, 0]


class TestScorekeeper:
    """The first phone that marks keeps score; other phones watch until they take over."""

    def test_scorekeeping_is_requested_and_handed_over(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        one, other = open_scorekeeper_and_watcher(hall, phones)
        other.take_picture("pencil-elsewhere")
        other.page.get_by_role("button", name="Keep score on this phone").click()
        expect(other.screen.get_by_text("This phone takes over in 0:")).to_be_visible()
        expect(other.page.locator("#status")).to_have_text("This phone takes over in 30 seconds.")
        one.poll_for_updates()
        one.open_updates()
        give = one.page.get_by_role("button", name="Let it take over")
        expect(give).to_be_visible()
        one.take_picture("pencil-asked-for")
        give.click()
        expect(one.page.get_by_role("heading", name="Another phone is keeping score")).to_be_visible()
        other.poll_for_updates()
        other.mark("B-7-7")
        other.expect_sent_totals(6, 7)
        one.poll_for_updates()
        one.expect_sent_totals(6, 7)

    @pytest.mark.long
    def test_refused_scorekeeping_can_be_requested_again(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        one, other = open_scorekeeper_and_watcher(hall, phones)
        ask = other.page.get_by_role("button", name="Keep score on this phone")
        ask.click()
        one.poll_for_updates()
        one.open_updates()
        one.page.get_by_role("button", name="Keep scoring").click()
        expect(one.screen.get_by_text("Another phone takes over scoring in 0:")).to_be_hidden()
        other.poll_for_updates()
        expect(ask).to_be_visible()
        one.mark("A-6-7")
        one.expect_sent_totals(12, 0)

    def test_unanswered_request_hands_over_and_keeps_earlier_hands(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        one, other = open_scorekeeper_and_watcher(hall, phones)
        one.page.context.set_offline(True)
        one.mark("A-6-7")
        one.expect_totals(12, 0)
        other.page.get_by_role("button", name="Keep score on this phone").click()
        expect(other.screen.get_by_text("This phone takes over in 0:")).to_be_visible()
        asked_at = reload_match(hall.match).pencil_asked_at
        assert asked_at is not None
        Match.objects.update(pencil_asked_at=asked_at - ANSWER_TIMEOUT)  # as if the time to answer had passed
        other.poll_for_updates()
        expect(other.find_contract_key("B-7")).to_be_visible()
        one.page.context.set_offline(False)
        one.has_sent()
        other.poll_for_updates()
        other.expect_sent_totals(12, 0)
        other.mark("B-7-7")
        other.expect_sent_totals(12, 7)
        one.poll_for_updates()
        expect(one.page.get_by_role("heading", name="Another phone is keeping score")).to_be_visible()

    def test_offline_takeover_request_allows_recording_within_seconds(self, hall: Hall, phones: Phones) -> None:
        """The stream may still seem open, because a network that dies does not close connections at once."""
        hall.build_night()
        one, other = open_scorekeeper_and_watcher(hall, phones)
        one.mark("A-6-7")
        other.expect_sent_totals(12, 0)  # through the stream
        other.page.context.set_offline(True)
        other.page.get_by_role("button", name="Keep score on this phone").click()
        expect(other.page.get_by_text("No network: not recorded")).to_be_visible()
        for _ in range(3):
            other.page.clock.fast_forward(3_000)
        expect(other.find_contract_key("B-7")).to_be_visible(timeout=3_000)
        other.mark("B-7-7")
        other.expect_totals(12, 7)

    def test_offline_phone_records_without_waiting_for_the_scorekeeper(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        _, other = open_scorekeeper_and_watcher(hall, phones)
        other.page.context.set_offline(True)
        for _ in range(2):
            other.poll_for_updates()
        other.mark("B-7-7")
        other.expect_totals(6, 7)
        other.page.context.set_offline(False)
        other.has_sent()
        other.poll_for_updates()
        other.expect_sent_totals(6, 7)
        expect(other.page.get_by_role("heading", name="Another phone is keeping score")).to_be_visible()


def open_scorekeeper_and_watcher(hall: Hall, phones: Phones) -> tuple[Phone, Phone]:
    """Open two phones at a table, and record the first hand on one of them."""
    one, other = phones("one"), phones("other")
    for phone in (one, other):
        phone.open(hall.table)
    one.mark("A-6-7")
    one.expect_sent_totals(6, 0)
    other.poll_for_updates()
    other.expect_sent_totals(6, 0)
    return one, other


class TestUpdates:
    def test_update_does_not_replace_the_page_during_a_step(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        phone.tap(phone.find_contract_key("A-6"))
        play(hall.match, "B 5 made")
        phone.wait_for_updates()
        expect(phone.find_result_key("A-6-7")).to_be_visible()
        phone.tap(phone.link("Another contract"))
        phone.expect_sent_totals(0, 5)

    @pytest.mark.long
    def test_update_does_not_replace_the_page_during_reading_aloud(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        phone.mark("A-mulot-0")
        expect(phone.sheet).to_be_visible()
        play(hall.match, "B 5 made")
        assert phone.wait_for_updates() == 0
        expect(phone.sheet).to_be_visible()

    def test_update_in_flight_does_not_close_a_step_just_opened(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        phone = phones()
        block_stream(phone)
        phone.open(hall.table)

        def delay_answer(route: Route) -> None:
            if is_update_request(route):
                phone.page.evaluate("document.querySelector('a[href$=\"#A-6\"]').click()")
            route.continue_()

        phone.page.route("**/t/*", delay_answer)
        play(hall.match, "B 5 made")
        assert phone.wait_for_updates() >= 1
        expect(phone.find_result_key("A-6-7")).to_be_visible()

    @pytest.mark.long
    def test_update_in_flight_arrives_after_a_screen_redraw(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        phone = phones()
        block_stream(phone)
        phone.open(hall.table)
        on_their_way: list[Route] = []

        def request_updates(route: Route) -> None:
            if is_update_request(route) and not on_their_way:
                on_their_way.append(route)
            else:
                route.continue_()

        phone.page.route("**/t/*", request_updates)
        phone.poll_for_updates()
        wait_until(phone.page, lambda: bool(on_their_way))
        phone.tap(phone.page.locator('a[href="#more"]'))
        phone.tap(phone.link("See or correct hands").locator("visible=true"))
        expect(phone.page.get_by_text("No hands yet")).to_be_visible()
        phone.stop_clock()
        play(hall.match, "B 5 made")
        on_their_way[0].continue_()
        expect(phone.link("^Hand 1:")).to_be_visible()

    def test_update_appears_in_the_list_of_hands(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        phone.tap(phone.page.locator('a[href="#more"]'))
        phone.tap(phone.link("See or correct hands").locator("visible=true"))
        play(hall.match, "B 5 made")
        expect(phone.link("^Hand 1:")).to_be_visible()
        play(hall.match, "A 6 7")
        phone.poll_for_updates()
        expect(phone.link("^Hand 2:")).to_be_visible()

    def test_desk_decision_is_shown_at_its_table(self, hall: Hall, phones: Phones) -> None:
        event = hall.build_night()
        phone = phones(locale="fr-CA")
        phone.open(hall.table)
        phone.mark("A-6-7")
        phone.has_sent()
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        notice = phone.page.get_by_text("Le bureau a déclaré un forfait.")
        expect(notice).to_be_visible()
        phone.take_picture("forfeit")
        let_cards_count(event_id=event.pk, number=1, table=1)
        expect(notice).to_be_hidden()

    def test_update_does_not_discard_what_the_director_is_typing(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        laptop = phones.open_laptop()
        laptop.sign_in(hall.owner)
        phone = phones()
        phone.open(hall.table)
        phone.tap(phone.page.locator('a[href="#more"]'))
        phone.tap(phone.find_button("Dispute: call the desk").first)
        expect(phone.screen.get_by_text("The desk was notified")).to_be_visible()
        laptop.open(f"/match/{hall.match.pk}")
        laptop.take_picture("called")
        ruling = laptop.page.get_by_label("Other reason")
        ruling.fill("The hand")
        play(hall.match, "B 5 made")
        assert laptop.wait_for_updates() == 0
        expect(ruling).to_have_value("The hand")
        ruling.fill("The hand stands.")
        laptop.tap(laptop.find_button("Settle the call"))
        laptop.expect_sent_totals(0, 5)
        phone.poll_for_updates()
        expect(phone.screen.get_by_text("The desk was notified")).to_be_hidden()

    def test_opponents_agreement_does_not_interrupt_the_next_game(self, hall: Hall, phones: Phones) -> None:
        hall.build_night(match_format=TWO_GAMES)
        win(hall.match)
        one, other = phones("one"), phones("other")
        block_stream(one)
        for phone in (one, other):
            phone.open(hall.table)
        one.tap(one.link("Start game 2"))
        other.tap(other.page.locator('button[name="side"]').first)
        expect(other.page.locator(".confirmed")).to_be_visible()
        assert one.wait_for_updates()  # its own timer may poll as well
        expect(one.find_contract_key("A-6")).to_be_visible()
        one.mark("A-6-7")
        one.expect_sent_totals(6, 0)
        other.poll_for_updates()
        other.expect_sent_totals(6, 0)


class TestServerOutage:
    def test_waiting_hand_is_sent_when_the_server_returns(self, hall: Hall, phones: Phones, server: Server) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        server.stop()
        phone.mark("A-6-7")
        phone.expect_sent_totals(6, 0)
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()
        expect(phone.screen.get_by_text("No network: keep playing.")).to_be_in_viewport()
        phone.take_picture("to-send")
        phone.mark("B-7-7")
        phone.expect_sent_totals(6, 7)
        expect(phone.screen.get_by_text("2 to send")).to_be_visible()
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_hidden()
        phone.take_picture("two-to-send")
        phone.poll_for_updates()
        assert not Mark.objects.exists()
        server.start()
        phone.poll_for_updates()
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        expect(phone.screen.get_by_text("No network: keep playing.")).to_be_hidden()
        phone.expect_sent_totals(6, 7)
        assert list_statuses(hall.match) == [(1, "current"), (2, "current")]

    def test_waiting_hand_is_sent_when_the_page_is_reopened(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        phone.page.route("**/t/*", lambda route: route.abort())
        phone.mark("A-6-7")
        phone.expect_sent_totals(6, 0)
        phone.open("about:blank")
        phone.page.unroute("**/t/*")
        phone.open(hall.table)
        phone.expect_sent_totals(6, 0)
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        phone.open(hall.table)
        phone.expect_sent_totals(6, 0)
        assert list_statuses(hall.match) == [(1, "current")]

    @pytest.mark.long
    def test_undone_and_next_hand_are_sent_in_order(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        phone.page.route("**/t/*", lambda route: route.abort())
        phone.mark("A-6-7")
        phone.expect_sent_totals(6, 0)
        phone.tap(phone.find_button("Undo hand 1"))
        phone.expect_sent_totals(0, 0)
        phone.mark("A-6-8")
        phone.expect_sent_totals(6, 0)
        phone.page.unroute("**/t/*")
        phone.poll_for_updates()
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        phone.expect_sent_totals(6, 0)
        assert list_statuses(hall.match) == [(1, "superseded"), (1, "superseded"), (1, "current")]

    def test_hand_with_a_lost_answer_is_recorded_once(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)

        def lose_the_answer(route: Route) -> None:
            if route.request.method == "POST":
                route.fetch()
                route.abort()
            else:
                route.continue_()

        phone.page.route("**/t/*", lose_the_answer)
        with phone.page.expect_event("requestfailed", lambda request: request.method == "POST"):
            phone.mark("A-6-7")
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()
        phone.page.unroute_all(behavior="ignoreErrors")  # of another attempt that is on its way
        phone.poll_for_updates()
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        phone.expect_sent_totals(6, 0)
        assert list_statuses(hall.match) == [(1, "current")]

    @pytest.mark.long
    def test_phone_stops_waiting_for_a_silent_server(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        phone.page.route("**/t/*", lambda route: None if route.request.method == "POST" else route.continue_())
        assert 1_000 < int(str(phone.run_script("htmx.config.timeout"))) <= 10_000
        phone.mark("A-6-7")
        phone.expect_totals(6, 0)
        phone.page.clock.fast_forward(9_000)
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()

    @pytest.mark.long
    def test_failed_call_is_reported_on_the_phone(self, hall: Hall, phones: Phones) -> None:
        hall.build_night()
        phone = phones()
        phone.open(hall.table)
        phone.page.route("**/t/*/dispute", lambda route: route.abort())
        phone.tap(phone.page.locator('a[href="#more"]'))
        phone.tap(phone.find_button("Dispute: call the desk").first)
        expect(phone.screen.get_by_text("your call is waiting to be sent")).to_be_visible()


def test_keyboard_focus_stays_on_its_key_after_updates(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    phone.find_contract_key("B-7").focus()
    play(hall.match, "A 6 7")
    phone.poll_for_updates()
    phone.expect_sent_totals(6, 0)
    expect(phone.find_contract_key("B-7")).to_be_focused()
    phone.wait_for_taps()
    phone.page.keyboard.press("Enter")
    phone.wait_for_taps()
    phone.find_result_key("B-7-7").press("Enter")
    phone.expect_sent_totals(6, 7)
    expect(phone.page.get_by_role("heading", name="Who bid, and what?")).to_be_focused()


@pytest.mark.long
def test_refusal_is_shown_on_the_screen(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    mark(hall.match, "A 6 7", director=hall.owner)
    phone = phones()
    phone.open(f"{hall.table}/hands/1")
    phone.mark("A-7-7")
    expect(phone.page.get_by_role("alert")).to_have_text("Only the director can do this. Ask the director.")
    phone.take_picture("director-only")
    assert get_score(hall.match) == [6, 0]


@pytest.mark.long
def test_page_with_an_expired_form_token_recovers_by_itself(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    phone.sign_in_by_form(hall.owner)
    phone.page.go_back()
    phone.page.go_back()
    phone.open(hall.table)
    phone.mark("A-6-7")
    phone.expect_sent_totals(6, 0)
