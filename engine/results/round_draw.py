"""The input of a draw, the draw itself, and its price."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from engine.draws import (
    FORMATS,
    Draw,
    DrawInput,
    DrawnTable,
    Entrant,
    EntryId,
    PlayedPairing,
    ReasonCode,
)
from engine.draws.lineups import Lineup
from engine.draws.pairing_cost.comparison import PRICED, price_of_tables, prices_of_meeting, telling_levels
from engine.draws.rounds import to_be_drawn
from engine.draws.stages import (
    POOLS,
    StagePlan,
    StageRound,
    draw_stage,
    fields_of,
    inputs_ahead,
    inputs_of_round,
    next_slots,
)
from engine.ranking import lot, rank_field

from .played_rounds import played_of, stage_standings
from .ranking_field import counted_field
from .values import SCHEDULED, EventRules, EventSnapshot, tells_how_far

FIRST_BY_LOT = frozenset({"swiss_individual", "by_rank"})
"""Formats whose first round would otherwise depend on the order in which entries were typed."""


def draw_input_of(
    known: EventSnapshot, *, seed: int, before: int | None = None, order: Iterable[EntryId] | None = None
) -> DrawInput:
    """Return all input of a draw of the next round, or of round ``before`` as it would be drawn today; in the
    order of the standings, or in another ``order``."""
    played = played_of(known, before=before)
    entrants = {entrant.id: entrant for entrant in played.entrants}
    return replace(
        played,
        entrants=tuple(entrants[entry] for entry in order or best_first(known, played, seed=seed)),
        locked=known.held,
        section_tables=known.basis.section_tables,
        table_count=known.basis.table_count,
        seed=seed,
        version=known.basis.version,
    )


def best_first(known: EventSnapshot, played: DrawInput, *, seed: int) -> list[EntryId]:
    """Return the entries best first, equal ranks by the event's lot, unless the starting list goes by
    strength: the order of typing gives no advantage. A first round of some formats goes by the lot of the
    draw. House players, who have no rank, come last."""
    house = [entrant.id for entrant in known.entrants if entrant.is_house]
    return [*_ranked_first(known, played, seed=seed), *house]


def _ranked_first(known: EventSnapshot, played: DrawInput, *, seed: int) -> list[EntryId]:
    basis, rows = known.basis, rank_field(counted_field(known))
    if basis.is_seeded:
        return [row.entry for row in rows]
    of_draw = not played.history and basis.plan[0].format in FIRST_BY_LOT
    lots = _lots(played.entrants, seed if of_draw else basis.lot)
    return [row.entry for row in sorted(rows, key=lambda row: (row.rank, -lots[row.entry]))]


def draw_by(known: EventSnapshot, draw: DrawInput) -> Draw:
    """Draw the round of this input by the stages; without tables, once everything is played."""
    standings = stage_standings(known.basis.plan, draw, known.orders)
    return draw_stage(_plan_of(known.basis, draw), draw, standings)


def slots_ahead(known: EventSnapshot) -> frozenset[str]:
    """Return the slots of the next round's tables and bracket walkovers, without drawing it. A slot without a
    name if all who would play requested byes; none once everything is played."""
    draw = draw_input_of(known, seed=0)
    plan, standings = _plan_of(known.basis, draw), stage_standings(known.basis.plan, draw, known.orders)
    if slots := next_slots(plan, draw, standings):
        return slots
    fields = (own for _, own in inputs_ahead(plan, draw, standings))
    asked = (
        own.round in one.byes_asked and one.is_present(own.round) for own in fields for one in own.entrants
    )
    return frozenset({""} if any(asked) else ())


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound:
    """The next round as it would be drawn now. ``entries`` may be at its tables; ``is_bracket`` if part of it
    is one; ``begins`` if a later stage begins with it. So many entries are ``left_over`` without a table, not
    counting requested byes and brackets; with ``in_pools``, they have no opponent in their pool."""

    entries: frozenset[EntryId]
    is_bracket: bool = False
    begins: bool = False
    left_over: int = 0
    in_pools: bool = False


def next_round_of(known: EventSnapshot) -> NextRound:
    """Return the next round as it would be now, without drawing it: the entries present for it, in a stage
    that has it, and not out of a bracket."""
    plan, draw = known.basis.plan, played_of(known)
    if not tells_how_far(plan):
        present = (entrant.id for entrant in draw.entrants if entrant.is_present(draw.round))
        inputs = inputs_ahead(plan, draw)
        return NextRound(
            entries=frozenset(present), left_over=_left_over(plan, inputs), in_pools=plan[0].format == POOLS
        )
    draw = draw_input_of(known, seed=known.basis.lot)
    inputs = inputs_ahead(plan, draw, stage_standings(plan, draw, known.orders))
    return NextRound(
        entries=frozenset(entry for here, own in inputs for entry in _still_in(plan[here.stage].format, own)),
        is_bracket=any(FORMATS[plan[here.stage].format].is_bracket for here, _ in inputs),
        begins=any(here.stage and here.round == 1 for here, _ in inputs),
        left_over=_left_over(plan, inputs),
        in_pools=any(plan[here.stage].format == POOLS for here, _ in inputs),
    )


def _left_over(plan: StagePlan, inputs: Iterable[tuple[StageRound, DrawInput]]) -> int:
    return sum(_left_over_by(plan[here.stage].format, own) for here, own in inputs)


def _left_over_by(format_key: str, own: DrawInput) -> int:
    known = FORMATS[format_key]
    if known.is_bracket or known.leaves_out:
        return 0
    if format_key not in SCHEDULED:
        return len(to_be_drawn(own)) % known.fewest(own.settings)
    drawn = known.draw(own)
    asked = (any(reason.code is ReasonCode.BYE_ASKED for reason in bye.reasons) for bye in drawn.byes)
    return sum(not each for each in asked) if drawn.tables else 0


def _still_in(format_key: str, own: DrawInput) -> Iterator[EntryId]:
    """Yield the entries without a final place, or first. A late entry, or one that is out without a place, is
    in no bracket."""
    known = FORMATS[format_key]
    places = known.places(own)
    for entrant in own.entrants:
        is_out = known.is_bracket and entrant.id not in places.best
        if entrant.is_present(own.round) and not is_out and places.final.get(entrant.id, 1) == 1:
            yield entrant.id


@dataclass(frozen=True, slots=True)
class ComparedPrices:
    """The prices of two draws of a round by each criterion that matters to a director."""

    now: Mapping[str, int]
    then: Mapping[str, int]


def inputs_by_format(known: EventSnapshot, draw: DrawInput, lineup: Lineup) -> list[tuple[str, DrawInput]]:
    """Return the formats that drew this line-up, each with the draw as its stage or section sees it."""
    return [(key, field) for key, own in _stage_inputs(known, draw, lineup) for field in _fields(key, own)]


def _fields(format_key: str, own: DrawInput) -> tuple[DrawInput, ...]:
    return fields_of(FORMATS[format_key], own)


def _stage_inputs(known: EventSnapshot, draw: DrawInput, lineup: Lineup) -> list[tuple[str, DrawInput]]:
    """Return the formats that drew this line-up, each with the draw as its stage sees it."""
    drafted = tuple(
        PlayedPairing(round=draw.round, a=table.a, b=table.b, slot=table.slot) for table in lineup.tables
    )
    so_far = replace(draw, history=(*draw.history, *drafted))
    plan = _plan_of(known.basis, draw)
    standings = stage_standings(known.basis.plan, draw, known.orders)
    return [
        (
            plan[here.stage].format,
            replace(own, history=tuple(table for table in own.history if table.round < own.round)),
        )
        for here, own in inputs_of_round(plan, so_far, standings)
    ]


def price_by_hand(
    known: EventSnapshot, lineup: Lineup, *, number: int, seed: int, order: Iterable[EntryId] | None = None
) -> dict[str, int]:
    """Return the price of a line-up of a round by each criterion; empty if it has none."""
    draw_input = draw_input_of(known, seed=seed, before=number, order=order)
    return dict(price_of_lineup(known, draw_input, lineup) or {})


def price_of_lineup(known: EventSnapshot, draw: DrawInput, lineup: Lineup) -> Mapping[str, int] | None:
    """Return the price of a line-up by each criterion. None if its format is not drawn by price, if there are
    several, or if somebody at a table cannot be drawn, for example as they have left since."""
    priced = _priced_fields(known, draw, lineup)
    return None if priced is None else _price_of_fields(*priced, lineup)


def compare_lineups(
    known: EventSnapshot, draw: DrawInput, now: Lineup, then: Lineup
) -> ComparedPrices | None:
    """Return the prices of two line-ups of a round; None if one of them has no price."""
    priced = _priced_fields(known, draw, now, then)
    if priced is None:
        return None
    key, fields = priced
    prices = (_price_of_fields(key, fields, each) for each in (now, then))
    return ComparedPrices(*(telling_levels(fields[0], key, each) for each in prices))


def compare_meeting(
    known: EventSnapshot, draw: DrawInput, lineup: Lineup, one: EntryId, other: EntryId
) -> ComparedPrices | None:
    """Return the prices of the cheapest round, and of the cheapest in which these two meet; None if no draw
    by price could have had them at one table, for example as one of them sat at a locked table.

    Refuses: drawn_twice.
    """
    for key, own in inputs_by_format(known, draw, lineup):
        if key in PRICED and {one, other} <= {entrant.id for entrant in to_be_drawn(own)}:
            return ComparedPrices(
                *(telling_levels(own, key, each) for each in prices_of_meeting(own, key, one, other))
            )
    return None


def _price_of_fields(key: str, fields: Iterable[DrawInput], lineup: Lineup) -> Mapping[str, int]:
    """Return the price of a line-up by each criterion, all sections together."""
    total: Counter[str] = Counter()
    for field in fields:
        total.update(price_of_tables(field, key, tables_of(field, lineup.tables)))
    return dict(total)


def tables_of(field: DrawInput, tables: Iterable[DrawnTable]) -> list[DrawnTable]:
    """Return the tables with an entry of this field."""
    members = {entrant.id for entrant in field.entrants}
    return [table for table in tables if not members.isdisjoint((*table.a, *table.b))]


def _priced_fields(
    known: EventSnapshot, draw: DrawInput, *lineups: Lineup
) -> tuple[str, tuple[DrawInput, ...]] | None:
    """Return the format that drew these line-ups of a round, and the draw as each of its sections sees it; as
    its whole stage sees it, if a table is of two sections. None if ``price_of_lineup`` has no price for one
    of them."""
    inputs = _stage_inputs(known, draw, lineups[0])
    if len(inputs) != 1 or inputs[0][0] not in PRICED:
        return None
    ((key, own),) = inputs
    fields = _fields(key, own)
    to_be_seated = own.at_locked_tables.union(
        entrant.id for field in fields for entrant in to_be_drawn(field)
    )
    tables = [table for lineup in lineups for table in lineup.tables]
    if not all(to_be_seated.issuperset((*table.a, *table.b)) for table in tables):
        return None
    is_across = sum(len(tables_of(field, tables)) for field in fields) > len(tables)
    return key, (own,) if is_across else fields


def _lots(entrants: Iterable[Entrant], seed: int) -> dict[EntryId, int]:
    return {entrant.id: lot(seed, entrant.number) for entrant in entrants}


def _plan_of(basis: EventRules, draw: DrawInput) -> StagePlan:
    """Return the stages of the event as this round is drawn by them. If only the order of typing
    distinguishes the entries of a first round, a Swiss stage begins by lot, and no half of the list has a
    head start."""
    plan = basis.plan
    if basis.is_seeded or plan[0].format != "swiss":
        return plan
    settings = {name: value for name, value in plan[0].settings.items() if name != "accelerated_rounds"}
    if not draw.history:
        settings["target"] = "lot"
    return (replace(plan[0], settings=settings), *plan[1:])
