"""Attendance over a time: by person and by night, in a number of queries that grows with nothing."""

import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Club, Person
from engine.ranking import Outcome, OutcomeKind, Result
from engine.results import ledger_of
from rules import TWO_PLAYER, Side
from tests.builders import (
    TUESDAY,
    a_club,
    a_played_night,
    a_running_night,
    an_event,
    matches_of,
    play_round,
    win,
)
from tournaments.attendance.forms import year_of
from tournaments.attendance.presenters import GUESTS, MISSED, Period, attendance_page, night_lines
from tournaments.entries.services.check_in import mark_present
from tournaments.fee_rates import Rates
from tournaments.models import Event
from tournaments.money.queries.fees import fee_lines
from tournaments.money.services.fees import change_rates, pay_fee
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import adjust_table, forfeit_table

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("nights are grouped, and summed up")]

AUTUMN = Period(starts=TUESDAY - datetime.timedelta(days=70), ends=TUESDAY)


@pytest.mark.parametrize(
    "day", [datetime.date(2026, 9, 1), datetime.date(2027, 3, 2), datetime.date(2027, 8, 31)]
)
def test_of_a_year_is_from_september_to_august_on_whichever_day_one_looks(day: datetime.date) -> None:
    assert year_of(day) == Period(starts=datetime.date(2026, 9, 1), ends=datetime.date(2027, 8, 31))


def a_night(club: Club, *present: int, weeks_ago: int = 0, pairs: int = 4) -> Event:
    event = an_event(pairs, club=club)
    Event.objects.filter(pk=event.pk).update(held_on=TUESDAY - datetime.timedelta(weeks=weeks_ago))
    for number in present:
        mark_present(event_id=event.pk, number=number, is_present=True)
    return event


@pytest.mark.slow
def test_is_of_those_who_were_checked_in_most_nights_first_with_the_last_one() -> None:
    club = a_club()
    a_night(club, 1, 2, weeks_ago=2)
    last = a_night(club, 1, weeks_ago=1)
    a_night(club, 1, 2, 3, 4, weeks_ago=20)
    page = attendance_page(club, AUTUMN)
    assert page.of == 2
    assert [len(line.nights) for line in page.lines] == [2, 2, 1, 1]
    assert page.lines[0].nights[0] == last
    assert page.counts[MISSED] == Person.objects.filter(club=club).count() - 4


def test_is_of_those_who_played_where_nobody_was_checked_in() -> None:
    event = a_running_night(pairs=4)
    assert attendance_page(event.club, AUTUMN).of == 0
    play_round(event)
    assert attendance_page(event.club, AUTUMN).found == 8


@pytest.mark.slow
def test_is_of_those_with_a_round_in_the_ledger_for_which_they_were_there() -> None:
    event = a_running_night(pairs=9, tables=4)
    change_rates(event_id=event.pk, rates=Rates(member=500))
    win(matches_of(event)[0])
    adjust_table(event_id=event.pk, number=1, table=2, games=(1, 0), points=(32, 20))
    forfeit_table(event_id=event.pk, number=1, table=3, winner=Side.B)
    forfeit_table(event_id=event.pk, number=1, table=4, winner=None)
    close_round(event_id=event.pk, number=1)
    known = event_snapshot(event)
    ledger = {known.numbers[entry]: rounds for entry, rounds in ledger_of(known).items()}
    there = {number for number, rounds in ledger.items() if any(needs_somebody(one) for one in rounds)}
    assert len(there) == 2 + 2 + 1 + 1
    people = {person for entry in event.entries.filter(number__in=there) for person in entry.players}
    event.refresh_from_db()
    assert {line.person for line in fee_lines(event) if line.is_to_pay} == people
    assert attendance_page(event.club, AUTUMN).found == len(people)


def needs_somebody(one: Result) -> bool:
    is_at_table = one.kind in {OutcomeKind.PLAYED, OutcomeKind.BYE}
    return is_at_table or (one.kind is OutcomeKind.FORFEIT and one.outcome is Outcome.WON)


def test_who_plays_for_the_first_time_is_a_new_face() -> None:
    event = a_played_night(pairs=4)
    (line,) = night_lines(event.club, AUTUMN)
    assert (line.came, line.new) == (8, 8)


@pytest.mark.slow
def test_by_night_counts_members_guests_new_faces_and_what_was_paid() -> None:
    club = a_club()
    a_night(club, 1, weeks_ago=20)
    first, last = a_night(club, 1, 2, weeks_ago=2), a_night(club, 1, 2, 3)
    person = last.entries.get(number=3).player_1
    Person.objects.filter(pk=person.pk).update(is_guest=True)
    change_rates(event_id=last.pk, rates=Rates(guest=800))
    pay_fee(event_id=last.pk, person_id=person.pk)
    found = [
        (line.event, line.came, line.members, line.guests, line.new, line.paid)
        for line in night_lines(club, AUTUMN)
    ]
    assert found == [(last, 6, 5, 1, 2, 800), (first, 4, 4, 0, 2, 0)]


def test_of_a_night_for_two_at_a_table_counts_each_who_came_alone() -> None:
    club = a_club()
    event = an_event(4, club=club, ruleset=TWO_PLAYER)
    for number in (1, 2, 3):
        mark_present(event_id=event.pk, number=number, is_present=True)
    (line,) = night_lines(club, AUTUMN)
    assert (line.came, line.members, line.new) == (3, 3, 3)


def test_is_looked_for_by_name_and_group() -> None:
    club = a_club()
    event = a_night(club, 1, 2)
    person = event.entries.get(number=1).player_1
    Person.objects.filter(pk=person.pk).update(is_guest=True)
    assert [line.person for line in attendance_page(club, AUTUMN, group=GUESTS).lines] == [person]
    assert [line.person for line in attendance_page(club, AUTUMN, search=person.name).lines] == [person]


@pytest.mark.slow
def test_of_a_large_club_is_paged_and_asks_as_much_as_of_a_small_one() -> None:
    counted = []
    for nights, people in ((1, 10), (12, 1_000)):
        club = a_club()
        for week in range(nights):
            a_night(club, 1, 2, weeks_ago=week % 9)
        Person.objects.bulk_create(
            Person(club=club, name=f"Anne {number}", folded_name=f"anne {number}") for number in range(people)
        )
        with CaptureQueriesContext(connection) as made:
            page = attendance_page(club, AUTUMN, group=MISSED)
            night_lines(club, AUTUMN)
        counted.append(len(made))
    assert counted[0] == counted[1] <= 14
    assert (len(page.lines), page.has_next) == (60, True)
