"""Attendance at nights: plain computations on the ids of people."""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendedEvent:
    """An event, and the people who were checked in or played."""

    event: int
    held_on: datetime.date
    attendees: frozenset[int]


def group_nights_by_person(events: Iterable[AttendedEvent]) -> dict[int, list[AttendedEvent]]:
    """Return the events that each person attended, the latest first; people who never came are left out."""
    found: dict[int, list[AttendedEvent]] = defaultdict(list)
    for event in sort_by_date(events)[::-1]:
        for person in event.attendees:
            found[person].append(event)
    return dict(found)


def find_newcomers(events: Iterable[AttendedEvent], known_people: Collection[int]) -> Mapping[int, frozenset[int]]:
    """Return for each event the people who came for the first time; people in ``known_people`` are never new."""
    seen_people, found = set(known_people), {}
    for event in sort_by_date(events):
        found[event.event] = event.attendees - seen_people
        seen_people |= event.attendees
    return found


def sort_by_date(events: Iterable[AttendedEvent]) -> list[AttendedEvent]:
    """Sort events by date, those of one day by id."""
    return sorted(events, key=lambda one: (one.held_on, one.event))
