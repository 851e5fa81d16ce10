"""Who came to which nights: plain computations on the ids of people."""

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
    """For everybody who came at all, where to, the last one first."""
    found: dict[int, list[Gathering]] = defaultdict(list)
    for gathering in by_date(gatherings)[::-1]:
        for person in gathering.came:
            found[person].append(gathering)
    return dict(found)


def new_faces(gatherings: Iterable[Gathering], known: Collection[int]) -> Mapping[int, frozenset[int]]:
    """For each event, who came for the first time; ``known`` had come before all of them."""
    seen, found = set(known), {}
    for gathering in by_date(gatherings):
        found[gathering.event] = gathering.came - seen
        seen |= gathering.came
    return found


def by_date(gatherings: Iterable[Gathering]) -> list[Gathering]:
    """First to last; of one day, as they were made."""
    return sorted(gatherings, key=lambda one: (one.held_on, one.event))
