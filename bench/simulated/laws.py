"""Rules that every round of every format keeps, whatever the settings. They know nothing of how it was drawn.

A law tells what is wrong, in no more words than are needed to look for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from engine.draws import Draw, DrawInput, EntryId, Partners
from rules import Side

from .course import Course, Round

RoundLaw = Callable[[Course, Round], Iterator[str]]
CourseLaw = Callable[[Course], Iterator[str]]

_NAMES_ENTRIES = ("a", "b", "byes", "free", "standings")
"""Settings whose numbers are entries."""


def is_the_round_asked_for(course: Course, this: Round) -> Iterator[str]:
    if (this.drawn.format, this.drawn.round) != (course.format.key, this.before.round):
        yield "another round"
    if (this.drawn.seed, this.drawn.settings) != (this.before.seed, this.before.settings):
        yield "another seed or other settings"


def nobody_is_in_two_places(course: Course, this: Round) -> Iterator[str]:
    places = Counter(entry for table in this.drawn.tables for entry in (*table.a, *table.b))
    places.update(bye.entry for bye in this.drawn.byes)
    yield from (f"entry {entry} in {count} places" for entry, count in places.items() if count > 1)
    yield from (f"entry {entry} is away" for entry in places if entry not in this.present)


def who_asked_for_a_bye_does_not_play(course: Course, this: Round) -> Iterator[str]:
    for table in this.tables:
        for entry in (*table.a, *table.b):
            if this.before.round in this.entrants[entry].byes_asked:
                yield f"entry {entry} asked for a bye"


def everybody_present_has_a_place(course: Course, this: Round) -> Iterator[str]:
    placed = {entry for table in this.drawn.tables for entry in (*table.a, *table.b)}
    placed |= {bye.entry for bye in this.drawn.byes}
    yield from (f"entry {entry} has no place" for entry in this.present - placed)


def tables_have_numbers_of_their_own(course: Course, this: Round) -> Iterator[str]:
    numbers = Counter(table.number for table in this.drawn.tables)
    yield from (f"{count} tables {number}" for number, count in numbers.items() if count > 1 or number < 1)


def sides_are_full(course: Course, this: Round) -> Iterator[str]:
    for table in this.drawn.tables:
        if len(table.a) != len(table.b) or not 1 <= len(table.a) <= course.format.side:
            yield f"table {table.number} has sides of {len(table.a)} and {len(table.b)}"


def locked_tables_stay(course: Course, this: Round) -> Iterator[str]:
    drawn = {(table.number, table.a, table.b) for table in this.drawn.tables}
    for table in this.before.locked:
        if (table.number, table.a, table.b) not in drawn:
            yield f"locked table {table.number} was changed"


def who_cannot_change_tables_does_not(course: Course, this: Round) -> Iterator[str]:
    """Unless two claim it."""
    locked = {table.number for table in this.before.locked}
    claims = [
        {at for entry in (*table.a, *table.b) if (at := this.entrants[entry].table) is not None}
        for table in this.tables
    ]
    claimed = Counter(number for numbers in claims for number in numbers)
    for table, numbers in zip(this.tables, claims, strict=True):
        for number in numbers:
            if len(numbers) == 1 and claimed[number] == 1 and number not in {table.number, *locked}:
                yield f"table {table.number} should be {number}"


def who_needs_a_side_has_it(course: Course, this: Round) -> Iterator[str]:
    """Unless partners or opponents need the same."""

    def needed(partners: Partners) -> set[Side]:
        return {side for entry in partners if (side := this.entrants[entry].side) is not None}

    for table in this.tables:
        a, b = needed(table.a), needed(table.b)
        if (a == {Side.B} and b != {Side.B} and len(b) < 2) or (
            b == {Side.A} and a != {Side.A} and len(a) < 2
        ):
            yield f"table {table.number} has its sides the wrong way round"


def everything_has_a_reason(course: Course, this: Round) -> Iterator[str]:
    yield from (f"table {table.number} has none" for table in this.drawn.tables if not table.reasons)
    yield from (f"the bye of {bye.entry} has none" for bye in this.drawn.byes if not bye.reasons)


def neither_names_nor_the_order_of_history_matter(course: Course, this: Round) -> Iterator[str]:
    chance = Random(this.before.seed)
    fresh = list(range(1000, 1000 + len(this.before.entrants)))
    chance.shuffle(fresh)
    names = dict(zip([entrant.id for entrant in this.before.entrants], map(EntryId, fresh), strict=True))
    for table in this.before.history:
        for entry in (*table.a, *table.b):
            names.setdefault(entry, EntryId(len(names) + 5000))
    other = course.format.draw(_renamed(this.before, names, chance))
    if gist(other, {}) != gist(this.drawn, names):
        yield "drawn otherwise under other names"


def gist(drawn: Draw, names: Mapping[EntryId, EntryId]) -> tuple[object, ...]:
    """What is left of a draw if its entries have other names."""

    def called(entries: Partners) -> tuple[int, ...]:
        return tuple(names.get(entry, entry) for entry in entries)

    return (
        [
            (t.number, t.slot, called(t.a), called(t.b), [reason.code for reason in t.reasons])
            for t in drawn.tables
        ],
        [(called((bye.entry,)), bye.slot, [reason.code for reason in bye.reasons]) for bye in drawn.byes],
        list(drawn.price.items()),
    )


def _renamed(before: DrawInput, names: Mapping[EntryId, EntryId], chance: Random) -> DrawInput:
    def called(entries: Partners) -> Partners:
        return tuple(names[entry] for entry in entries)

    def in_settings(value: Any, *, names_entries: bool) -> Any:
        if isinstance(value, Mapping):
            return {
                key: in_settings(each, names_entries=key in _NAMES_ENTRIES) for key, each in value.items()
            }
        if isinstance(value, list | tuple):
            return type(value)(in_settings(each, names_entries=names_entries) for each in value)
        return names[EntryId(value)] if names_entries else value

    history = [replace(table, a=called(table.a), b=called(table.b)) for table in before.history]
    chance.shuffle(history)
    return replace(
        before,
        entrants=tuple(replace(entrant, id=names[entrant.id]) for entrant in before.entrants),
        history=tuple(history),
        locked=tuple(replace(table, a=called(table.a), b=called(table.b)) for table in before.locked),
        settings=in_settings(before.settings, names_entries=False),
    )


LAWS: tuple[RoundLaw, ...] = (
    is_the_round_asked_for,
    nobody_is_in_two_places,
    who_asked_for_a_bye_does_not_play,
    everybody_present_has_a_place,
    tables_have_numbers_of_their_own,
    sides_are_full,
    locked_tables_stay,
    who_cannot_change_tables_does_not,
    who_needs_a_side_has_it,
    everything_has_a_reason,
    neither_names_nor_the_order_of_history_matter,
)
