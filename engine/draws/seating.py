"""Numbers and sides of tables.

Tables are numbered from the top of the standings down. An entrant with a fixed table has it; a section keeps
to its range of tables: always where sections play apart, else as far as the range reaches.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, count, takewhile
from random import Random

from errors import Refusal
from rules import Side

from .history import History
from .values import DrawInput, DrawnTable, Entrant, Partners, ReasonCode

Seats = tuple[Partners, Partners]
"""Side A and side B of a table."""


def choose_sides(one: Entrant, other: Entrant, *, history: History, chance: Random) -> Seats:
    """Return the two, side A first: fixed sides, else the one less often on side A, else by lot."""
    lot = chance.random() < 1 / 2
    wants_a = [
        (entrant.side is not Side.A, entrant.side is Side.B, history.get_side_balance(entrant.id))
        for entrant in (one, other)
    ]
    swaps = wants_a[1] < wants_a[0] or (wants_a[0] == wants_a[1] and lot)
    return ((other.id,), (one.id,)) if swaps else ((one.id,), (other.id,))


def need_two_tables(one: Entrant, other: Entrant) -> bool:
    """Return whether the two have different fixed tables."""
    return one.table is not None and other.table is not None and one.table != other.table


def renumber_tables(tables: Sequence[DrawnTable], draw_input: DrawInput, *, keeps_ranges: bool) -> list[DrawnTable]:
    """Renumber the tables of several draws of one round, each numbered from 1. Refuses: what
    ``number_tables`` refuses."""
    entrants = {entrant.id: entrant for entrant in draw_input.entrants}
    seats = [[entrants[entry] for entry in (*table.a, *table.b)] for table in tables]
    numbers = number_tables(seats, draw_input, keeps_ranges=keeps_ranges)
    numbered = []
    for table, seated, number in zip(tables, seats, numbers, strict=True):
        is_fixed = any(entrant.table == number for entrant in seated)
        reasons = (reason for reason in table.reasons if is_fixed or reason.code is not ReasonCode.FIXED_TABLE)
        numbered.append(replace(table, number=number, reasons=tuple(reasons)))
    return numbered


def number_tables(
    tables: Sequence[Sequence[Entrant]], draw_input: DrawInput, *, keeps_ranges: bool = False
) -> list[int]:
    """Return a number for each table of these entrants, from 1, without duplicates or numbers of locked
    tables.

    Fixed tables come first, then sections with a range, then all others in order. With ``keeps_ranges``, a
    section sits nowhere else, and nobody at a table that the hall does not have.

    Refuses: too_few_tables, section_tables_short, other_tables_short.
    """
    taken = {table.number for table in draw_input.locked}
    numbers = [0] * len(tables)
    for place, entrants in enumerate(tables):
        fixed = next((e.table for e in entrants if e.table is not None and e.table not in taken), None)
        if fixed is not None:
            numbers[place] = fixed
            taken.add(fixed)
    ranges = draw_input.section_tables
    numbers_by_sections: dict[tuple[str, ...], Iterator[int]] = {}
    for place, entrants in enumerate(tables):
        if not numbers[place]:
            sections = tuple(e.section for e in entrants if e.section is not None and e.section in ranges)
            table_numbers = _iterate_table_numbers(sections, draw_input, keeps_ranges=keeps_ranges)
            number = next(
                (number for number in numbers_by_sections.setdefault(sections, table_numbers) if number not in taken),
                None,
            )
            if number is None:
                raise _build_tables_refusal(entrants[0].section, tables, draw_input)
            numbers[place] = number
            taken.add(number)
    return numbers


def _iterate_table_numbers(sections: Sequence[str], draw_input: DrawInput, *, keeps_ranges: bool) -> Iterator[int]:
    """Return table numbers in the order in which entrants of these sections would take them."""
    hall, ranges = draw_input.table_count, draw_input.section_tables
    reserved = {section: range(max(1, first), last + 1) for section, (first, last) in ranges.items()}
    own_tables = [number for section in sections for number in reserved[section]]
    free = (number for number in count(1) if not any(number in tables for tables in reserved.values()))
    if hall is None:
        return iter(own_tables) if keeps_ranges and sections else chain(own_tables, free)
    own_tables = [number for number in own_tables if number <= hall]
    free_hall_tables = takewhile(lambda number: number <= hall, free)
    if keeps_ranges:
        return iter(own_tables) if sections else free_hall_tables
    return chain(own_tables, free_hall_tables, range(1, hall + 1), count(hall + 1))


def _build_tables_refusal(section: str | None, tables: Sequence[Sequence[Entrant]], draw_input: DrawInput) -> Refusal:
    """Return the refusal that a section has too few tables, or the hall too few for all."""
    hall, needed = draw_input.table_count, len(tables) + len(draw_input.locked)
    if hall is not None and needed > hall:
        return Refusal("too_few_tables", needed=needed, tables=hall)
    section_count = sum(entrants[0].section == section for entrants in tables)
    if section is None:
        return Refusal("other_tables_short", needed=section_count)
    return Refusal("section_tables_short", section=section, needed=section_count)
