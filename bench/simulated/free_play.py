"""Ladders, open tables and draws made by hand: their laws, and what the desk wants of each round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from engine.draws import DrawInput, EntryId
from rules import Side

from .course import Course, Round


def winners_go_up_and_losers_down(course: Course, this: Round) -> Iterator[str]:
    """In an undisturbed field that fills its tables."""
    last = [table for table in this.before.history if table.round == this.before.round - 1]
    if not course.is_quiet or not last or any(not table.b for table in last):
        return
    at = {entry: table.number for table in this.drawn.tables for entry in (*table.a, *table.b)}
    for table in last:
        for entries, won in ((table.a, table.winner is Side.A), (table.b, table.winner is Side.B)):
            due = max(1, table.table - 1) if won else min(len(last), table.table + 1)
            yield from (f"entry {entry} is at table {at[entry]}" for entry in entries if at[entry] != due)


def nobody_plays_the_same_two_in_a_row(course: Course, this: Round) -> Iterator[str]:
    """While others are at play."""
    if not this.before.locked:
        return
    last: dict[EntryId, tuple[EntryId, ...]] = {}
    for played in (table for table in this.before.history if table.b):
        last |= dict.fromkeys(played.a, played.b) | dict.fromkeys(played.b, played.a)
    for table in this.tables:
        if table.b == last.get(table.a[0]) or table.a == last.get(table.b[0]):
            yield f"table {table.number} once more"


def at_most_one_waits(course: Course, this: Round) -> Iterator[str]:
    """Of everybody, if nobody is at play."""
    asked = sum(this.before.round in this.entrants[entry].byes_asked for entry in this.present)
    waiting = len(this.present) - asked - 2 * len(this.tables)
    if not this.before.locked and "free" not in this.before.settings and waiting > 1:
        yield f"{waiting} wait"


def tables_are_as_typed(course: Course, this: Round) -> Iterator[str]:
    typed = this.before.settings.get("tables", [])
    wanted = {(table["number"], tuple(table["a"]), tuple(table["b"])) for table in typed}
    if wanted != {(table.number, table.a, table.b) for table in this.tables}:
        yield "not as typed"


def who_is_free(chance: Random, before: DrawInput) -> Mapping[str, Any]:
    entries = [entrant.id for entrant in before.entrants]
    chance.shuffle(entries)
    return chance.choice(({}, {"free": entries[: chance.randint(0, len(entries))]}))


def typed(chance: Random, before: DrawInput) -> Mapping[str, Any]:
    locked = {entry for table in before.locked for entry in (*table.a, *table.b)}
    here = [e.id for e in before.entrants if e.is_present(before.round) and e.id not in locked]
    here = [entry for entry in here if before.round not in _asked(before, entry)]
    chance.shuffle(here)
    side = chance.choice((1, 2))
    taken = {table.number for table in before.locked}
    numbers = [number for number in range(1, 200) if number not in taken]
    tables = []
    while len(here) >= 2 * side and chance.random() < 0.9:
        a, b = ([here.pop() for _ in range(side)] for _ in range(2))
        tables.append({"number": numbers.pop(chance.randrange(3)), "a": a, "b": b})
    byes = [here.pop() for _ in range(min(len(here), chance.randint(0, 2)))]
    return {"tables": tables, "byes": byes, "side": side}


def _asked(before: DrawInput, entry: EntryId) -> frozenset[int]:
    return next(entrant.byes_asked for entrant in before.entrants if entrant.id == entry)
