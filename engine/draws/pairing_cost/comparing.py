"""What a director asks of a draw: the price of a swap, or of a draw made by hand, and why not those two.

Answers are levels, by criterion and most important first: the first that is not 0 decides. Only formats
drawn by price have them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.draws.formats.random import BY_LOT
from engine.draws.formats.swiss import SWISS
from engine.draws.rounds import to_be_drawn
from engine.draws.values import Certificate, Draw, DrawInput, DrawnTable, EntryId, LockedTable
from rules import Refusal

from .certificates import is_proved
from .costs import draw_by_price, positions, price_of, prices_of
from .criteria import PairingSettings, pairing_settings_of
from .pairing import cheapest_pairing

PRICED: Mapping[str, PairingSettings] = {"swiss": SWISS, "random": BY_LOT}
"""The formats drawn by price, and what they usually want."""

Pairs = list[tuple[EntryId, EntryId | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawComparison:
    """A draw made by hand beside the optimum: what both cost, and the tables that only one of them has."""

    levels: Mapping[str, int]
    optimum: Mapping[str, int]
    only_by_hand: tuple[DrawnTable, ...]
    only_in_optimum: tuple[DrawnTable, ...]

    @property
    def difference(self) -> Mapping[str, int]:
        """How much dearer the draw made by hand is; all 0: as good."""
        return _difference(self.optimum, self.levels)


def price_of_swap(
    draw_input: DrawInput, format_key: str, drawn: Draw, one: EntryId, other: EntryId
) -> Mapping[str, int]:
    """How much dearer the round gets if these two trade places, be it at tables or with a bye.

    Refuses: not_priced, no_such_entrant, not_drawn (absent, at a locked table, or sitting out by own wish).
    """
    settings = _settings(draw_input, format_key)
    _check_drawn(draw_input, [("one", one), ("other", other)])
    pairs = _pairs(draw_input, drawn.tables)
    traded: dict[EntryId | None, EntryId] = {one: other, other: one}
    after = [
        (traded.get(entry, entry), opponent if opponent is None else traded.get(opponent, opponent))
        for entry, opponent in pairs
    ]
    return _difference(price_of(draw_input, settings, pairs), price_of(draw_input, settings, after))


def compare_draw(draw_input: DrawInput, format_key: str, tables: Iterable[DrawnTable]) -> DrawComparison:
    """The draw of these tables beside the optimum, as ``price_of_tables`` counts them. Locked tables are part
    of both. Refuses: what ``price_of_tables`` refuses."""
    tables = _free_tables(draw_input, tables)
    levels = price_of_tables(draw_input, format_key, tables)
    best = draw_by_price(format_key, draw_input, _settings(draw_input, format_key))
    by_hand = {*map(_meeting, tables), *map(_meeting, draw_input.locked)}
    optimal = set(map(_meeting, best.tables))
    return DrawComparison(
        levels=levels,
        optimum=best.price,
        only_by_hand=tuple(table for table in tables if _meeting(table) not in optimal),
        only_in_optimum=tuple(table for table in best.tables if _meeting(table) not in by_hand),
    )


def price_of_tables(
    draw_input: DrawInput, format_key: str, tables: Iterable[DrawnTable]
) -> Mapping[str, int]:
    """What the draw of these tables costs; whoever is to be drawn and at none of them has a bye. Locked
    tables cost nothing.

    Refuses: not_priced, not_one_a_side, no_such_entrant, not_drawn, drawn_twice.
    """
    settings = _settings(draw_input, format_key)
    tables = _free_tables(draw_input, tables)
    _check_drawn(draw_input, [("tables", entry) for table in tables for entry in (*table.a, *table.b)])
    return price_of(draw_input, settings, _pairs(draw_input, tables))


def why_not(draw_input: DrawInput, format_key: str, one: EntryId, other: EntryId | None) -> Mapping[str, int]:
    """How much dearer the cheapest round is in which these two meet, or in which ``one`` has the bye.

    Refuses: not_priced, no_such_entrant, not_drawn, no_bye (an even field has none to give), drawn_twice.
    """
    settings = _settings(draw_input, format_key)
    _check_drawn(draw_input, [("one", one), *([] if other is None else [("other", other)])])
    prices = prices_of(draw_input, settings)
    if other is None and not prices.field.is_odd:
        raise Refusal("no_bye", field="other")
    if other == one:
        raise Refusal("drawn_twice", field="other", entry=one)
    wished = cheapest_pairing(prices, forced=positions(prices.field, (one, other)))
    return _difference(cheapest_pairing(prices).levels, wished.levels)


def is_optimal(
    draw_input: DrawInput, format_key: str, tables: Iterable[DrawnTable], certificate: Certificate
) -> bool:
    """Whether the certificate proves that no draw of this field costs less than these tables, and a bye for
    who is at none. Refuses: what ``price_of_tables`` refuses."""
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
    """Those to be drawn as these tables have them; who is at none has a bye."""
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
    """Those of them that are not locked."""
    locked = set(map(_meeting, draw_input.locked))
    return tuple(table for table in tables if _meeting(table) not in locked)


def _meeting(table: DrawnTable | LockedTable) -> frozenset[frozenset[EntryId]]:
    return frozenset((frozenset(table.a), frozenset(table.b)))


def _difference(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    return {key: after[key] - before[key] for key in before}
