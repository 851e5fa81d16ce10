"""Questions of a director about a draw: its price after changes by hand, and why two entries do not meet.

Answers are levels, by criterion and most important first: the first that differs decides. Only formats drawn
by price have them.
"""

from collections.abc import Iterable, Mapping
from itertools import takewhile

from engine.draws.formats.random import BY_LOT
from engine.draws.formats.swiss import SWISS
from engine.draws.rounds import to_be_drawn
from engine.draws.values import Certificate, DrawInput, DrawnTable, EntryId, LockedTable
from errors import Refusal

from .certificates import is_proved
from .costs import positions, price_of, prices_of
from .criteria import PairingSettings, pairing_settings_of
from .pairing import cheapest_pairing
from .targets import BY_LOT as LOT

PRICED: Mapping[str, PairingSettings] = {"swiss": SWISS, "random": BY_LOT}
"""The formats drawn by price, with their usual settings."""

Pairs = list[tuple[EntryId, EntryId | None]]


def price_of_tables(
    draw_input: DrawInput, format_key: str, tables: Iterable[DrawnTable]
) -> Mapping[str, int]:
    """Return the price of a draw with these tables; entries to be drawn that sit at none of them have a bye.
    Locked tables cost nothing.

    Refuses: not_priced, not_one_a_side, no_such_entrant, not_drawn, drawn_twice.
    """
    settings = _settings(draw_input, format_key)
    tables = _free_tables(draw_input, tables)
    _check_drawn(draw_input, [("tables", entry) for table in tables for entry in (*table.a, *table.b)])
    return price_of(draw_input, settings, _pairs(draw_input, tables))


def prices_of_meeting(
    draw_input: DrawInput, format_key: str, one: EntryId, other: EntryId
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Show why these two do not meet: the price of the cheapest round, and of the cheapest one in which they
    do.

    Refuses: not_priced, no_such_entrant, not_drawn (absent, at a locked table, or sitting out by own wish),
    drawn_twice (one and the same).
    """
    settings = _settings(draw_input, format_key)
    _check_drawn(draw_input, [("one", one), ("other", other)])
    if other == one:
        raise Refusal("drawn_twice", field="other", entry=one)
    prices = prices_of(draw_input, settings)
    best = cheapest_pairing(prices)
    wished = positions(prices.field, (one, other))
    return best.levels, cheapest_pairing(prices, forced=wished, known=best.edges).levels


def telling_levels(draw_input: DrawInput, format_key: str, levels: Mapping[str, int]) -> Mapping[str, int]:
    """Return the levels that matter to a director. In a draw by lot, the distance from the lot (``distance``)
    and all levels below it harm nobody, so they are left out."""
    if _settings(draw_input, format_key).target != LOT:
        return levels
    return dict(takewhile(lambda level: level[0] != "distance", levels.items()))


def is_optimal(
    draw_input: DrawInput, format_key: str, tables: Iterable[DrawnTable], certificate: Certificate
) -> bool:
    """Return whether the certificate proves that no draw costs less than these tables, with byes for all
    others. Refuses: what ``price_of_tables`` refuses."""
    prices = prices_of(draw_input, _settings(draw_input, format_key))
    pairs = [positions(prices.field, pair) for pair in _pairs(draw_input, tables)]
    return is_proved(certificate, prices, pairs)


def _settings(draw_input: DrawInput, format_key: str) -> PairingSettings:
    if format_key not in PRICED:
        raise Refusal("not_priced", field="format", value=format_key, choices=tuple(PRICED))
    return pairing_settings_of(draw_input, usual=PRICED[format_key])


def _check_drawn(draw_input: DrawInput, named: Iterable[tuple[str, EntryId]]) -> None:
    known = {entrant.id for entrant in draw_input.entrants}
    drawn = {entrant.id for entrant in to_be_drawn(draw_input)}
    for field, entry in named:
        if entry not in known:
            raise Refusal("no_such_entrant", field=field, entry=entry)
        if entry not in drawn:
            raise Refusal("not_drawn", field=field, entry=entry)


def _pairs(draw_input: DrawInput, tables: Iterable[DrawnTable]) -> Pairs:
    """Return the pairs of these tables; entries to be drawn that sit at none have a bye."""
    left = {entrant.id: None for entrant in to_be_drawn(draw_input)}
    locked = draw_input.at_locked_tables
    pairs: Pairs = []
    for table in tables:
        if locked.issuperset((*table.a, *table.b)):
            continue
        if len(table.a) != 1 or len(table.b) != 1:
            raise Refusal("not_one_a_side", field="tables", table=table.number)
        pairs.append((table.a[0], table.b[0]))
        for entry in (*table.a, *table.b):
            if entry not in left:
                raise Refusal("drawn_twice", field="tables", entry=entry)
            del left[entry]
    return [*pairs, *((entry, None) for entry in left)]


def _free_tables(draw_input: DrawInput, tables: Iterable[DrawnTable]) -> tuple[DrawnTable, ...]:
    """Return the tables that are not locked."""
    locked = set(map(_meeting, draw_input.locked))
    return tuple(table for table in tables if _meeting(table) not in locked)


def _meeting(table: DrawnTable | LockedTable) -> frozenset[frozenset[EntryId]]:
    return frozenset((frozenset(table.a), frozenset(table.b)))
