"""Stages: formats one after the other, or side by side, and who goes on from one to the next."""

from .drawing import StageRound, draw_stage, inputs_of_round, own_input, stage_of, stage_of_slot
from .plans import Stage, StagePlan, block_before, blocks, stage_plan
from .reached import StageReached, stages_reached

__all__ = [
    "Stage",
    "StagePlan",
    "StageReached",
    "StageRound",
    "block_before",
    "blocks",
    "draw_stage",
    "inputs_of_round",
    "own_input",
    "stage_of",
    "stage_of_slot",
    "stage_plan",
    "stages_reached",
]
