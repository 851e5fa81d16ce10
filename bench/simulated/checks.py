"""Rules that each round of every format keeps, whatever its settings, checked independently of the draw.

A check yields a short message for each error.
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

RoundCheck = Callable[[Course, Round], Iterator[str]]
CourseCheck = Callable[[Course], Iterator[str]]

_NAMES_ENTRIES = ("a", "b", "byes", "free", "standings")
"""Settings whose numbers are entries."""


def check_requested_round(course: Course, round_: Round) -> Iterator[str]:
    if (round_.draw.format, round_.draw.round) != (course.format.key, round_.draw_input.round):
        yield "another round"
    if (round_.draw.seed, round_.draw.settings) != (round_.draw_input.seed, round_.draw_input.settings):
        yield "another seed or other settings"


def check_unique_places(course: Course, round_: Round) -> Iterator[str]:
    places = Counter(entry for table in round_.draw.tables for entry in (*table.a, *table.b))
    places.update(bye.entry for bye in round_.draw.byes)
    yield from (f"entry {entry} in {count} places" for entry, count in places.items() if count > 1)
    yield from (f"entry {entry} is away" for entry in places if entry not in round_.present)


def check_requested_byes(course: Course, round_: Round) -> Iterator[str]:
    for table in round_.tables:
        for entry in (*table.a, *table.b):
            if round_.draw_input.round in round_.entrants[entry].requested_byes:
                yield f"entry {entry} asked for a bye"


def check_all_placed(course: Course, round_: Round) -> Iterator[str]:
    placed = {entry for table in round_.draw.tables for entry in (*table.a, *table.b)}
    placed |= {bye.entry for bye in round_.draw.byes}
    yield from (f"entry {entry} has no place" for entry in round_.present - placed)


def check_table_numbers(course: Course, round_: Round) -> Iterator[str]:
    numbers = Counter(table.number for table in round_.draw.tables)
    yield from (f"{count} tables {number}" for number, count in numbers.items() if count > 1 or number < 1)


def check_full_sides(course: Course, round_: Round) -> Iterator[str]:
    for table in round_.draw.tables:
        if len(table.a) != len(table.b) or not 1 <= len(table.a) <= course.format.side:
            yield f"table {table.number} has sides of {len(table.a)} and {len(table.b)}"


def check_locked_tables(course: Course, round_: Round) -> Iterator[str]:
    draw = {(table.number, table.a, table.b) for table in round_.draw.tables}
    for table in round_.draw_input.locked:
        if (table.number, table.a, table.b) not in draw:
            yield f"locked table {table.number} was changed"


def check_fixed_tables(course: Course, round_: Round) -> Iterator[str]:
    """Check fixed tables, unless two entries claim one."""
    locked = {table.number for table in round_.draw_input.locked}
    claims = [
        {at for entry in (*table.a, *table.b) if (at := round_.entrants[entry].table) is not None}
        for table in round_.tables
    ]
    claimed = Counter(number for numbers in claims for number in numbers)
    for table, numbers in zip(round_.tables, claims, strict=True):
        for number in numbers:
            if len(numbers) == 1 and claimed[number] == 1 and number not in {table.number, *locked}:
                yield f"table {table.number} should be {number}"


def check_fixed_sides(course: Course, round_: Round) -> Iterator[str]:
    """Check fixed sides, unless partners or opponents need the same side."""

    def list_fixed_sides(partners: Partners) -> set[Side]:
        return {side for entry in partners if (side := round_.entrants[entry].side) is not None}

    for table in round_.tables:
        a, b = list_fixed_sides(table.a), list_fixed_sides(table.b)
        if (a == {Side.B} and b != {Side.B} and len(b) < 2) or (b == {Side.A} and a != {Side.A} and len(a) < 2):
            yield f"table {table.number} has its sides the wrong way round"


def check_reasons_given(course: Course, round_: Round) -> Iterator[str]:
    yield from (f"table {table.number} has none" for table in round_.draw.tables if not table.reasons)
    yield from (f"the bye of {bye.entry} has none" for bye in round_.draw.byes if not bye.reasons)


def check_order_independence(course: Course, round_: Round) -> Iterator[str]:
    chance = Random(round_.draw_input.seed)
    new_ids = list(range(1000, 1000 + len(round_.draw_input.entrants)))
    chance.shuffle(new_ids)
    names = dict(zip([entrant.id for entrant in round_.draw_input.entrants], map(EntryId, new_ids), strict=True))
    for table in round_.draw_input.history:
        for entry in (*table.a, *table.b):
            names.setdefault(entry, EntryId(len(names) + 5000))
    other = course.format.draw(_rename_entries(round_.draw_input, names, chance))
    if summarize_draw(other, {}) != summarize_draw(round_.draw, names):
        yield "drawn otherwise under other names"


def summarize_draw(draw: Draw, names: Mapping[EntryId, EntryId]) -> tuple[object, ...]:
    """Return the parts of a draw that stay equal when its entries are renamed."""

    def rename(entries: Partners) -> tuple[int, ...]:
        return tuple(names.get(entry, entry) for entry in entries)

    return (
        [(t.number, t.slot, rename(t.a), rename(t.b), [reason.code for reason in t.reasons]) for t in draw.tables],
        [(rename((bye.entry,)), bye.slot, [reason.code for reason in bye.reasons]) for bye in draw.byes],
        list(draw.price.items()),
    )


def _rename_entries(draw_input: DrawInput, names: Mapping[EntryId, EntryId], chance: Random) -> DrawInput:
    def rename(entries: Partners) -> Partners:
        return tuple(names[entry] for entry in entries)

    def rename_in_settings(value: Any, *, names_entries: bool) -> Any:
        if isinstance(value, Mapping):
            return {key: rename_in_settings(each, names_entries=key in _NAMES_ENTRIES) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(rename_in_settings(each, names_entries=names_entries) for each in value)
        return names[EntryId(value)] if names_entries else value

    history = [replace(table, a=rename(table.a), b=rename(table.b)) for table in draw_input.history]
    chance.shuffle(history)
    return replace(
        draw_input,
        entrants=tuple(replace(entrant, id=names[entrant.id]) for entrant in draw_input.entrants),
        history=tuple(history),
        locked=tuple(replace(table, a=rename(table.a), b=rename(table.b)) for table in draw_input.locked),
        settings=rename_in_settings(draw_input.settings, names_entries=False),
    )


ROUND_CHECKS: tuple[RoundCheck, ...] = (
    check_requested_round,
    check_unique_places,
    check_requested_byes,
    check_all_placed,
    check_table_numbers,
    check_full_sides,
    check_locked_tables,
    check_fixed_tables,
    check_fixed_sides,
    check_reasons_given,
    check_order_independence,
)
