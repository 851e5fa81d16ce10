"""A round drawn by price: the field, its cheapest pairing, tables, sides and reasons.

The formats that draw each round anew (Swiss, by lot) are this with other settings. A draw made by hand has a
price too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from engine.draws.bonds import club_of
from engine.draws.history import meeting_history
from engine.draws.rounds import UnnumberedTable, drawn_as_planned, to_be_drawn
from engine.draws.seating import choose_sides
from engine.draws.values import Draw, DrawInput, DrawnBye, EntryId

from .acceleration import is_accelerated, told_with_head_start, with_head_start
from .criteria import PairingSettings
from .fields import PairingField, pairing_field
from .pairing import CheapestPairing, Pair, Prices, cheapest_pairing
from .reasons import bye_of, table_reasons
from .targets import BY_LOT


def draw_by_price(format_key: str, draw_input: DrawInput, settings: PairingSettings) -> Draw:
    """Draw the round of least price. Locked tables stay as they are; requested byes are given."""
    pairing = cheapest_pairing(prices_of(draw_input, settings))
    tables, byes = _tables(pairing, draw_input), _byes(pairing)
    if is_accelerated(draw_input, settings.accelerated_rounds):
        tables = [replace(table, reasons=told_with_head_start(table.reasons)) for table in tables]
        byes = [replace(bye, reasons=told_with_head_start(bye.reasons)) for bye in byes]
    return drawn_as_planned(
        format_key,
        draw_input,
        (tables, byes),
        price=pairing.levels,
        certificate=pairing.certificate,
    )


def prices_of(draw_input: DrawInput, settings: PairingSettings) -> Prices:
    """Return the prices of all pairs of the field to be drawn."""
    if settings.accelerated_rounds:
        draw_input = with_head_start(draw_input, settings.accelerated_rounds)
    chance = Random(draw_input.seed)  # noqa: S311 - anybody may draw this again: no secret
    entrants = to_be_drawn(draw_input)
    if settings.target == BY_LOT:
        entrants = sorted(entrants, key=lambda _: chance.random())
    if "scores" not in settings.criteria:
        entrants = [replace(entrant, score=0) for entrant in entrants]
    history = meeting_history(draw_input, forfeits_count=settings.forfeits_count)
    clubs = {entrant.id: club_of(entrant) for entrant in draw_input.entrants}
    return Prices(pairing_field(entrants, history, played_round=draw_input.round, clubs=clubs), settings)


def price_of(
    draw_input: DrawInput, settings: PairingSettings, pairs: Sequence[tuple[EntryId, EntryId | None]]
) -> Mapping[str, int]:
    """Return the cost of these pairs by each criterion; None is the bye."""
    prices = prices_of(draw_input, settings)
    return prices.levels([positions(prices.field, pair) for pair in pairs])


def positions(field: PairingField, pair: tuple[EntryId, EntryId | None]) -> Pair:
    """Return the positions of these two in the field, the higher first; None is the bye."""
    first, second = sorted(field.nobody if entry is None else field.place_of[entry] for entry in pair)
    return first, second


def _tables(pairing: CheapestPairing, draw_input: DrawInput) -> list[UnnumberedTable]:
    field = pairing.prices.field
    chance = Random(f"{draw_input.seed}/sides")  # noqa: S311
    tables = []
    for higher, lower in pairing.pairs:
        if lower != field.nobody:
            a, b = choose_sides(
                field.entrants[higher], field.entrants[lower], history=field.history, chance=chance
            )
            tables.append(UnnumberedTable(a=a, b=b, reasons=table_reasons(pairing, (higher, lower))))
    return tables


def _byes(pairing: CheapestPairing) -> list[DrawnBye]:
    field = pairing.prices.field
    return [bye_of(pairing, place) for place, other in pairing.pairs if other == field.nobody]
