"""The input of a draw, the draw itself, and its price."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from engine.draws import FORMATS, Draw, DrawInput, DrawnTable, Entrant, EntryId, PlayedPairing, ReasonCode
from engine.draws.lineups import Lineup
from engine.draws.pairing_cost.comparison import PRICED_FORMATS, filter_relevant_levels, price_meeting, price_tables
from engine.draws.rounds import list_drawable_entrants
from engine.draws.stages import (
    POOLS,
    StagePlan,
    StageRound,
    build_next_inputs,
    build_round_inputs,
    build_section_fields,
    draw_stage,
    list_next_slots,
)
from engine.ranking import Row, draw_lot, rank_field

from .played_rounds import build_played_input, list_stage_standings
from .ranking_field import build_counted_field, rank_sections
from .values import SCHEDULED_FORMATS, EventRules, EventSnapshot, has_stage_progress

LOT_FIRST_ROUND_FORMATS = frozenset({"swiss_individual", "by_rank"})
"""Formats whose first round would otherwise depend on the order in which entries were typed."""


def build_draw_input(
    snapshot: EventSnapshot, *, seed: int, round_number: int | None = None, order: Iterable[EntryId] | None = None
) -> DrawInput:
    """Return all input of a draw of the next round, or of ``round_number`` as it would be drawn today.

    Entrants are in the order of the standings, or in another ``order``.
    """
    played_input = build_played_input(snapshot, round_number=round_number)
    entrants = {entrant.id: entrant for entrant in played_input.entrants}
    phase_tables = snapshot.basis.list_phase_tables(played_input.round)
    return replace(
        played_input,
        entrants=tuple(entrants[entry] for entry in order or order_entries(snapshot, played_input, seed=seed)),
        locked=snapshot.locked_tables,
        section_tables={} if phase_tables else snapshot.basis.section_tables,
        phase_tables=phase_tables,
        table_count=snapshot.basis.table_count,
        seed=seed,
        version=snapshot.basis.version,
    )


def order_entries(snapshot: EventSnapshot, played_input: DrawInput, *, seed: int) -> list[EntryId]:
    """Return the entries best first, equal ranks by the event's lot, unless the starting list goes by
    strength: the order of typing gives no advantage. A first round of some formats goes by the lot of the
    draw. The members of a section with metrics of its own have their places among all by these. House
    players, who have no rank, come last."""
    house_players = [entrant.id for entrant in snapshot.entrants if entrant.is_house]
    return [*_order_ranked_entries(snapshot, played_input, seed=seed), *house_players]


def _order_ranked_entries(snapshot: EventSnapshot, played_input: DrawInput, *, seed: int) -> list[EntryId]:
    basis, field = snapshot.basis, build_counted_field(snapshot)
    is_draw_lot = not played_input.history and basis.plan[0].format in LOT_FIRST_ROUND_FORMATS
    lots = {} if basis.is_seeded else _draw_lots(played_input.entrants, seed if is_draw_lot else basis.lot)

    def list_entries(rows: Iterable[Row]) -> list[EntryId]:
        return [row.entry for row in sorted(rows, key=lambda row: (row.rank, -lots.get(row.entry, 0)))]

    order = list_entries(rank_field(field))
    for rows in rank_sections(snapshot, field).values():
        members = iter(list_entries(rows))
        section = {row.entry for row in rows}
        order = [next(members) if entry in section else entry for entry in order]
    return order


def draw_next_round(snapshot: EventSnapshot, draw: DrawInput) -> Draw:
    """Draw the round of this input by the stages; without tables, once everything is played."""
    standings = list_stage_standings(snapshot.basis.plan, draw, snapshot.orders)
    return draw_stage(_get_plan(snapshot.basis, draw), draw, standings)


def list_upcoming_slots(snapshot: EventSnapshot) -> frozenset[str]:
    """Return the slots of the next round's tables and bracket walkovers, without drawing it. A slot without a
    name if all who would play requested byes; none once everything is played."""
    draw = build_draw_input(snapshot, seed=0)
    plan, standings = _get_plan(snapshot.basis, draw), list_stage_standings(snapshot.basis.plan, draw, snapshot.orders)
    if slots := list_next_slots(plan, draw, standings):
        return slots
    fields = (stage_input for _, stage_input in build_next_inputs(plan, draw, standings))
    requested = (
        stage_input.round in one.requested_byes and one.is_present(stage_input.round)
        for stage_input in fields
        for one in stage_input.entrants
    )
    return frozenset({""} if any(requested) else ())


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound:
    """The next round as it would be drawn now.

    ``entries`` may be at its tables. ``is_bracket`` says whether part of it is a bracket, ``begins`` whether a
    later stage begins with it. ``unseated_count`` is the number of entries without a table, not counting requested
    byes and brackets; with ``is_in_pools``, they have no opponent in their pool.
    """

    entries: frozenset[EntryId]
    is_bracket: bool = False
    begins: bool = False
    unseated_count: int = 0
    is_in_pools: bool = False


def get_next_round(snapshot: EventSnapshot) -> NextRound:
    """Return the next round as it would be now, without drawing it: the entries present for it, in a stage
    that has it, and not out of a bracket."""
    plan, draw = snapshot.basis.plan, build_played_input(snapshot)
    if not has_stage_progress(plan):
        present = (entrant.id for entrant in draw.entrants if entrant.is_present(draw.round))
        inputs = build_next_inputs(plan, draw)
        return NextRound(
            entries=frozenset(present),
            unseated_count=_count_unseated(plan, inputs),
            is_in_pools=plan[0].format == POOLS,
        )
    draw = build_draw_input(snapshot, seed=snapshot.basis.lot)
    inputs = build_next_inputs(plan, draw, list_stage_standings(plan, draw, snapshot.orders))
    return NextRound(
        entries=frozenset(
            entry
            for stage_round, stage_input in inputs
            for entry in _iterate_remaining(plan[stage_round.stage].format, stage_input)
        ),
        is_bracket=any(FORMATS[plan[stage_round.stage].format].is_bracket for stage_round, _ in inputs),
        begins=any(stage_round.stage and stage_round.round == 1 for stage_round, _ in inputs),
        unseated_count=_count_unseated(plan, inputs),
        is_in_pools=any(plan[stage_round.stage].format == POOLS for stage_round, _ in inputs),
    )


def _count_unseated(plan: StagePlan, inputs: Iterable[tuple[StageRound, DrawInput]]) -> int:
    return sum(
        _count_stage_unseated(plan[stage_round.stage].format, stage_input) for stage_round, stage_input in inputs
    )


def _count_stage_unseated(format_key: str, stage_input: DrawInput) -> int:
    draw_format = FORMATS[format_key]
    if draw_format.is_bracket or draw_format.can_leave_out:
        return 0
    if format_key not in SCHEDULED_FORMATS:
        return len(list_drawable_entrants(stage_input)) % draw_format.min_entrants(stage_input.settings)
    draw = draw_format.draw(stage_input)
    requested = (any(reason.code is ReasonCode.BYE_REQUESTED for reason in bye.reasons) for bye in draw.byes)
    return sum(not each for each in requested) if draw.tables else 0


def _iterate_remaining(format_key: str, stage_input: DrawInput) -> Iterator[EntryId]:
    """Yield the entries without a final place, or first. A late entry, or one that is out without a place, is
    in no bracket."""
    draw_format = FORMATS[format_key]
    places = draw_format.places(stage_input)
    for entrant in stage_input.entrants:
        is_out = draw_format.is_bracket and entrant.id not in places.best
        if entrant.is_present(stage_input.round) and not is_out and places.final.get(entrant.id, 1) == 1:
            yield entrant.id


@dataclass(frozen=True, slots=True)
class ComparedPrices:
    """The prices of two draws of a round by each criterion that matters to a director."""

    current: Mapping[str, int]
    previous: Mapping[str, int]


def list_inputs_by_format(snapshot: EventSnapshot, draw: DrawInput, lineup: Lineup) -> list[tuple[str, DrawInput]]:
    """Return the formats that drew this line-up, each with the draw as its stage or section sees it."""
    return [
        (key, field)
        for key, stage_input in _list_stage_inputs(snapshot, draw, lineup)
        for field in _list_fields(key, stage_input)
    ]


def _list_fields(format_key: str, stage_input: DrawInput) -> tuple[DrawInput, ...]:
    return build_section_fields(FORMATS[format_key], stage_input)


def _list_stage_inputs(snapshot: EventSnapshot, draw: DrawInput, lineup: Lineup) -> list[tuple[str, DrawInput]]:
    """Return the formats that drew this line-up, each with the draw as its stage sees it."""
    draft_tables = tuple(
        PlayedPairing(round=draw.round, a=table.a, b=table.b, slot=table.slot) for table in lineup.tables
    )
    current_input = replace(draw, history=(*draw.history, *draft_tables))
    plan = _get_plan(snapshot.basis, draw)
    standings = list_stage_standings(snapshot.basis.plan, draw, snapshot.orders)
    return [
        (
            plan[stage_round.stage].format,
            replace(
                stage_input, history=tuple(table for table in stage_input.history if table.round < stage_input.round)
            ),
        )
        for stage_round, stage_input in build_round_inputs(plan, current_input, standings)
    ]


def compute_manual_price(
    snapshot: EventSnapshot, lineup: Lineup, *, number: int, seed: int, order: Iterable[EntryId] | None = None
) -> dict[str, int]:
    """Return the price of a line-up of a round by each criterion; empty if it has none."""
    draw_input = build_draw_input(snapshot, seed=seed, round_number=number, order=order)
    return dict(compute_lineup_price(snapshot, draw_input, lineup) or {})


def compute_lineup_price(snapshot: EventSnapshot, draw: DrawInput, lineup: Lineup) -> Mapping[str, int] | None:
    """Return the price of a line-up by each criterion. None if its format is not drawn by price, if there are
    several, or if somebody at a table cannot be drawn, for example as they have left since."""
    priced = _get_priced_fields(snapshot, draw, lineup)
    return None if priced is None else _sum_field_prices(*priced, lineup)


def compare_lineups(
    snapshot: EventSnapshot, draw: DrawInput, current: Lineup, previous: Lineup
) -> ComparedPrices | None:
    """Return the prices of two line-ups of a round; None if one of them has no price."""
    priced = _get_priced_fields(snapshot, draw, current, previous)
    if priced is None:
        return None
    key, fields = priced
    prices = (_sum_field_prices(key, fields, each) for each in (current, previous))
    return ComparedPrices(*(filter_relevant_levels(fields[0], key, each) for each in prices))


def compare_meeting(
    snapshot: EventSnapshot, draw: DrawInput, lineup: Lineup, one: EntryId, other: EntryId
) -> ComparedPrices | None:
    """Return the prices of the cheapest round, and of the cheapest in which these two meet; None if no draw
    by price could have had them at one table, for example as one of them sat at a locked table.

    Refuses: drawn_twice.
    """
    for key, stage_input in list_inputs_by_format(snapshot, draw, lineup):
        if key in PRICED_FORMATS and {one, other} <= {entrant.id for entrant in list_drawable_entrants(stage_input)}:
            return ComparedPrices(
                *(
                    filter_relevant_levels(stage_input, key, each)
                    for each in price_meeting(stage_input, key, one, other)
                )
            )
    return None


def _sum_field_prices(key: str, fields: Iterable[DrawInput], lineup: Lineup) -> Mapping[str, int]:
    """Return the price of a line-up by each criterion, all sections together."""
    total: Counter[str] = Counter()
    for field in fields:
        total.update(price_tables(field, key, filter_field_tables(field, lineup.tables)))
    return dict(total)


def filter_field_tables(field: DrawInput, tables: Iterable[DrawnTable]) -> list[DrawnTable]:
    """Return the tables with an entry of this field."""
    members = {entrant.id for entrant in field.entrants}
    return [table for table in tables if not members.isdisjoint((*table.a, *table.b))]


def _get_priced_fields(
    snapshot: EventSnapshot, draw: DrawInput, *lineups: Lineup
) -> tuple[str, tuple[DrawInput, ...]] | None:
    """Return the format that drew these line-ups of a round, and the draw input of each section.

    If a table is of two sections, the input is that of the whole stage. None if ``compute_lineup_price`` has no
    price for one of the line-ups.
    """
    inputs = _list_stage_inputs(snapshot, draw, lineups[0])
    if len(inputs) != 1 or inputs[0][0] not in PRICED_FORMATS:
        return None
    ((key, stage_input),) = inputs
    fields = _list_fields(key, stage_input)
    seatable = stage_input.locked_entries.union(
        entrant.id for field in fields for entrant in list_drawable_entrants(field)
    )
    tables = [table for lineup in lineups for table in lineup.tables]
    if not all(seatable.issuperset((*table.a, *table.b)) for table in tables):
        return None
    is_across = sum(len(filter_field_tables(field, tables)) for field in fields) > len(tables)
    return key, (stage_input,) if is_across else fields


def _draw_lots(entrants: Iterable[Entrant], seed: int) -> dict[EntryId, int]:
    return {entrant.id: draw_lot(seed, entrant.number) for entrant in entrants}


def _get_plan(basis: EventRules, draw: DrawInput) -> StagePlan:
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
