"""A round drawn by price: who takes part, the cheapest pairing of them, tables, sides and reasons.

The formats that draw each round anew (Swiss, by lot) are this with other settings. A draw made by hand has a
price too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from tournaments.draws.history import History
from tournaments.draws.seating import seated, table_numbers
from tournaments.draws.values import (
    Draw,
    DrawInput,
    DrawnBye,
    DrawnTable,
    Entrant,
    EntryId,
    Reason,
    ReasonCode,
)

from .criteria import PairingSettings
from .fields import Field, field_of
from .pairing import Pair, Pairing, Prices, cheapest_pairing
from .reasons import bye_reasons, table_reasons


def draw_by_price(format_key: str, draw_input: DrawInput, settings: PairingSettings) -> Draw:
    """The round of least price. Locked tables stay as they are; who asked for a bye has it."""
    prices = prices_of(draw_input, settings)
    pairing = cheapest_pairing(prices)
    return Draw(
        format=format_key,
        round=draw_input.round,
        seed=draw_input.seed,
        settings=draw_input.settings,
        tables=(*_locked(draw_input), *_tables(pairing, draw_input, settings)),
        byes=(*_byes_asked(draw_input), *_byes(pairing)),
        price=pairing.levels,
        certificate=pairing.certificate,
    )


def prices_of(draw_input: DrawInput, settings: PairingSettings) -> Prices:
    """What every pair of the field to be drawn costs."""
    chance = Random(draw_input.seed)  # noqa: S311 - anybody may draw this again: no secret
    entrants = to_be_drawn(draw_input)
    if settings.target == "lot":
        entrants = sorted(entrants, key=lambda _: chance.random())
    if "scores" not in settings.criteria:
        entrants = [replace(entrant, score=0) for entrant in entrants]
    history = History(draw_input.history, forfeits_count=settings.forfeits_count)
    return Prices(field_of(entrants, history, played_round=draw_input.round), settings)


def to_be_drawn(draw_input: DrawInput) -> list[Entrant]:
    """Who is present, has not asked for a bye, and does not sit at a locked table; best first."""
    locked = {entry for table in draw_input.locked for entry in (*table.a, *table.b)}
    return [
        entrant
        for entrant in draw_input.entrants
        if entrant.is_present(draw_input.round)
        and entrant.id not in locked
        and draw_input.round not in entrant.byes_asked
    ]


def price_of(
    draw_input: DrawInput, settings: PairingSettings, pairs: Sequence[tuple[EntryId, EntryId | None]]
) -> Mapping[str, int]:
    """What these pairs of those to be drawn would cost by each criterion; None is the bye."""
    prices = prices_of(draw_input, settings)
    return prices.levels([positions(prices.field, pair) for pair in pairs])


def positions(field: Field, pair: tuple[EntryId, EntryId | None]) -> Pair:
    """Where these two stand in the field, the higher first; None is the bye."""
    first, second = sorted(field.nobody if entry is None else field.ids.index(entry) for entry in pair)
    return first, second


def _tables(pairing: Pairing, draw_input: DrawInput, settings: PairingSettings) -> list[DrawnTable]:
    prices, field = pairing.prices, pairing.prices.field
    chance = Random(f"{draw_input.seed}/sides")  # noqa: S311
    pairs = [pair for pair in pairing.pairs if pair[1] != field.nobody]
    entrants = [(field.entrants[higher], field.entrants[lower]) for higher, lower in pairs]
    numbers = table_numbers(entrants, locked=draw_input.locked, sections=settings.section_tables)
    tables = []
    for pair, both, number in zip(pairs, entrants, numbers, strict=True):
        a, b = seated(*both, history=field.history, chance=chance)
        tables.append(DrawnTable(number=number, a=a, b=b, reasons=table_reasons(prices, pair)))
    return sorted(tables, key=lambda table: table.number)


def _byes(pairing: Pairing) -> list[DrawnBye]:
    field = pairing.prices.field
    return [
        DrawnBye(entry=field.ids[place], reasons=bye_reasons(pairing.prices, place))
        for place, other in pairing.pairs
        if other == field.nobody
    ]


def _locked(draw_input: DrawInput) -> list[DrawnTable]:
    reason = (Reason(code=ReasonCode.LOCKED),)
    return [
        DrawnTable(number=table.number, a=table.a, b=table.b, reasons=reason) for table in draw_input.locked
    ]


def _byes_asked(draw_input: DrawInput) -> list[DrawnBye]:
    locked = {entry for table in draw_input.locked for entry in (*table.a, *table.b)}
    return [
        DrawnBye(entry=entrant.id, reasons=(Reason(code=ReasonCode.BYE_ASKED),))
        for entrant in draw_input.entrants
        if entrant.is_present(draw_input.round)
        and draw_input.round in entrant.byes_asked
        and entrant.id not in locked
    ]
