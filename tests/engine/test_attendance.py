"""Attendance at nights, counted."""

import datetime

from hypothesis import given
from hypothesis import strategies as st

from engine.attendance import Gathering, new_faces, nights_by_person
from tests.builders import TUESDAY
from tournaments.fee_rates import Attendee, Rates, due_of, fee_totals

PEOPLE = st.frozensets(st.integers(1, 9))
RATES = st.builds(Rates, member=st.integers(0, 900), guest=st.integers(0, 900))
ATTENDEES = st.builds(
    Attendee,
    is_guest=st.booleans(),
    in_it=st.booleans(),
    came=st.booleans(),
    other=st.none() | st.integers(0, 900),
    paid=st.integers(0, 900),
)


@st.composite
def gatherings(draw: st.DrawFn) -> list[Gathering]:
    nights = draw(st.lists(st.tuples(st.integers(0, 5), PEOPLE), max_size=8))
    return [
        Gathering(event=event, held_on=TUESDAY + datetime.timedelta(days=day), came=came)
        for event, (day, came) in enumerate(nights)
    ]


@given(gatherings())
def test_every_visit_is_counted_once_the_last_first(nights: list[Gathering]) -> None:
    found = nights_by_person(nights)
    assert sum(len(each) for each in found.values()) == sum(len(night.came) for night in nights)
    for person, came_to in found.items():
        assert all(person in night.came for night in came_to)
        assert [night.held_on for night in came_to] == sorted((one.held_on for one in came_to), reverse=True)


@given(gatherings(), PEOPLE)
def test_everybody_is_a_new_face_once_unless_known(nights: list[Gathering], known: frozenset[int]) -> None:
    found = new_faces(nights, known)
    faces = [person for each in found.values() for person in each]
    assert len(faces) == len(set(faces))
    assert set(faces) == frozenset[int]().union(*(night.came for night in nights)) - known


@given(st.lists(ATTENDEES), RATES)
def test_nothing_is_asked_for_an_evening_to_which_nobody_came(
    attendees: list[Attendee], rates: Rates
) -> None:
    found = fee_totals(attendees, rates)
    there = [each for each in attendees if each.came or each.paid]
    assert found.people == sum(bool(due_of(each, rates).asked or each.paid) for each in there)
    assert found.paid == sum(each.paid for each in attendees)
    assert found.asked == sum(due_of(each, rates).asked for each in there)


def test_a_guest_pays_the_guests_fee_and_who_is_excused_none() -> None:
    rates = Rates(member=500, guest=800)
    asked = [
        due_of(Attendee(is_guest=guest, in_it=True, came=True, other=other), rates).asked
        for guest, other in ((False, None), (True, None), (True, 300), (False, 0))
    ]
    assert asked == [500, 800, 300, 0]


def test_who_paid_and_is_off_the_list_has_paid_for_nothing() -> None:
    due = due_of(Attendee(is_guest=False, in_it=False, came=False, paid=500), Rates(member=500))
    assert (due.asked, due.paid, due.owed) == (0, 500, 0)
