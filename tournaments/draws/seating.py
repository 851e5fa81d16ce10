"""Which table each pairing plays at, and who sits on which side.

Tables are numbered from the top of the standings down. An entrant who always sits at one table has it; a
section keeps to its range of tables as far as that reaches.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from rules import Side

from .history import History
from .values import Entrant, LockedTable, Partners

Seats = tuple[Partners, Partners]
"""Side A and side B of a table."""


def seated(one: Entrant, other: Entrant, *, history: History, chance: Random) -> Seats:
    """The two with side A for whoever must sit there, else has sat there less often, else by lot."""
    lot = chance.random() < 1 / 2
    wants_a = [
        (entrant.side is not Side.A, entrant.side is Side.B, history.lean(entrant.id))
        for entrant in (one, other)
    ]
    swaps = wants_a[1] < wants_a[0] or (wants_a[0] == wants_a[1] and lot)
    return ((other.id,), (one.id,)) if swaps else ((one.id,), (other.id,))


def table_numbers(
    tables: Sequence[Sequence[Entrant]],
    *,
    locked: Iterable[LockedTable] = (),
    sections: Mapping[str, tuple[int, int]] | None = None,
) -> list[int]:
    """A number for each table of these entrants, from 1, none twice.

    First those who cannot sit elsewhere, then those whose section has a range, then everybody in order.
    """
    taken = {table.number for table in locked}
    numbers = [0] * len(tables)
    for place, entrants in enumerate(tables):
        fixed = next((e.table for e in entrants if e.table is not None and e.table not in taken), None)
        if fixed is not None:
            numbers[place] = fixed
            taken.add(fixed)
    for place, entrants in enumerate(tables):
        if not numbers[place]:
            numbers[place] = next(
                number for number in _wished(entrants, sections or {}) if number not in taken
            )
            taken.add(numbers[place])
    return numbers


def _wished(entrants: Sequence[Entrant], sections: Mapping[str, tuple[int, int]]) -> Iterator[int]:
    """Table numbers in the order in which these entrants would take them."""
    for entrant in entrants:
        if entrant.section is not None and entrant.section in sections:
            first, last = sections[entrant.section]
            yield from range(first, last + 1)
    reserved = {number for first, last in sections.values() for number in range(first, last + 1)}
    yield from (number for number in range(1, max(reserved, default=0) + 1) if number not in reserved)
    number = max(reserved, default=0)
    while True:
        number += 1
        yield number
