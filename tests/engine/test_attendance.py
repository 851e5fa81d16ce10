"""Attendance at nights: visits, newcomers and fees."""

import datetime

from hypothesis import given
from hypothesis import strategies as st

from engine.attendance import AttendedEvent, find_newcomers, group_nights_by_person
from tests.builders import TUESDAY
from tournaments.fee_rates import Rates
from tournaments.money.attendees import Attendee, compute_due, compute_fee_totals

PEOPLE = st.frozensets(st.integers(1, 9))
RATES = st.builds(Rates, member=st.integers(0, 900), guest=st.integers(0, 900))
ATTENDEES = st.builds(
    Attendee,
    is_guest=st.booleans(),
    is_taking_part=st.booleans(),
    came=st.booleans(),
    other=st.none() | st.integers(0, 900),
    paid=st.integers(0, 900),
)


@st.composite
def gatherings(draw: st.DrawFn) -> list[AttendedEvent]:
    nights = draw(st.lists(st.tuples(st.integers(0, 5), PEOPLE), max_size=8))
    return [
        AttendedEvent(event=event, held_on=TUESDAY + datetime.timedelta(days=day), attendees=came)
        for event, (day, came) in enumerate(nights)
    ]


@given(gatherings())
def test_every_visit_is_counted_once_latest_first(nights: list[AttendedEvent]) -> None:
    found = group_nights_by_person(nights)
    assert sum(len(each) for each in found.values()) == sum(len(night.attendees) for night in nights)
    for person, came_to in found.items():
        assert all(person in night.attendees for night in came_to)
        assert [night.held_on for night in came_to] == sorted((one.held_on for one in came_to), reverse=True)


@given(gatherings(), PEOPLE)
def test_each_unknown_person_is_a_newcomer_once(nights: list[AttendedEvent], known_people: frozenset[int]) -> None:
    found = find_newcomers(nights, known_people)
    faces = [person for each in found.values() for person in each]
    assert len(faces) == len(set(faces))
    assert set(faces) == frozenset[int]().union(*(night.attendees for night in nights)) - known_people


@given(st.lists(ATTENDEES), RATES)
def test_fee_totals_count_only_people_who_came_or_paid(attendees: list[Attendee], rates: Rates) -> None:
    found = compute_fee_totals(attendees, rates)
    there = [each for each in attendees if each.came or each.paid]
    assert found.people == sum(bool(compute_due(each, rates).amount or each.paid) for each in there)
    assert found.paid == sum(each.paid for each in attendees)
    assert found.amount == sum(compute_due(each, rates).amount for each in there)


def test_guest_pays_the_guest_fee_and_an_exempt_person_none() -> None:
    rates = Rates(member=500, guest=800)
    fees = [
        compute_due(Attendee(is_guest=guest, is_taking_part=True, came=True, other=other), rates).amount
        for guest, other in ((False, None), (True, None), (True, 300), (False, 0))
    ]
    assert fees == [500, 800, 300, 0]


def test_paid_person_off_the_list_owes_nothing() -> None:
    due = compute_due(Attendee(is_guest=False, is_taking_part=False, came=False, paid=500), Rates(member=500))
    assert (due.amount, due.paid, due.owed) == (0, 500, 0)
