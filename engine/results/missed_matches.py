"""A round more for matches of a schedule that were missed, as somebody was away."""

from dataclasses import replace

from engine.draws import FORMATS, DrawnTable
from engine.draws.stages import (
    StagePlan,
    build_next_inputs,
    build_section_fields,
    build_stage_input,
    get_slot_stage,
    list_round_stages,
)
from errors import Refusal

from .played_rounds import list_stage_standings
from .round_draw import build_draw_input, draw_next_round
from .values import SCHEDULED_FORMATS, EventSnapshot


def list_missed_tables(snapshot: EventSnapshot) -> tuple[DrawnTable, ...]:
    """Return the tables of a round of missed matches; none before the end of the stage that missed them."""
    return _draw_missed_tables(snapshot, _extend_schedules(snapshot))


def add_missed_round(snapshot: EventSnapshot) -> StagePlan:
    """Return the plan with a round more in the stages that have just played their whole schedule.

    Refuses: nothing_left_to_draw, if they have missed no match that can be played now.
    """
    plan = _extend_schedules(snapshot)
    if not _draw_missed_tables(snapshot, plan):
        raise Refusal("nothing_left_to_draw")
    return plan


def _extend_schedules(snapshot: EventSnapshot) -> StagePlan:
    """Return the plan with a round more in the stages that have just ended, if the next stage has not begun."""
    plan = snapshot.basis.plan
    if SCHEDULED_FORMATS.isdisjoint(stage.format for stage in plan):
        return plan
    draw = build_draw_input(snapshot, seed=snapshot.basis.lot)
    standings = list_stage_standings(plan, draw, snapshot.orders)
    next_stages = {each.stage for each, _ in build_next_inputs(plan, draw, standings)}
    last_block = list_round_stages(plan, draw.round - 1, draw.history) if draw.round > 1 else ()
    if next_stages.intersection(each.stage for each in last_block):
        return plan
    lengths: dict[int, int] = {}
    for each in last_block:
        stage, draw_format = plan[each.stage], FORMATS[plan[each.stage].format]
        if stage.format in SCHEDULED_FORMATS:
            fields = build_section_fields(draw_format, build_stage_input(plan, each, draw, standings))
            if all((draw_format.rounds(len(field.entrants), stage.settings) or 0) <= each.round for field in fields):
                lengths[each.stage] = each.round + 1
    return tuple(replace(stage, rounds=lengths.get(index, stage.rounds)) for index, stage in enumerate(plan))


def _draw_missed_tables(snapshot: EventSnapshot, extended: StagePlan) -> tuple[DrawnTable, ...]:
    """Draw the next round by this plan, and return the tables of the stages that are longer in it."""
    basis = snapshot.basis
    longer = {index for index, stage in enumerate(extended) if stage.rounds != basis.plan[index].rounds}
    if not longer:
        return ()
    longer_snapshot = replace(snapshot, basis=replace(basis, plan=extended))
    draw = draw_next_round(longer_snapshot, build_draw_input(longer_snapshot, seed=basis.lot))
    return tuple(table for table in draw.tables if get_slot_stage(table.slot) in longer)
