"""Stages: formats one after the other, or side by side, and who goes on from one to the next."""

from .drawing import StageRound, draw_stage, inputs_of_round, stage_of, stage_of_slot
from .plans import Stage, StagePlan, block_before, blocks, stage_plan

__all__ = [
    "Stage",
    "StagePlan",
    "StageRound",
    "block_before",
    "blocks",
    "draw_stage",
    "inputs_of_round",
    "stage_of",
    "stage_of_slot",
    "stage_plan",
]
