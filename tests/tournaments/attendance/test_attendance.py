"""Attendance over a period, by person and by night, with a constant number of queries."""

import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Club, Person
from engine.ranking import Outcome, OutcomeKind, Result
from engine.results import build_ledger
from rules import TWO_PLAYER, Side
from tests.builders import (
    TUESDAY,
    build_club,
    build_event,
    build_played_night,
    build_running_night,
    matches_of,
    play_round,
    win,
)
from tournaments.attendance.forms import get_club_year
from tournaments.attendance.presenters import GUESTS, MISSED, Period, build_attendance_page, list_nights
from tournaments.entries.services.check_in import mark_present
from tournaments.fee_rates import Rates
from tournaments.models import Event
from tournaments.money.queries.fees import list_fees
from tournaments.money.services.fees import change_rates, pay_fee
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("GROUP BY and sums")]

AUTUMN = Period(starts=TUESDAY - datetime.timedelta(days=70), ends=TUESDAY)


@pytest.mark.parametrize("day", [datetime.date(2026, 9, 1), datetime.date(2027, 3, 2), datetime.date(2027, 8, 31)])
def test_club_year_runs_from_september_to_august(day: datetime.date) -> None:
    assert get_club_year(day) == Period(starts=datetime.date(2026, 9, 1), ends=datetime.date(2027, 8, 31))


def build_night(club: Club, *present: int, weeks_ago: int = 0, pairs: int = 4) -> Event:
    event = build_event(pairs, club=club)
    Event.objects.filter(pk=event.pk).update(held_on=TUESDAY - datetime.timedelta(weeks=weeks_ago))
    for number in present:
        mark_present(event_id=event.pk, number=number, is_present=True)
    return event


@pytest.mark.long
def test_attendance_sorts_by_nights_then_by_last_night() -> None:
    club = build_club()
    build_night(club, 1, 2, weeks_ago=2)
    last = build_night(club, 1, weeks_ago=1)
    build_night(club, 1, 2, 3, 4, weeks_ago=20)
    page = build_attendance_page(club, AUTUMN)
    assert page.of == 2
    assert [len(line.nights) for line in page.lines] == [2, 2, 1, 1]
    assert page.lines[0].nights[0] == last
    assert page.counts[MISSED] == Person.objects.filter(club=club).count() - 4


@pytest.mark.long
def test_attendance_without_check_in_counts_players() -> None:
    event = build_running_night(pairs=4)
    assert build_attendance_page(event.club, AUTUMN).of == 0
    play_round(event)
    assert build_attendance_page(event.club, AUTUMN).found == 8


@pytest.mark.slow
def test_attendance_counts_entries_present_in_the_ledger() -> None:
    event = build_running_night(pairs=9, tables=4)
    change_rates(event_id=event.pk, rates=Rates(member=500))
    win(matches_of(event)[0])
    adjust_table(event_id=event.pk, number=1, table=2, games=(1, 0), points=(32, 20))
    forfeit_table(event_id=event.pk, number=1, table=3, winner=Side.B)
    forfeit_table(event_id=event.pk, number=1, table=4, winner=None)
    close_round(event_id=event.pk, number=1)
    snapshot = read_event_snapshot(event)
    ledger = {snapshot.numbers[entry]: rounds for entry, rounds in build_ledger(snapshot).items()}
    there = {number for number, rounds in ledger.items() if any(is_missing_somebody(one) for one in rounds)}
    assert len(there) == 2 + 2 + 1 + 1
    people = {person for entry in event.entries.filter(number__in=there) for person in entry.players}
    event.refresh_from_db()
    assert {line.person for line in list_fees(event) if line.is_unpaid} == people
    assert build_attendance_page(event.club, AUTUMN).found == len(people)


def is_missing_somebody(one: Result) -> bool:
    is_at_table = one.kind in {OutcomeKind.PLAYED, OutcomeKind.BYE}
    return is_at_table or (one.kind is OutcomeKind.FORFEIT and one.outcome is Outcome.WON)


@pytest.mark.slow
def test_first_time_players_count_as_new() -> None:
    event = build_played_night(pairs=4)
    (line,) = list_nights(event.club, AUTUMN)
    assert (line.came, line.new) == (8, 8)


@pytest.mark.long
def test_night_lines_count_members_guests_newcomers_and_payments() -> None:
    club = build_club()
    build_night(club, 1, weeks_ago=20)
    first, last = build_night(club, 1, 2, weeks_ago=2), build_night(club, 1, 2, 3)
    person = last.entries.get(number=3).player_1
    Person.objects.filter(pk=person.pk).update(is_guest=True)
    change_rates(event_id=last.pk, rates=Rates(guest=800))
    pay_fee(event_id=last.pk, person_id=person.pk)
    found = [
        (line.event, line.came, line.members, line.guests, line.new, line.paid) for line in list_nights(club, AUTUMN)
    ]
    assert found == [(last, 6, 5, 1, 2, 800), (first, 4, 4, 0, 2, 0)]


@pytest.mark.long
def test_two_player_night_counts_each_person() -> None:
    club = build_club()
    event = build_event(4, club=club, ruleset=TWO_PLAYER)
    for number in (1, 2, 3):
        mark_present(event_id=event.pk, number=number, is_present=True)
    (line,) = list_nights(club, AUTUMN)
    assert (line.came, line.members, line.new) == (3, 3, 3)


def test_attendance_filters_by_name_and_group() -> None:
    club = build_club()
    event = build_night(club, 1, 2)
    person = event.entries.get(number=1).player_1
    Person.objects.filter(pk=person.pk).update(is_guest=True)
    assert [line.person for line in build_attendance_page(club, AUTUMN, group=GUESTS).lines] == [person]
    assert [line.person for line in build_attendance_page(club, AUTUMN, search=person.name).lines] == [person]


@pytest.mark.long
def test_large_club_attendance_is_paged_at_constant_query_count() -> None:
    counted = []
    for nights, people in ((1, 10), (12, 1_000)):
        club = build_club()
        for week in range(nights):
            build_night(club, 1, 2, weeks_ago=week % 9)
        Person.objects.bulk_create(
            Person(club=club, name=f"Anne {number}", folded_name=f"anne {number}") for number in range(people)
        )
        with CaptureQueriesContext(connection) as made:
            page = build_attendance_page(club, AUTUMN, group=MISSED)
            list_nights(club, AUTUMN)
        counted.append(len(made))
    assert counted[0] == counted[1] <= 14
    assert (len(page.lines), page.has_next) == (60, True)
