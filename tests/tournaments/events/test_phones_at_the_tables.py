"""Phones at the tables as the desk sees them: held hands, silence, and the screen shown."""

from collections import UserDict
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from scoring.models import Match, TablePhone
from scoring.services import write_phones
from scoring.services.phones import WRITTEN_EVERY, HeardPhones
from tests.builders import fresh, mark, matches_of, next_round, play_round, win
from tests.support.browser import Browser
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.rounds.services.rounds import close_round

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("phones are written over one another")]


def minutes_pass(minutes: int) -> None:
    """All that is known was so many minutes ago."""
    write_phones()
    by = timedelta(minutes=minutes)
    TablePhone.objects.update(heard_at=F("heard_at") - by)
    Match.objects.update(opened_at=F("opened_at") - by, last_marked_at=F("last_marked_at") - by)


class Phone:
    """A phone at a table, with its card: by default at table 1."""

    def __init__(self, hall: Hall, table: int = 1) -> None:
        self.match = matches_of(hall.event)[table - 1]
        self.browser: Browser = hall.phone()
        self.path = f"/t/{self.match.card.code}"
        self.browser.open(self.path)

    def asks(self, **said: object) -> None:
        report = "&".join(f"{name}={value}" for name, value in said.items())
        self.browser.client.get(self.path, headers={"Charlemagne-Phone": report})

    def has_all(self, match: Match | None = None, *, waiting: int = 0) -> None:
        held = fresh(match or self.match)
        self.asks(match=held.pk, revision=held.revision, waiting=waiting)


def said_at_the_desk(hall: Hall) -> str:
    page = hall.desk.open(f"/e/{hall.event.short}/desk")
    return f"{page.one('section', id='heard').text} {page.one('section', id='copies').text}".strip()


class TestTheDesk:
    def test_says_nothing_of_tables_that_play_on_paper(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        minutes_pass(30)
        assert said_at_the_desk(hall) == ""

    def test_says_which_table_has_hands_that_are_not_sent(self) -> None:
        hall = Hall()
        Phone(hall).has_all(waiting=2)
        assert "Table 1: On a phone, waiting to be sent: 2 hands." in said_at_the_desk(hall)

    @pytest.mark.slow
    def test_adds_up_what_waits_on_two_phones_of_a_table_until_it_is_sent(self) -> None:
        hall = Hall()
        one, other = Phone(hall), Phone(hall)
        one.has_all(waiting=1)
        other.has_all(waiting=2)
        assert "On a phone, waiting to be sent: 3 hands." in said_at_the_desk(hall)
        one.has_all()
        other.has_all()
        assert "unsent" not in said_at_the_desk(hall)

    @pytest.mark.slow
    def test_says_how_long_a_table_has_been_silent_that_was_heard_before(self) -> None:
        hall = Hall()
        Phone(hall).has_all(waiting=1)
        minutes_pass(9)
        assert "No phone contact" not in said_at_the_desk(hall)
        minutes_pass(3)
        text = said_at_the_desk(hall)
        assert "On a phone, waiting to be sent: 1 hand. No phone contact for 12 minutes." in text

    @pytest.mark.slow
    def test_calls_no_table_silent_whose_other_phone_is_heard(self) -> None:
        hall = Hall()
        sleeping, awake = Phone(hall), Phone(hall)
        sleeping.has_all()
        minutes_pass(20)
        awake.has_all()
        assert "No phone contact" not in said_at_the_desk(hall)

    @pytest.mark.slow
    def test_calls_no_table_silent_whose_match_is_over(self) -> None:
        hall = Hall()
        Phone(hall).has_all()
        win(hall.match)
        minutes_pass(20)
        assert "No phone contact" not in said_at_the_desk(hall)

    def test_hears_a_phone_without_scripts_too(self) -> None:
        hall = Hall()
        phone = Phone(hall)
        phone.browser.open(phone.path)
        minutes_pass(11)
        assert "Table 1: No phone contact for 11 minutes." in said_at_the_desk(hall)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_says_which_phone_shows_an_earlier_round_once_it_could_know(self) -> None:
        hall = Hall()
        phone = Phone(hall)
        before = hall.match
        play_round(hall.event)
        next_round(hall.event)
        phone.has_all(before)
        assert "earlier round" not in said_at_the_desk(hall)
        minutes_pass(2)
        phone.has_all(before)
        assert "Table 1: Its phone shows an earlier round." in said_at_the_desk(hall)
        phone.has_all(matches_of(hall.event, 2)[0])
        assert "earlier round" not in said_at_the_desk(hall)

    @pytest.mark.slow
    def test_puts_unsent_hands_before_silent_tables(self) -> None:
        hall = Hall()
        Phone(hall, 1).has_all()
        minutes_pass(12)
        Phone(hall, 2).has_all(waiting=1)
        text = said_at_the_desk(hall)
        assert text.index("Table 2") < text.index("Table 1")

    def test_leads_from_a_silent_table_to_that_table(self) -> None:
        hall = Hall()
        Phone(hall).has_all()
        minutes_pass(20)
        part = hall.desk.open(f"/e/{hall.event.short}/desk/phones")
        assert part.link("See the table") == hall.ruled

    def test_leads_from_hands_that_are_not_sent_to_the_squares_that_bring_them(self) -> None:
        hall = Hall()
        Phone(hall).has_all(waiting=1)
        part = hall.desk.open(f"/e/{hall.event.short}/desk/phones")
        assert part.link("Scan its QR codes") == f"/e/{hall.event.short}/desk/codes"

    def test_forgets_the_phones_when_the_evening_is_over(self) -> None:
        hall = Hall()
        Phone(hall).has_all(waiting=1)
        write_phones()
        play_round(hall.event)
        close_round(event_id=hall.event.pk, number=1)
        end_event(event_id=hall.event.pk)
        assert not TablePhone.objects.exists()


@pytest.mark.slow
class TestHands:
    def test_are_in_as_many_places_as_the_server_and_the_phones_of_every_table_that_have_them(self) -> None:
        hall = Hall()
        for table, match in enumerate(matches_of(hall.event), start=1):
            mark(match, "A 6 7")
            for _ in range(table):
                Phone(hall, table).has_all()
        minutes_pass(5)
        assert "Every hand is also saved on a phone" in said_at_the_desk(hall)
        Phone(hall, 1).has_all()
        assert "Every hand is also saved on 2 phones (5 min ago)." in said_at_the_desk(hall)

    def test_of_which_a_phone_has_yet_to_hear_are_counted_until_the_one_before(self) -> None:
        hall = Hall(pairs=2)
        phone = Phone(hall)
        mark(hall.match, "A 6 7")
        phone.has_all()
        mark(hall.match, "A 7 8")
        Match.objects.update(last_marked_at=F("last_marked_at") - timedelta(seconds=4))
        assert "also saved on a phone (4 s ago)." in said_at_the_desk(hall)

    def test_are_on_phones_that_have_yet_to_hear_that_the_round_is_closed(self) -> None:
        hall = Hall()
        asleep, awake = Phone(hall, 1), Phone(hall, 2)
        for phone in (asleep, awake):
            win(phone.match)
            phone.has_all()
        minutes_pass(5)
        close_round(event_id=hall.event.pk, number=1)
        awake.has_all()
        assert "Every hand is also saved on a phone" in said_at_the_desk(hall)
        Match.objects.update(closed_at=F("closed_at") - timedelta(minutes=2))
        assert "Table 1: no copy on a phone." in said_at_the_desk(hall)

    def test_that_no_phone_has_after_a_minute_are_said_to_be_here_only(self) -> None:
        hall = Hall()
        asleep, awake = Phone(hall, 1), Phone(hall, 2)
        for phone in (asleep, awake):
            mark(phone.match, "A 6 7")
            phone.has_all()
        mark(asleep.match, "A 7 8")
        minutes_pass(2)
        text = said_at_the_desk(hall)
        assert "Table 1: no copy on a phone." in text
        assert "Every other hand is also saved on a phone" in text

    def test_of_an_earlier_match_count_for_nothing(self) -> None:
        hall = Hall(pairs=2)
        phone = Phone(hall)
        before = hall.match
        play_round(hall.event)
        next_round(hall.event)
        mark(hall.last_match, "A 6 7")
        phone.has_all(before)
        assert "also saved on" not in said_at_the_desk(hall)


class TestAQuestionOfAPhone:
    def test_writes_nothing_by_itself_and_is_still_a_304(self) -> None:
        hall = Hall()
        phone = Phone(hall)
        page = phone.browser.open(phone.path)
        known = {"If-None-Match": page.revision, "Charlemagne-Phone": "waiting=0"}
        with CaptureQueriesContext(connection) as asked:
            answer = phone.browser.client.get(phone.path, headers=known)
        assert answer.status_code == 304
        assert [query["sql"][:6] for query in asked if query["sql"][:6] != "SELECT"] == []

    @pytest.mark.slow
    def test_that_stands_in_memory_is_written_with_all_others_in_one_statement(self) -> None:
        hall = Hall()
        for table in (1, 2, 1, 2):
            Phone(hall, table).has_all()
        with CaptureQueriesContext(connection) as asked:
            write_phones()
        assert [query["sql"].split()[0] for query in asked] == ["SAVEPOINT", "INSERT", "RELEASE"]
        assert TablePhone.objects.count() == 4

    @pytest.mark.parametrize(
        "said", ["", "waiting=", "waiting=-1", "match=x&revision=1e9", "?", "waiting=99999"]
    )
    def test_that_says_nonsense_is_heard_and_no_more(self, said: str) -> None:
        hall = Hall()
        phone = Phone(hall)
        phone.has_all(waiting=1)
        assert phone.browser.client.get(phone.path, headers={"Charlemagne-Phone": said}).status_code == 200
        write_phones()
        (known,) = TablePhone.objects.all()
        assert (known.waiting, known.match_shown) == (1, hall.match.pk)

    def test_of_somebody_who_never_comes_back_leaves_no_phone(self) -> None:
        hall = Hall()
        for _ in range(3):
            Browser().open(hall.table)
        write_phones()
        assert not TablePhone.objects.exists()


def test_phones_are_written_once_in_so_many_seconds_by_whoever_asks_then() -> None:
    phones, begin = HeardPhones(), fresh(Hall().match).opened_at
    waits = [
        phones.hear((1, device), {}, begin + at * WRITTEN_EVERY / 5) for at, device in enumerate("ababab")
    ]
    assert waits == [False] * 5 + [True]
    assert len(phones.take()) == 2
    assert not phones.hear((1, "a"), {}, begin + timedelta(hours=1))


def test_a_phone_that_speaks_while_all_are_written_is_written_with_them_or_the_next_time() -> None:
    phones, now, pool = HeardPhones(), fresh(Hall().match).opened_at, ThreadPoolExecutor(1)
    begun: list[Future[list[tuple[TablePhone, tuple[str, ...]]]]] = []

    class SaidMeanwhile(UserDict[str, int]):
        """While it is heard, another thread writes."""

        def __getitem__(self, name: str) -> int:
            begun.append(pool.submit(phones.take))
            wait(begun, timeout=0.1)
            return super().__getitem__(name)

    with pool:
        phones.hear((1, "a"), SaidMeanwhile(waiting=2), now)
        written = [*begun[0].result(), *phones.take()]
    assert [(phone.device, phone.waiting, phone.heard_at) for phone, _ in written] == [("a", 2, now)]
