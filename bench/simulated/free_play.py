"""Rules of progressive formats, open tables and manual draws, and random settings of their rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from engine.draws import DrawInput, EntryId
from rules import Side

from .course import Course, Round


def check_ladder_moves(course: Course, round_: Round) -> Iterator[str]:
    """Check that winners move up a table and losers down, in an undisturbed field with full tables."""
    last = [table for table in round_.draw_input.history if table.round == round_.draw_input.round - 1]
    if not course.is_quiet or not last or any(not table.b for table in last):
        return
    table_numbers = {entry: table.number for table in round_.draw.tables for entry in (*table.a, *table.b)}
    for table in last:
        for entries, won in ((table.a, table.winner is Side.A), (table.b, table.winner is Side.B)):
            due = max(1, table.table - 1) if won else min(len(last), table.table + 1)
            yield from (
                f"entry {entry} is at table {table_numbers[entry]}" for entry in entries if table_numbers[entry] != due
            )


def check_consecutive_rematches(course: Course, round_: Round) -> Iterator[str]:
    """Check that entries do not meet their last opponent again while other tables play."""
    if not round_.draw_input.locked:
        return
    last: dict[EntryId, tuple[EntryId, ...]] = {}
    for played in (table for table in round_.draw_input.history if table.b):
        last |= dict.fromkeys(played.a, played.b) | dict.fromkeys(played.b, played.a)
    for table in round_.tables:
        if table.b == last.get(table.a[0]) or table.a == last.get(table.b[0]):
            yield f"table {table.number} once more"


def check_waiting(course: Course, round_: Round) -> Iterator[str]:
    """Check that at most one entry waits, if no table is at play."""
    requested_byes = sum(round_.draw_input.round in round_.entrants[entry].requested_byes for entry in round_.present)
    waiting = len(round_.present) - requested_byes - 2 * len(round_.tables)
    if not round_.draw_input.locked and "free" not in round_.draw_input.settings and waiting > 1:
        yield f"{waiting} wait"


def check_typed_tables(course: Course, round_: Round) -> Iterator[str]:
    typed_tables = round_.draw_input.settings.get("tables", [])
    expected = {(table["number"], tuple(table["a"]), tuple(table["b"])) for table in typed_tables}
    if expected != {(table.number, table.a, table.b) for table in round_.tables}:
        yield "not as typed"


def choose_free_entries(chance: Random, draw_input: DrawInput) -> Mapping[str, Any]:
    entries = [entrant.id for entrant in draw_input.entrants]
    chance.shuffle(entries)
    return chance.choice(({}, {"free": entries[: chance.randint(0, len(entries))]}))


def choose_typed_tables(chance: Random, draw_input: DrawInput) -> Mapping[str, Any]:
    locked = {entry for table in draw_input.locked for entry in (*table.a, *table.b)}
    present = [e.id for e in draw_input.entrants if e.is_present(draw_input.round) and e.id not in locked]
    present = [entry for entry in present if draw_input.round not in _get_requested_byes(draw_input, entry)]
    chance.shuffle(present)
    side = chance.choice((1, 2))
    taken_numbers = {table.number for table in draw_input.locked}
    numbers = [number for number in range(1, 200) if number not in taken_numbers]
    tables = []
    while len(present) >= 2 * side and chance.random() < 0.9:
        a, b = ([present.pop() for _ in range(side)] for _ in range(2))
        tables.append({"number": numbers.pop(chance.randrange(3)), "a": a, "b": b})
    byes = [present.pop() for _ in range(min(len(present), chance.randint(0, 2)))]
    return {"tables": tables, "byes": byes, "side": side}


def _get_requested_byes(draw_input: DrawInput, entry: EntryId) -> frozenset[int]:
    return next(entrant.requested_byes for entrant in draw_input.entrants if entrant.id == entry)
