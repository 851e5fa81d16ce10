"""Presenters of attendance over a period, by person and by night."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from clubs.models import Club, Person
from clubs.people import PAGE, search_people
from engine.attendance import AttendedEvent, find_newcomers, group_nights_by_person, sort_by_date
from tournaments.models import Event
from web.paging import ListPage, get_list_page

from .queries import find_earlier_attendees, get_events_by_id, list_gatherings, sum_payments_by_event

ATTENDED, MEMBERS, GUESTS, MISSED = "came", "members", "guests", "missed"
GROUPS = (ATTENDED, MEMBERS, GUESTS, MISSED)
"""Everyone who came, the members and guests among them, and active members who did not come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """From one day to another, both included."""

    starts: datetime.date
    ends: datetime.date


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAttendance:
    """Nights that a person attended, newest first."""

    person: Person
    nights: Sequence[Event]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendancePage(ListPage):
    """A page of people, those with most nights first; ``of`` is the number of nights, ``found`` that of
    people."""

    lines: Sequence[PersonAttendance]
    of: int
    counts: Mapping[str, int]
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendanceNight:
    """Attendance of one night; ``new`` is the number of people who came for the first time, ``paid`` is in
    cents."""

    event: Event
    came: int
    members: int
    guests: int
    new: int
    paid: int


def build_attendance_page(
    club: Club,
    period: Period,
    *,
    search: str = "",
    group: str = ATTENDED,
    number: int = 1,
    size: int | None = PAGE,
) -> AttendancePage:
    """Return a page, or everyone without a ``size``. Eight queries at most."""
    events = get_events_by_id(club, period.starts, period.ends)
    gatherings = list_gatherings(events.values())
    nights = group_nights_by_person(gatherings)
    people_found = search_people(club.people.all(), search).order_by("folded_name", "pk")
    groups = _group_people(people_found, nights)
    group = group if group in groups else ATTENDED
    ids = sorted(groups[group], key=lambda pk: -len(nights.get(pk, ())))  # ties stay in the order of names
    part = get_list_page(len(ids), number=number, size=size)
    page_ids = ids[part.places]
    people = Person.objects.in_bulk(page_ids)
    return AttendancePage(
        **part.get_values(),
        lines=[
            PersonAttendance(person=people[pk], nights=[events[gathering.event] for gathering in nights.get(pk, ())])
            for pk in page_ids
        ],
        of=len(gatherings),
        counts={name: len(member_ids) for name, member_ids in groups.items()},
        group=group,
    )


def list_attendance(club: Club, period: Period) -> tuple[list[PersonAttendance], int]:
    """Return everyone who came, by name, and the number of nights. Seven queries at most."""
    events = get_events_by_id(club, period.starts, period.ends)
    gatherings = list_gatherings(events.values())
    nights = group_nights_by_person(gatherings)
    people = Person.objects.filter(club=club, pk__in=nights).order_by("folded_name", "pk")
    lines = [
        PersonAttendance(person=person, nights=[events[gathering.event] for gathering in nights[person.pk]])
        for person in people
    ]
    return lines, len(gatherings)


def list_nights(club: Club, period: Period) -> list[AttendanceNight]:
    """Return the nights with attendance, newest first. Twelve queries at most."""
    events = get_events_by_id(club, period.starts, period.ends)
    gatherings = list_gatherings(events.values())
    attendees = frozenset[int]().union(*(gathering.attendees for gathering in gatherings))
    new = find_newcomers(gatherings, find_earlier_attendees(club, period.starts, attendees))
    guests = set(club.people.filter(is_guest=True).values_list("pk", flat=True))
    paid = sum_payments_by_event(events.values())
    return [
        _build_night(gathering, events[gathering.event], guests, new, paid)
        for gathering in sort_by_date(gatherings)[::-1]
    ]


def _group_people(people: QuerySet[Person], nights: Mapping[int, object]) -> dict[str, list[int]]:
    """Return the people found, by group, in the order of their names."""
    groups: dict[str, list[int]] = {name: [] for name in GROUPS}
    for pk, is_guest, is_active in people.values_list("pk", "is_guest", "is_active"):
        if pk in nights:
            groups[ATTENDED].append(pk)
            groups[GUESTS if is_guest else MEMBERS].append(pk)
        elif is_active and not is_guest:
            groups[MISSED].append(pk)
    return groups


def _build_night(
    gathering: AttendedEvent, event: Event, guests: set[int], new: Mapping[int, frozenset[int]], paid: Mapping[int, int]
) -> AttendanceNight:
    guest_count = len(gathering.attendees & guests)
    return AttendanceNight(
        event=event,
        came=len(gathering.attendees),
        members=len(gathering.attendees) - guest_count,
        guests=guest_count,
        new=len(new[gathering.event]),
        paid=paid.get(gathering.event, 0),
    )
