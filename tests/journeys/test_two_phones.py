"""Two phones at one table, a page that looks for news, and a server that is away."""

import re

from playwright.sync_api import Route, expect

from rules import Side
from scoring.models import Mark, Match
from scoring.scorekeeper import PATIENCE
from tests.builders import TWO_GAMES, fresh, mark, play, score, statuses, win
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phone, Phones, wait_until
from tournaments.rounds.services.tables import forfeit_table, let_cards_count


def hear_nothing(phone: Phone) -> None:
    """Its page has no stream, and asks every few seconds."""
    phone.page.route("**/live/*", lambda route: route.abort())


def asks_for_news(route: Route) -> bool:
    return bool(route.request.headers.get("hx-request")) and route.request.method == "GET"


class TestTwoPhones:
    def test_see_each_others_hands_within_seconds(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        one, other = phones("one"), phones("other")
        for phone in (one, other):
            phone.open(hall.table)
        one.mark("A-6-7")
        one.sees_totals(6, 0)
        other.looks_for_news()
        other.sees_totals(6, 0)
        one.mark("B-7-7")
        one.sees_totals(6, 7)
        other.looks_for_news()
        other.sees_totals(6, 7)
        one.looks_for_news()
        one.sees_totals(6, 7)
        assert statuses(hall.match) == [(1, "current"), (2, "current")]

    def test_with_different_marks_lose_nothing_and_the_table_chooses(
        self, hall: Hall, phones: Phones
    ) -> None:
        hall.a_night()
        one, other = phones("one"), phones("other")
        for phone in (one, other):
            phone.open(hall.table)
            phone.tap(phone.contract("A-6" if phone is one else "A-7"))
        one.tap(one.result("A-6-7"))
        one.sees_totals(6, 0)
        other.tap(other.result("A-7-7"))
        for phone in (other, one):
            phone.looks_for_news()
            phone.opens_news()
            expect(phone.page.get_by_role("alert")).to_contain_text("Hand 1: two different scores")
            marks = phone.page.locator(".marks")
            expect(marks.get_by_text("this phone")).to_be_visible()
            expect(marks.get_by_text("another phone")).to_be_visible()
            phone.sees_totals(0, 0)
        one.picture("two-marks")
        one.opens_news()
        one.tap(one.page.locator(".marks button").filter(has_text=re.compile("7 made")))
        for phone in (one, other):
            phone.looks_for_news()
            phone.sees_totals(7, 0)
            expect(phone.page.get_by_role("alert")).to_be_hidden()
        assert score(hall.match) == [7, 0]

    def test_that_mark_the_same_mark_it_once(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        one, other = phones("one"), phones("other")
        for phone in (one, other):
            phone.open(hall.table)
            phone.tap(phone.contract("A-6"))
        for phone in (one, other):
            phone.tap(phone.result("A-6-7"))
            phone.sees_totals(6, 0)
        assert score(hall.match) == [6, 0]


class TestThePencil:
    """The first phone that marks holds it: others look on, until it is theirs."""

    def test_is_asked_for_and_given(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        one, other = marking_and_looking_on(hall, phones)
        other.picture("pencil-elsewhere")
        other.page.get_by_role("button", name="Keep score on this phone").click()
        expect(other.page.get_by_text("This phone takes over in 0:")).to_be_visible()
        one.looks_for_news()
        one.opens_news()
        give = one.page.get_by_role("button", name="Hand over")
        expect(give).to_be_visible()
        one.picture("pencil-asked-for")
        give.click()
        expect(one.page.get_by_role("heading", name="Another phone is keeping score")).to_be_visible()
        other.looks_for_news()
        other.mark("B-7-7")
        other.sees_totals(6, 7)
        one.looks_for_news()
        one.sees_totals(6, 7)

    def test_is_refused_and_asked_for_again(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        one, other = marking_and_looking_on(hall, phones)
        ask = other.page.get_by_role("button", name="Keep score on this phone")
        ask.click()
        one.looks_for_news()
        one.opens_news()
        one.page.get_by_role("button", name="Keep scoring").click()
        expect(one.page.get_by_text("Another phone takes over scoring in")).to_be_hidden()
        other.looks_for_news()
        expect(ask).to_be_visible()
        one.mark("A-6-7")
        one.sees_totals(12, 0)

    def test_without_an_answer_is_the_other_phones_and_what_was_tapped_meanwhile_arrives(
        self, hall: Hall, phones: Phones
    ) -> None:
        hall.a_night()
        one, other = marking_and_looking_on(hall, phones)
        one.page.context.set_offline(True)
        one.mark("A-6-7")
        one.shows_totals(12, 0)
        other.page.get_by_role("button", name="Keep score on this phone").click()
        expect(other.page.get_by_text("This phone takes over in")).to_be_visible()
        asked_at = fresh(hall.match).pencil_asked_at
        assert asked_at is not None
        Match.objects.update(pencil_asked_at=asked_at - PATIENCE)  # as if that long had passed
        other.looks_for_news()
        expect(other.contract("B-7")).to_be_visible()
        one.page.context.set_offline(False)
        one.has_sent()
        other.looks_for_news()
        other.sees_totals(12, 0)
        other.mark("B-7-7")
        other.sees_totals(12, 7)
        one.looks_for_news()
        expect(one.page.get_by_role("heading", name="Another phone is keeping score")).to_be_visible()

    def test_that_is_asked_for_in_vain_is_free_seconds_later(self, hall: Hall, phones: Phones) -> None:
        """Though the stream of the news seems to stand: a network that dies does not cut it at once."""
        hall.a_night()
        one, other = marking_and_looking_on(hall, phones)
        one.mark("A-6-7")
        other.sees_totals(12, 0)  # by the stream
        other.page.context.set_offline(True)
        other.page.get_by_role("button", name="Keep score on this phone").click()
        expect(other.page.get_by_text("No network: not recorded")).to_be_visible()
        for _ in range(3):
            other.page.clock.fast_forward(3_000)
        expect(other.contract("B-7")).to_be_visible(timeout=3_000)
        other.mark("B-7-7")
        other.shows_totals(12, 7)

    def test_is_not_waited_for_without_a_network(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        _, other = marking_and_looking_on(hall, phones)
        other.page.context.set_offline(True)
        for _ in range(2):
            other.looks_for_news()
        other.mark("B-7-7")
        other.shows_totals(6, 7)
        other.page.context.set_offline(False)
        other.has_sent()
        other.looks_for_news()
        other.sees_totals(6, 7)
        expect(other.page.get_by_role("heading", name="Another phone is keeping score")).to_be_visible()


def marking_and_looking_on(hall: Hall, phones: Phones) -> tuple[Phone, Phone]:
    """Two phones of a table, after the first one's first hand."""
    one, other = phones("one"), phones("other")
    for phone in (one, other):
        phone.open(hall.table)
    one.mark("A-6-7")
    one.sees_totals(6, 0)
    other.looks_for_news()
    other.sees_totals(6, 0)
    return one, other


class TestNews:
    def test_never_replace_the_page_while_a_step_is_open(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        phone.tap(phone.contract("A-6"))
        play(hall.match, "B 5 made")
        phone.is_told_the_news()
        expect(phone.result("A-6-7")).to_be_visible()
        phone.tap(phone.link("Another contract"))
        phone.sees_totals(0, 5)

    def test_never_replace_the_page_while_a_sentence_is_read_aloud(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        phone.mark("A-mulot-0")
        expect(phone.sheet).to_be_visible()
        play(hall.match, "B 5 made")
        assert phone.is_told_the_news() == 0
        expect(phone.sheet).to_be_visible()

    def test_never_take_a_step_away_that_was_opened_while_they_were_on_their_way(
        self, hall: Hall, phones: Phones
    ) -> None:
        hall.a_night()
        phone = phones()
        hear_nothing(phone)
        phone.open(hall.table)

        def arrive_late(route: Route) -> None:
            if asks_for_news(route):
                phone.page.evaluate("document.querySelector('a[href$=\"#A-6\"]').click()")
            route.continue_()

        phone.page.route("**/t/*", arrive_late)
        play(hall.match, "B 5 made")
        assert phone.is_told_the_news() >= 1
        expect(phone.result("A-6-7")).to_be_visible()

    def test_are_heard_though_the_screen_was_drawn_anew_while_they_were_on_their_way(
        self, hall: Hall, phones: Phones
    ) -> None:
        hall.a_night()
        phone = phones()
        hear_nothing(phone)
        phone.open(hall.table)
        on_their_way: list[Route] = []

        def ask(route: Route) -> None:
            if asks_for_news(route) and not on_their_way:
                on_their_way.append(route)
            else:
                route.continue_()

        phone.page.route("**/t/*", ask)
        phone.looks_for_news()
        wait_until(phone.page, lambda: bool(on_their_way))
        phone.tap(phone.page.locator('a[href="#more"]'))
        phone.tap(phone.link("See or correct hands").locator("visible=true"))
        expect(phone.page.get_by_text("No hands yet")).to_be_visible()
        phone.stops_the_clock()
        play(hall.match, "B 5 made")
        on_their_way[0].continue_()
        expect(phone.link("^Hand 1:")).to_be_visible()

    def test_are_seen_by_who_reads_the_list_of_hands(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        phone.tap(phone.page.locator('a[href="#more"]'))
        phone.tap(phone.link("See or correct hands").locator("visible=true"))
        play(hall.match, "B 5 made")
        expect(phone.link("^Hand 1:")).to_be_visible()
        play(hall.match, "A 6 7")
        phone.looks_for_news()
        expect(phone.link("^Hand 2:")).to_be_visible()

    def test_of_a_match_that_the_desk_has_decided_are_heard_at_its_table(
        self, hall: Hall, phones: Phones
    ) -> None:
        event = hall.a_night()
        phone = phones(locale="fr-CA")
        phone.open(hall.table)
        phone.mark("A-6-7")
        phone.has_sent()
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        told = phone.page.get_by_text("Le bureau a déclaré un forfait.")
        expect(told).to_be_visible()
        phone.picture("forfeit")
        let_cards_count(event_id=event.pk, number=1, table=1)
        expect(told).to_be_hidden()

    def test_never_take_away_what_the_director_is_typing(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        laptop = phones.laptop()
        laptop.sign_in(hall.owner)
        phone = phones()
        phone.open(hall.table)
        phone.tap(phone.page.locator('a[href="#more"]'))
        phone.tap(phone.button("Dispute: call the desk").first)
        expect(phone.page.get_by_text("The desk was notified")).to_be_visible()
        laptop.open(f"/match/{hall.match.pk}")
        laptop.picture("called")
        ruling = laptop.page.get_by_label("Other reason")
        ruling.fill("The hand")
        play(hall.match, "B 5 made")
        assert laptop.is_told_the_news() == 0
        expect(ruling).to_have_value("The hand")
        ruling.fill("The hand stands.")
        laptop.tap(laptop.button("Settle the call"))
        laptop.sees_totals(0, 5)
        phone.looks_for_news()
        expect(phone.page.get_by_text("The desk was notified")).to_be_hidden()

    def test_of_the_other_sides_agreement_do_not_take_the_next_game_away(
        self, hall: Hall, phones: Phones
    ) -> None:
        hall.a_night(match_format=TWO_GAMES)
        win(hall.match)
        one, other = phones("one"), phones("other")
        hear_nothing(one)
        for phone in (one, other):
            phone.open(hall.table)
        one.tap(one.link("Start game 2"))
        other.tap(other.page.locator('button[name="side"]').first)
        expect(other.page.locator(".given")).to_be_visible()
        assert one.is_told_the_news()  # its own timer may ask, too
        expect(one.contract("A-6")).to_be_visible()
        one.mark("A-6-7")
        one.sees_totals(6, 0)
        other.looks_for_news()
        other.sees_totals(6, 0)


class TestAServerThatIsAway:
    def test_leaves_a_hand_on_the_phone_which_goes_by_itself_when_the_server_is_back(
        self, hall: Hall, phones: Phones, server: Server
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        server.stop()
        phone.mark("A-6-7")
        phone.sees_totals(6, 0)
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()
        expect(phone.screen.get_by_text("No network: keep playing.")).to_be_in_viewport()
        phone.picture("to-send")
        phone.mark("B-7-7")
        phone.sees_totals(6, 7)
        expect(phone.page.get_by_text("2 to send")).to_be_visible()
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_hidden()
        phone.picture("two-to-send")
        phone.looks_for_news()
        assert not Mark.objects.exists()
        server.start()
        phone.looks_for_news()
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        expect(phone.screen.get_by_text("No network: keep playing.")).to_be_hidden()
        phone.sees_totals(6, 7)
        assert statuses(hall.match) == [(1, "current"), (2, "current")]

    def test_is_told_of_the_hand_when_the_page_is_opened_again(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        phone.page.route("**/t/*", lambda route: route.abort())
        phone.mark("A-6-7")
        phone.sees_totals(6, 0)
        phone.open("about:blank")
        phone.page.unroute("**/t/*")
        phone.open(hall.table)
        phone.sees_totals(6, 0)
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        phone.open(hall.table)
        phone.sees_totals(6, 0)
        assert statuses(hall.match) == [(1, "current")]

    def test_hears_of_a_hand_that_was_taken_back_meanwhile_and_of_the_next_one_in_order(
        self, hall: Hall, phones: Phones
    ) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        phone.page.route("**/t/*", lambda route: route.abort())
        phone.mark("A-6-7")
        phone.sees_totals(6, 0)
        phone.tap(phone.button("Undo hand 1"))
        phone.sees_totals(0, 0)
        phone.mark("A-6-8")
        phone.sees_totals(6, 0)
        phone.page.unroute("**/t/*")
        phone.looks_for_news()
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        phone.sees_totals(6, 0)
        assert statuses(hall.match) == [(1, "superseded"), (1, "superseded"), (1, "current")]

    def test_hears_a_hand_once_whose_answer_was_lost(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)

        def lose_the_answer(route: Route) -> None:
            if route.request.method == "POST":
                route.fetch()
                route.abort()
            else:
                route.continue_()

        phone.page.route("**/t/*", lose_the_answer)
        with phone.page.expect_event("requestfailed", lambda asked: asked.method == "POST"):
            phone.mark("A-6-7")
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()
        phone.page.unroute("**/t/*")
        phone.looks_for_news()
        expect(phone.screen.get_by_text("Sent", exact=True)).to_be_visible()
        phone.sees_totals(6, 0)
        assert statuses(hall.match) == [(1, "current")]

    def test_is_not_waited_for_for_ever(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        phone.page.route(
            "**/t/*", lambda route: None if route.request.method == "POST" else route.continue_()
        )
        assert 1_000 < int(str(phone.runs("htmx.config.timeout"))) <= 10_000
        phone.mark("A-6-7")
        phone.shows_totals(6, 0)
        phone.page.clock.fast_forward(9_000)
        expect(phone.screen.get_by_text("1 to send")).to_be_visible()

    def test_does_not_hear_a_call_and_the_phone_says_so(self, hall: Hall, phones: Phones) -> None:
        hall.a_night()
        phone = phones()
        phone.open(hall.table)
        phone.page.route("**/t/*/dispute", lambda route: route.abort())
        phone.tap(phone.page.locator('a[href="#more"]'))
        phone.tap(phone.button("Dispute: call the desk").first)
        expect(phone.page.get_by_text("your call is waiting to be sent")).to_be_visible()


def test_whoever_marks_by_keyboard_stays_at_the_same_key(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    phone.contract("B-7").focus()
    play(hall.match, "A 6 7")
    phone.looks_for_news()
    phone.sees_totals(6, 0)
    expect(phone.contract("B-7")).to_be_focused()
    phone.hears_taps()
    phone.page.keyboard.press("Enter")
    phone.hears_taps()
    phone.result("B-7-7").press("Enter")
    phone.sees_totals(6, 7)
    expect(phone.page.get_by_role("heading", name="Who bid, and what?")).to_be_focused()


def test_a_refusal_is_shown_on_the_screen_whatever_its_kind(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    mark(hall.match, "A 6 7", director=hall.owner)
    phone = phones()
    phone.open(f"{hall.table}/hands/1")
    phone.mark("A-7-7")
    expect(phone.page.get_by_role("alert")).to_have_text("Only the director can do this. Ask the director.")
    phone.picture("director-only")
    assert score(hall.match) == [6, 0]


def test_a_page_whose_forms_are_too_old_says_so_and_mends_itself(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    phone.sign_in_by_form(hall.owner)
    phone.page.go_back()
    phone.page.go_back()
    phone.open(hall.table)
    phone.mark("A-6-7")
    phone.sees_totals(6, 0)
