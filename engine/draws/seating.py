"""Which table each pairing plays at, and who sits on which side.

Tables are numbered from the top of the standings down. An entrant who always sits at one table has it; a
section keeps to its range of tables as far as that reaches.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from random import Random

from rules import Side

from .history import History
from .values import DrawInput, Entrant, Partners

Seats = tuple[Partners, Partners]
"""Side A and side B of a table."""


def choose_sides(one: Entrant, other: Entrant, *, history: History, chance: Random) -> Seats:
    """The two with side A for whoever must sit there, else has sat there less often, else by lot."""
    lot = chance.random() < 1 / 2
    wants_a = [
        (entrant.side is not Side.A, entrant.side is Side.B, history.lean(entrant.id))
        for entrant in (one, other)
    ]
    swaps = wants_a[1] < wants_a[0] or (wants_a[0] == wants_a[1] and lot)
    return ((other.id,), (one.id,)) if swaps else ((one.id,), (other.id,))


def need_two_tables(one: Entrant, other: Entrant) -> bool:
    """Whether each of the two always sits at a table, and not at the same."""
    return one.table is not None and other.table is not None and one.table != other.table


def number_tables(tables: Sequence[Sequence[Entrant]], draw_input: DrawInput) -> list[int]:
    """A number for each table of these entrants, from 1, none twice, and none of a locked table.

    First those who cannot sit elsewhere, then those whose section has a range, then everybody in order.
    """
    taken = {table.number for table in draw_input.locked}
    numbers = [0] * len(tables)
    for place, entrants in enumerate(tables):
        fixed = next((e.table for e in entrants if e.table is not None and e.table not in taken), None)
        if fixed is not None:
            numbers[place] = fixed
            taken.add(fixed)
    ranges = draw_input.section_tables
    left: dict[tuple[str, ...], Iterator[int]] = {}
    for place, entrants in enumerate(tables):
        if not numbers[place]:
            sections = tuple(e.section for e in entrants if e.section is not None and e.section in ranges)
            wished = left.setdefault(sections, _wished_tables(sections, ranges))
            numbers[place] = next(number for number in wished if number not in taken)
            taken.add(numbers[place])
    return numbers


def _wished_tables(sections: Sequence[str], ranges: Mapping[str, tuple[int, int]]) -> Iterator[int]:
    """Table numbers in the order in which entrants of these sections would take them."""
    reserved = {section: range(max(1, first), last + 1) for section, (first, last) in ranges.items()}
    for section in sections:
        yield from reserved[section]
    for number in count(1):
        if not any(number in tables for tables in reserved.values()):
            yield number
