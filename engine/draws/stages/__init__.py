"""Stages: formats in sequence or side by side, and qualification from one to the next."""

from .drawing import (
    StageRound,
    build_next_inputs,
    build_round_inputs,
    build_stage_input,
    draw_stage,
    get_pools_by_entry,
    get_stage,
    is_bracket_slot,
    list_next_slots,
    list_stage_entrants,
)
from .lengths import count_odd_pools, count_plan_rounds
from .phase_tables import PhaseTables, find_free_table, find_table_refusal
from .plans import (
    POOLS,
    Stage,
    StagePlan,
    get_previous_block,
    get_slot_stage,
    get_stage_letter,
    has_an_end,
    is_simultaneous,
    list_blocks,
    parse_stage_plan,
    plan_from_json,
    without_play_off,
)
from .sections import build_section_fields, list_section_sizes
from .stage_progress import StageProgress, get_group_stage, get_stage_progress

__all__ = [
    "POOLS",
    "PhaseTables",
    "Stage",
    "StagePlan",
    "StageProgress",
    "StageRound",
    "build_next_inputs",
    "build_round_inputs",
    "build_section_fields",
    "build_stage_input",
    "count_odd_pools",
    "count_plan_rounds",
    "draw_stage",
    "find_free_table",
    "find_table_refusal",
    "get_group_stage",
    "get_pools_by_entry",
    "get_previous_block",
    "get_slot_stage",
    "get_stage",
    "get_stage_letter",
    "get_stage_progress",
    "has_an_end",
    "is_bracket_slot",
    "is_simultaneous",
    "list_blocks",
    "list_next_slots",
    "list_section_sizes",
    "list_stage_entrants",
    "parse_stage_plan",
    "plan_from_json",
    "without_play_off",
]
