"""A round more for matches of a schedule that were missed, as somebody was away."""

from dataclasses import replace

from engine.draws import FORMATS, DrawnTable
from engine.draws.stages import StagePlan, build_next_inputs, build_section_fields, build_stage_input, list_round_stages
from errors import Refusal

from .played_rounds import list_stage_standings
from .round_draw import build_draw_input, draw_next_round
from .values import SCHEDULED_FORMATS, EventSnapshot


def list_missed_tables(snapshot: EventSnapshot) -> tuple[DrawnTable, ...]:
    """Return the tables of a round of missed matches; none before the end of the stage that missed them."""
    try:
        plan = add_missed_round(snapshot)
    except Refusal:
        return ()
    extended = replace(snapshot, basis=replace(snapshot.basis, plan=plan))
    return draw_next_round(extended, build_draw_input(extended, seed=snapshot.basis.lot)).tables


def add_missed_round(snapshot: EventSnapshot) -> StagePlan:
    """Return the plan with a round more in the stages that have just played their whole schedule.

    Refuses: nothing_left_to_draw.
    """
    plan = snapshot.basis.plan
    if SCHEDULED_FORMATS.isdisjoint(stage.format for stage in plan):
        raise Refusal("nothing_left_to_draw")
    draw = build_draw_input(snapshot, seed=snapshot.basis.lot)
    standings = list_stage_standings(plan, draw, snapshot.orders)
    next_stages = {each.stage for each, _ in build_next_inputs(plan, draw, standings)}
    last_block = list_round_stages(plan, draw.round - 1, draw.history) if draw.round > 1 else ()
    lengths: dict[int, int] = {}
    for each in last_block:
        stage, draw_format = plan[each.stage], FORMATS[plan[each.stage].format]
        if stage.format in SCHEDULED_FORMATS:
            fields = build_section_fields(draw_format, build_stage_input(plan, each, draw, standings))
            if all((draw_format.rounds(len(field.entrants), stage.settings) or 0) <= each.round for field in fields):
                lengths[each.stage] = each.round + 1
    if not lengths or next_stages.intersection(each.stage for each in last_block):
        raise Refusal("nothing_left_to_draw")
    return tuple(replace(stage, rounds=lengths.get(index, stage.rounds)) for index, stage in enumerate(plan))
