"""Attendance at nights: plain computations on the ids of people."""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathering:
    """An event, and the people who were checked in or played."""

    event: int
    held_on: datetime.date
    came: frozenset[int]


def nights_by_person(gatherings: Iterable[Gathering]) -> dict[int, list[Gathering]]:
    """Return the events that each person attended, the latest first; people who never came are left out."""
    found: dict[int, list[Gathering]] = defaultdict(list)
    for gathering in by_date(gatherings)[::-1]:
        for person in gathering.came:
            found[person].append(gathering)
    return dict(found)


def new_faces(gatherings: Iterable[Gathering], known: Collection[int]) -> Mapping[int, frozenset[int]]:
    """Return for each event the people who came for the first time; people in ``known`` are never new."""
    seen, found = set(known), {}
    for gathering in by_date(gatherings):
        found[gathering.event] = gathering.came - seen
        seen |= gathering.came
    return found


def by_date(gatherings: Iterable[Gathering]) -> list[Gathering]:
    """Sort events by date, those of one day by id."""
    return sorted(gatherings, key=lambda one: (one.held_on, one.event))
