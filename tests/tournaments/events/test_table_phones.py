"""Phones at the tables as the desk sees them: hands not yet sent, silence, and the revision shown."""

from collections import UserDict
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from scoring.models import Match, TablePhone
from scoring.services.phones import WRITE_INTERVAL, PhoneReports, write_phone_reports
from tests.builders import mark, matches_of, play_round, reload_match, start_next_round, win
from tests.support.browser import Browser
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.rounds.services.rounds import close_round

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("upserts")]


def advance_minutes(minutes: int) -> None:
    """Make the phones' last reports, the opening and the last hand of all matches so many minutes older."""
    write_phone_reports()
    by = timedelta(minutes=minutes)
    TablePhone.objects.update(heard_at=F("heard_at") - by)
    Match.objects.update(opened_at=F("opened_at") - by, last_marked_at=F("last_marked_at") - by)


class Phone:
    """A phone at a table, table 1 by default, that has opened the table's card."""

    def __init__(self, hall: Hall, table: int = 1) -> None:
        self.match = matches_of(hall.event)[table - 1]
        self.browser: Browser = hall.add_phone()
        self.path = f"/t/{self.match.card.code}"
        self.browser.open(self.path)

    def poll(self, **status: object) -> None:
        report = "&".join(f"{name}={value}" for name, value in status.items())
        self.browser.client.get(self.path, headers={"Charlemagne-Phone": report})

    def has_all(self, match: Match | None = None, *, waiting: int = 0) -> None:
        held = reload_match(match or self.match)
        self.poll(match=held.pk, revision=held.revision, waiting=waiting)


def get_desk_text(hall: Hall) -> str:
    page = hall.desk.open(f"/e/{hall.event.short}/desk")
    return f"{page.find_one('section', id='heard').text} {page.find_one('section', id='copies').text}".strip()


@pytest.mark.slow
class TestPhoneNotices:
    @pytest.mark.slow
    def test_desk_ignores_tables_that_play_on_paper(self) -> None:
        hall = Hall()
        mark(hall.match, "A 6 7")
        advance_minutes(30)
        assert get_desk_text(hall) == ""

    @pytest.mark.long
    def test_desk_reports_unsent_hands_of_a_table(self) -> None:
        hall = Hall()
        Phone(hall).has_all(waiting=2)
        assert "Table 1: On a phone, waiting to be sent: 2 hands." in get_desk_text(hall)

    @pytest.mark.long
    def test_desk_adds_up_unsent_hands_of_two_phones(self) -> None:
        hall = Hall()
        one, other = Phone(hall), Phone(hall)
        one.has_all(waiting=1)
        other.has_all(waiting=2)
        assert "On a phone, waiting to be sent: 3 hands." in get_desk_text(hall)
        one.has_all()
        other.has_all()
        assert "unsent" not in get_desk_text(hall)

    @pytest.mark.long
    def test_desk_reports_a_silent_table_after_ten_minutes(self) -> None:
        hall = Hall()
        Phone(hall).has_all(waiting=1)
        advance_minutes(9)
        assert "No phone contact" not in get_desk_text(hall)
        advance_minutes(3)
        text = get_desk_text(hall)
        assert "On a phone, waiting to be sent: 1 hand. No phone contact for 12 minutes." in text

    @pytest.mark.long
    def test_table_with_one_active_phone_is_not_silent(self) -> None:
        hall = Hall()
        sleeping, awake = Phone(hall), Phone(hall)
        sleeping.has_all()
        advance_minutes(20)
        awake.has_all()
        assert "No phone contact" not in get_desk_text(hall)

    @pytest.mark.long
    def test_table_with_a_finished_match_is_not_silent(self) -> None:
        hall = Hall()
        Phone(hall).has_all()
        win(hall.match)
        advance_minutes(20)
        assert "No phone contact" not in get_desk_text(hall)

    @pytest.mark.long
    def test_phone_without_scripts_counts_as_contact(self) -> None:
        hall = Hall()
        phone = Phone(hall)
        phone.browser.open(phone.path)
        advance_minutes(11)
        assert "Table 1: No phone contact for 11 minutes." in get_desk_text(hall)

    @pytest.mark.snapshot
    def test_desk_reports_a_phone_showing_an_earlier_round(self) -> None:
        hall = Hall()
        phone = Phone(hall)
        before = hall.match
        play_round(hall.event)
        start_next_round(hall.event)
        phone.has_all(before)
        assert "earlier round" not in get_desk_text(hall)
        advance_minutes(2)
        phone.has_all(before)
        assert "Table 1: Its phone shows an earlier round." in get_desk_text(hall)
        phone.has_all(matches_of(hall.event, 2)[0])
        assert "earlier round" not in get_desk_text(hall)

    @pytest.mark.long
    def test_unsent_hands_are_listed_before_silent_tables(self) -> None:
        hall = Hall()
        Phone(hall, 1).has_all()
        advance_minutes(12)
        Phone(hall, 2).has_all(waiting=1)
        text = get_desk_text(hall)
        assert text.index("Table 2") < text.index("Table 1")

    @pytest.mark.slow
    def test_notice_of_a_silent_table_links_to_the_table(self) -> None:
        hall = Hall()
        Phone(hall).has_all()
        advance_minutes(20)
        part = hall.desk.open(f"/e/{hall.event.short}/desk/phones")
        assert part.find_link("See the table") == hall.desk_match

    @pytest.mark.slow
    def test_notice_of_unsent_hands_links_to_the_qr_scanner(self) -> None:
        hall = Hall()
        Phone(hall).has_all(waiting=1)
        part = hall.desk.open(f"/e/{hall.event.short}/desk/phones")
        assert part.find_link("Scan its QR codes") == f"/e/{hall.event.short}/desk/codes"

    @pytest.mark.long
    def test_ended_event_deletes_its_phone_reports(self) -> None:
        hall = Hall()
        Phone(hall).has_all(waiting=1)
        write_phone_reports()
        play_round(hall.event)
        close_round(event_id=hall.event.pk, number=1)
        end_event(event_id=hall.event.pk)
        assert not TablePhone.objects.exists()


@pytest.mark.slow
class TestHandCopies:
    @pytest.mark.long
    def test_desk_counts_the_phones_with_a_copy_of_every_hand(self) -> None:
        hall = Hall()
        for table, match in enumerate(matches_of(hall.event), start=1):
            mark(match, "A 6 7")
            for _ in range(table):
                Phone(hall, table).has_all()
        advance_minutes(5)
        assert "Every hand is also saved on a phone" in get_desk_text(hall)
        Phone(hall, 1).has_all()
        assert "Every hand is also saved on 2 phones (5 min ago)." in get_desk_text(hall)

    def test_fresh_hands_do_not_lower_the_copy_count(self) -> None:
        hall = Hall(pairs=2)
        phone = Phone(hall)
        mark(hall.match, "A 6 7")
        phone.has_all()
        mark(hall.match, "A 7 8")
        Match.objects.update(last_marked_at=F("last_marked_at") - timedelta(seconds=4))
        assert "also saved on a phone (4 s ago)." in get_desk_text(hall)

    @pytest.mark.long
    def test_phones_may_lag_behind_a_closed_round(self) -> None:
        hall = Hall()
        asleep, awake = Phone(hall, 1), Phone(hall, 2)
        for phone in (asleep, awake):
            win(phone.match)
            phone.has_all()
        advance_minutes(5)
        close_round(event_id=hall.event.pk, number=1)
        awake.has_all()
        assert "Every hand is also saved on a phone" in get_desk_text(hall)
        Match.objects.update(closed_at=F("closed_at") - timedelta(minutes=2))
        assert "Table 1: no copy on a phone." in get_desk_text(hall)

    def test_hand_without_a_phone_copy_is_reported_after_a_minute(self) -> None:
        hall = Hall()
        asleep, awake = Phone(hall, 1), Phone(hall, 2)
        for phone in (asleep, awake):
            mark(phone.match, "A 6 7")
            phone.has_all()
        mark(asleep.match, "A 7 8")
        advance_minutes(2)
        text = get_desk_text(hall)
        assert "Table 1: no copy on a phone." in text
        assert "Every other hand is also saved on a phone" in text

    @pytest.mark.long
    def test_copies_of_an_earlier_match_do_not_count(self) -> None:
        hall = Hall(pairs=2)
        phone = Phone(hall)
        before = hall.match
        play_round(hall.event)
        start_next_round(hall.event)
        mark(hall.last_match, "A 6 7")
        phone.has_all(before)
        assert "also saved on" not in get_desk_text(hall)


class TestPhoneReports:
    def test_phone_report_writes_nothing_and_keeps_the_304(self) -> None:
        hall = Hall()
        phone = Phone(hall)
        page = phone.browser.open(phone.path)
        headers = {"If-None-Match": page.revision, "Charlemagne-Phone": "waiting=0"}
        with CaptureQueriesContext(connection) as queries:
            answer = phone.browser.client.get(phone.path, headers=headers)
        assert answer.status_code == 304
        assert [query["sql"][:6] for query in queries if query["sql"][:6] != "SELECT"] == []

    @pytest.mark.long
    def test_buffered_phone_reports_are_written_in_one_statement(self) -> None:
        hall = Hall()
        for table in (1, 2, 1, 2):
            Phone(hall, table).has_all()
        with CaptureQueriesContext(connection) as queries:
            write_phone_reports()
        assert [query["sql"].split()[0] for query in queries] == ["SAVEPOINT", "INSERT", "RELEASE"]
        assert TablePhone.objects.count() == 4

    @pytest.mark.long
    @pytest.mark.parametrize("report", ["", "waiting=", "waiting=-1", "match=x&revision=1e9", "?", "waiting=99999"])
    def test_malformed_phone_report_keeps_the_last_values(self, report: str) -> None:
        hall = Hall()
        phone = Phone(hall)
        phone.has_all(waiting=1)
        assert phone.browser.client.get(phone.path, headers={"Charlemagne-Phone": report}).status_code == 200
        write_phone_reports()
        (table_phone,) = TablePhone.objects.all()
        assert (table_phone.waiting, table_phone.match_shown) == (1, hall.match.pk)

    @pytest.mark.long
    def test_visitor_without_a_report_is_not_stored(self) -> None:
        hall = Hall()
        for _ in range(3):
            Browser().open(hall.table)
        write_phone_reports()
        assert not TablePhone.objects.exists()


def test_phone_reports_are_flushed_once_per_interval() -> None:
    phones, begin = PhoneReports(), reload_match(Hall().match).opened_at
    waits = [phones.add((1, device), {}, begin + at * WRITE_INTERVAL / 5) for at, device in enumerate("ababab")]
    assert waits == [False] * 5 + [True]
    assert len(phones.take_all()) == 2
    assert not phones.add((1, "a"), {}, begin + timedelta(hours=1))


def test_report_during_a_flush_is_not_lost() -> None:
    phones, now, pool = PhoneReports(), reload_match(Hall().match).opened_at, ThreadPoolExecutor(1)
    begun: list[Future[list[tuple[TablePhone, tuple[str, ...]]]]] = []

    class ConcurrentReport(UserDict[str, int]):
        """A report that lets another thread flush while it is being stored."""

        def __getitem__(self, name: str) -> int:
            begun.append(pool.submit(phones.take_all))
            wait(begun, timeout=0.1)
            return super().__getitem__(name)

    with pool:
        phones.add((1, "a"), ConcurrentReport(waiting=2), now)
        written = [*begun[0].result(), *phones.take_all()]
    assert [(phone.device, phone.waiting, phone.heard_at) for phone, _ in written] == [("a", 2, now)]
