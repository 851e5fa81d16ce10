"""Stages: formats in sequence or side by side, and qualification from one to the next."""

from .drawing import (
    StageRound,
    draw_stage,
    entrants_of_stage,
    inputs_ahead,
    inputs_of_round,
    is_bracket_slot,
    next_slots,
    own_input,
    pools_in,
    stage_of,
    stage_of_slot,
)
from .lengths import odd_pools, rounds_of_plan
from .plans import (
    POOLS,
    Stage,
    StagePlan,
    block_before,
    blocks,
    is_beside,
    plan_from_json,
    stage_letter,
    stage_plan,
)
from .sections import fields_of, section_sizes
from .stage_progress import StageReached, stage_of_group, stages_reached

__all__ = [
    "POOLS",
    "Stage",
    "StagePlan",
    "StageReached",
    "StageRound",
    "block_before",
    "blocks",
    "draw_stage",
    "entrants_of_stage",
    "fields_of",
    "inputs_ahead",
    "inputs_of_round",
    "is_beside",
    "is_bracket_slot",
    "next_slots",
    "odd_pools",
    "own_input",
    "plan_from_json",
    "pools_in",
    "rounds_of_plan",
    "section_sizes",
    "stage_letter",
    "stage_of",
    "stage_of_group",
    "stage_of_slot",
    "stage_plan",
    "stages_reached",
]
