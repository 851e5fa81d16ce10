"""Presenters of attendance over a period, by person and by night."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from clubs.models import Club, Person
from clubs.people import PAGE, people_named
from engine.attendance import Gathering, by_date, new_faces, nights_by_person
from tournaments.models import Event
from web.paging import PageOfList, part_of

from .queries import attended_gatherings, came_before, gatherings_of, payments_by_event

CAME, MEMBERS, GUESTS, MISSED = "came", "members", "guests", "missed"
GROUPS = (CAME, MEMBERS, GUESTS, MISSED)
"""Everyone who came, the members and guests among them, and active members who did not come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """From one day to another, both included."""

    starts: datetime.date
    ends: datetime.date


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonsNights:
    """Nights that a person attended, newest first."""

    person: Person
    nights: Sequence[Event]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendancePage(PageOfList):
    """A page of people, those with most nights first; ``of`` is the number of nights, ``found`` that of
    people."""

    lines: Sequence[PersonsNights]
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


def attendance_page(
    club: Club,
    period: Period,
    *,
    search: str = "",
    group: str = CAME,
    number: int = 1,
    size: int | None = PAGE,
) -> AttendancePage:
    """Return a page, or everyone without a ``size``. Eight queries at most."""
    events = gatherings_of(club, period.starts, period.ends)
    gatherings = attended_gatherings(events.values())
    nights = nights_by_person(gatherings)
    found = people_named(club.people.all(), search).order_by("folded_name", "pk")
    groups = _groups(found, nights)
    group = group if group in groups else CAME
    ids = sorted(groups[group], key=lambda pk: -len(nights.get(pk, ())))  # ties stay in the order of names
    part = part_of(len(ids), number=number, size=size)
    shown = ids[part.places]
    people = Person.objects.in_bulk(shown)
    return AttendancePage(
        **part.as_values(),
        lines=[
            PersonsNights(person=people[pk], nights=[events[one.event] for one in nights.get(pk, ())])
            for pk in shown
        ],
        of=len(gatherings),
        counts={name: len(each) for name, each in groups.items()},
        group=group,
    )


def attendance_lines(club: Club, period: Period) -> tuple[list[PersonsNights], int]:
    """Return everyone who came, by name, and the number of nights. Seven queries at most."""
    events = gatherings_of(club, period.starts, period.ends)
    gatherings = attended_gatherings(events.values())
    nights = nights_by_person(gatherings)
    people = Person.objects.filter(club=club, pk__in=nights).order_by("folded_name", "pk")
    lines = [
        PersonsNights(person=person, nights=[events[one.event] for one in nights[person.pk]])
        for person in people
    ]
    return lines, len(gatherings)


def night_lines(club: Club, period: Period) -> list[AttendanceNight]:
    """Return the nights with attendance, newest first. Twelve queries at most."""
    events = gatherings_of(club, period.starts, period.ends)
    gatherings = attended_gatherings(events.values())
    everybody = frozenset[int]().union(*(one.came for one in gatherings))
    new = new_faces(gatherings, came_before(club, period.starts, everybody))
    guests = set(club.people.filter(is_guest=True).values_list("pk", flat=True))
    paid = payments_by_event(events.values())
    return [_night(one, events[one.event], guests, new, paid) for one in by_date(gatherings)[::-1]]


def _groups(found: QuerySet[Person], nights: Mapping[int, object]) -> dict[str, list[int]]:
    """Return the people found, by group, in the order of their names."""
    groups: dict[str, list[int]] = {name: [] for name in GROUPS}
    for pk, is_guest, is_active in found.values_list("pk", "is_guest", "is_active"):
        if pk in nights:
            groups[CAME].append(pk)
            groups[GUESTS if is_guest else MEMBERS].append(pk)
        elif is_active and not is_guest:
            groups[MISSED].append(pk)
    return groups


def _night(
    one: Gathering, event: Event, guests: set[int], new: Mapping[int, frozenset[int]], paid: Mapping[int, int]
) -> AttendanceNight:
    here = len(one.came & guests)
    return AttendanceNight(
        event=event,
        came=len(one.came),
        members=len(one.came) - here,
        guests=here,
        new=len(new[one.event]),
        paid=paid.get(one.event, 0),
    )
