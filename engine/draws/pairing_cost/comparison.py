"""Questions of a director about a draw: its price after changes by hand, and why two entries do not meet.

Answers are levels, by criterion and most important first: the first that differs decides. Only formats drawn
by price have them.
"""

from collections.abc import Iterable, Mapping
from itertools import takewhile

from engine.draws.formats.interclub_all import ALL_CLUBS_PAIRING
from engine.draws.formats.random import RANDOM_PAIRING
from engine.draws.formats.swiss import SWISS
from engine.draws.rounds import list_drawable_entrants
from engine.draws.values import Certificate, DrawInput, DrawnTable, EntryId, LockedTable
from errors import Refusal

from .certificates import is_proved
from .costs import build_prices, compute_price, get_positions
from .criteria import PairingSettings, get_pairing_settings
from .pairing import find_cheapest_pairing
from .targets import RANDOM_TARGET as LOT

PRICED_FORMATS: Mapping[str, PairingSettings] = {
    "swiss": SWISS,
    "random": RANDOM_PAIRING,
    "interclub_all": ALL_CLUBS_PAIRING,
}
"""The formats drawn by price, with their usual settings."""

Pairs = list[tuple[EntryId, EntryId | None]]


def price_tables(draw_input: DrawInput, format_key: str, tables: Iterable[DrawnTable]) -> Mapping[str, int]:
    """Return the price of a draw with these tables; entries to be drawn that sit at none of them have a bye.
    Locked tables cost nothing.

    Refuses: not_priced, not_one_a_side, no_such_entrant, not_drawn, drawn_twice.
    """
    settings = _get_settings(draw_input, format_key)
    tables = _free_tables(draw_input, tables)
    _check_drawn(draw_input, [("tables", entry) for table in tables for entry in (*table.a, *table.b)])
    return compute_price(draw_input, settings, _list_pairs(draw_input, tables))


def price_meeting(
    draw_input: DrawInput, format_key: str, one: EntryId, other: EntryId
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Show why these two do not meet: the price of the cheapest round, and of the cheapest one in which they
    do.

    Refuses: not_priced, no_such_entrant, not_drawn (absent, at a locked table, or sitting out by own wish),
    drawn_twice (one and the same).
    """
    settings = _get_settings(draw_input, format_key)
    _check_drawn(draw_input, [("one", one), ("other", other)])
    if other == one:
        raise Refusal("drawn_twice", field="other", entry=one)
    prices = build_prices(draw_input, settings)
    best = find_cheapest_pairing(prices)
    meeting_pair = get_positions(prices.field, (one, other))
    return best.levels, find_cheapest_pairing(prices, forced_pair=meeting_pair, known_edges=best.edges).levels


def filter_relevant_levels(draw_input: DrawInput, format_key: str, levels: Mapping[str, int]) -> Mapping[str, int]:
    """Return the levels that matter to a director. In a draw by lot, the distance from the lot (``distance``)
    and all levels below it harm nobody, so they are left out."""
    if _get_settings(draw_input, format_key).target != LOT:
        return levels
    return dict(takewhile(lambda level: level[0] != "distance", levels.items()))


def is_optimal(draw_input: DrawInput, format_key: str, tables: Iterable[DrawnTable], certificate: Certificate) -> bool:
    """Return whether the certificate proves that no draw costs less than these tables, with byes for all
    others. Refuses: what ``price_tables`` refuses."""
    prices = build_prices(draw_input, _get_settings(draw_input, format_key))
    pairs = [get_positions(prices.field, pair) for pair in _list_pairs(draw_input, tables)]
    return is_proved(certificate, prices, pairs)


def _get_settings(draw_input: DrawInput, format_key: str) -> PairingSettings:
    if format_key not in PRICED_FORMATS:
        raise Refusal("not_priced", field="format", value=format_key, choices=tuple(PRICED_FORMATS))
    return get_pairing_settings(draw_input, usual=PRICED_FORMATS[format_key])


def _check_drawn(draw_input: DrawInput, named_entries: Iterable[tuple[str, EntryId]]) -> None:
    entry_ids = {entrant.id for entrant in draw_input.entrants}
    drawable_ids = {entrant.id for entrant in list_drawable_entrants(draw_input)}
    for field, entry in named_entries:
        if entry not in entry_ids:
            raise Refusal("no_such_entrant", field=field, entry=entry)
        if entry not in drawable_ids:
            raise Refusal("not_drawn", field=field, entry=entry)


def _list_pairs(draw_input: DrawInput, tables: Iterable[DrawnTable]) -> Pairs:
    """Return the pairs of these tables; entries to be drawn that sit at none have a bye."""
    unpaired = {entrant.id: None for entrant in list_drawable_entrants(draw_input)}
    locked = draw_input.locked_entries
    pairs: Pairs = []
    for table in tables:
        if locked.issuperset((*table.a, *table.b)):
            continue
        if len(table.a) != 1 or len(table.b) != 1:
            raise Refusal("not_one_a_side", field="tables", table=table.number)
        pairs.append((table.a[0], table.b[0]))
        for entry in (*table.a, *table.b):
            if entry not in unpaired:
                raise Refusal("drawn_twice", field="tables", entry=entry)
            del unpaired[entry]
    return [*pairs, *((entry, None) for entry in unpaired)]


def _free_tables(draw_input: DrawInput, tables: Iterable[DrawnTable]) -> tuple[DrawnTable, ...]:
    """Return the tables that are not locked."""
    locked = set(map(_get_meeting_key, draw_input.locked))
    return tuple(table for table in tables if _get_meeting_key(table) not in locked)


def _get_meeting_key(table: DrawnTable | LockedTable) -> frozenset[frozenset[EntryId]]:
    return frozenset((frozenset(table.a), frozenset(table.b)))
