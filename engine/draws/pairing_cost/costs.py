"""A round drawn by price: the field, its cheapest pairing, tables, sides and reasons.

Formats that draw each round from the results so far (Swiss, by lot) are this with other settings. A draw made
by hand has a price too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from engine.draws.bonds import get_club
from engine.draws.history import build_history
from engine.draws.rounds import UnnumberedTable, build_draw, list_drawable_entrants
from engine.draws.seating import choose_sides
from engine.draws.values import Draw, DrawInput, DrawnBye, EntryId

from .acceleration import add_head_start, is_accelerated, mark_accelerated_reasons
from .criteria import PairingSettings
from .fields import PairingField, build_pairing_field
from .pairing import CheapestPairing, Pair, Prices, find_cheapest_pairing
from .reasons import build_bye, list_table_reasons
from .targets import RANDOM_TARGET


def draw_by_price(format_key: str, draw_input: DrawInput, settings: PairingSettings) -> Draw:
    """Draw the round of least price. Locked tables stay as they are; requested byes are given."""
    pairing = find_cheapest_pairing(build_prices(draw_input, settings))
    tables, byes = _build_tables(pairing, draw_input), _build_byes(pairing)
    if is_accelerated(draw_input, settings.accelerated_rounds):
        tables = [replace(table, reasons=mark_accelerated_reasons(table.reasons)) for table in tables]
        byes = [replace(bye, reasons=mark_accelerated_reasons(bye.reasons)) for bye in byes]
    return build_draw(
        format_key,
        draw_input,
        (tables, byes),
        price=pairing.levels,
        certificate=pairing.certificate,
    )


def build_prices(draw_input: DrawInput, settings: PairingSettings) -> Prices:
    """Return the prices of all pairs of the field to be drawn."""
    if settings.accelerated_rounds:
        draw_input = add_head_start(draw_input, settings.accelerated_rounds)
    chance = Random(draw_input.seed)  # noqa: S311 - anybody may draw this again: no secret
    entrants = list_drawable_entrants(draw_input)
    if settings.target == RANDOM_TARGET:
        entrants = sorted(entrants, key=lambda _: chance.random())
    if "scores" not in settings.criteria:
        entrants = [replace(entrant, score=0) for entrant in entrants]
    history = build_history(draw_input, forfeits_count=settings.forfeits_count)
    clubs = {entrant.id: get_club(entrant) for entrant in draw_input.entrants}
    return Prices(build_pairing_field(entrants, history, played_round=draw_input.round, clubs=clubs), settings)


def compute_price(
    draw_input: DrawInput, settings: PairingSettings, pairs: Sequence[tuple[EntryId, EntryId | None]]
) -> Mapping[str, int]:
    """Return the cost of these pairs by each criterion; None is the bye."""
    prices = build_prices(draw_input, settings)
    return prices.compute_levels([get_positions(prices.field, pair) for pair in pairs])


def get_positions(field: PairingField, pair: tuple[EntryId, EntryId | None]) -> Pair:
    """Return the positions of these two in the field, the higher first; None is the bye."""
    first, second = sorted(field.bye_position if entry is None else field.places_by_entry[entry] for entry in pair)
    return first, second


def _build_tables(pairing: CheapestPairing, draw_input: DrawInput) -> list[UnnumberedTable]:
    field = pairing.prices.field
    chance = Random(f"{draw_input.seed}/sides")  # noqa: S311
    tables = []
    for higher, lower in pairing.pairs:
        if lower != field.bye_position:
            a, b = choose_sides(field.entrants[higher], field.entrants[lower], history=field.history, chance=chance)
            tables.append(UnnumberedTable(a=a, b=b, reasons=list_table_reasons(pairing, (higher, lower))))
    return tables


def _build_byes(pairing: CheapestPairing) -> list[DrawnBye]:
    field = pairing.prices.field
    return [build_bye(pairing, place) for place, other in pairing.pairs if other == field.bye_position]
