"""Events in stages, played like any other format: the settings hold the plan and the standings it needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from engine.draws import Draw, DrawInput, EntryId, Format
from engine.draws.stages import get_slot_stage
from engine.draws.stages.drawing import draw_stage, get_stage, list_next_slots
from engine.draws.stages.plans import parse_stage_plan
from rules import Side

from .course import Course, Round

_KNOCKOUT = {"format": "knockout", "takes": "top", "count": 4}

PLANS = (
    [{"format": "swiss", "rounds": 3}, _KNOCKOUT],
    [{"format": "random", "rounds": 2}, {**_KNOCKOUT, "count": 5, "settings": {"places": "all"}}],
    [
        {"format": "pools", "settings": {"pool_size": 4}},
        {"format": "knockout", "takes": "pool_top", "count": 2, "settings": {"separate": ["pool"]}},
    ],
    [
        {"format": "swiss", "rounds": 2},
        {"format": "double_elimination", "takes": "ranked", "last": 6},
        {"format": "swiss", "takes": "ranked", "first": 7, "beside": True, "carried": "among"},
    ],
    [
        {"format": "random", "rounds": 1},
        {"format": "round_robin", "takes": "top", "count": 6, "carried": "none"},
        {"format": "consolation", "carried": "none"},
    ],
)
"""Common plans, and some unusual ones."""


def add_standings(chance: Random, draw_input: DrawInput) -> Mapping[str, Any]:
    """Return the plan with the standings at the end of each of its stages."""
    stage_rounds = [(stage, table.round) for table in draw_input.history if (stage := get_stage(table)) is not None]
    ends = [
        max((number for stage, number in stage_rounds if stage <= last), default=0)
        for last in range(len(draw_input.settings["plan"]))
    ]
    return {**draw_input.settings, "standings": [_build_standings(draw_input, end) for end in ends]}


def check_qualifiers(course: Course, round_: Round) -> Iterator[str]:
    """Check that a stage takes no more entries than planned and, in an undisturbed event, only the best."""
    for stage, settings in enumerate(round_.draw_input.settings["plan"]):
        if settings.get("takes") != "top" or "locked" in course.troubles:
            continue
        best = round_.draw_input.settings["standings"][stage - 1]
        draw = {e for t in round_.tables if t.slot.startswith(f"{stage + 1}:") for e in (*t.a, *t.b)}
        if len(draw) > settings["count"]:
            yield f"{len(draw)} in stage {stage + 1}"
        if not course.troubles and not draw <= {*best[: settings["count"]]}:
            yield f"{sorted(draw)} in stage {stage + 1}"


def _choose_phase_tables(draw_input: DrawInput) -> dict[tuple[int, str | None], tuple[int, int]]:
    """Return tables for each stage but the first, in half of the rounds without tables of sections."""
    if draw_input.section_tables or draw_input.seed % 2:
        return {}
    stages = range(1, len(draw_input.settings["plan"]))
    sections = {None, *(entrant.section for entrant in draw_input.entrants)}
    return {(stage, section): (1_000 * stage, 1_000 * stage + 999) for stage in stages for section in sections}


def check_phase_tables(course: Course, round_: Round) -> Iterator[str]:
    """Check that each table belongs to its stage, unless it is locked or an entry's fixed table."""
    ranges = _choose_phase_tables(round_.draw_input)
    for table in round_.tables:
        fixed = {round_.entrants[entry].table for entry in (*table.a, *table.b)}
        first, last = ranges.get((get_slot_stage(table.slot), None), (1, 999))
        if ranges and table.number not in fixed and not first <= table.number <= last:
            yield f"table {table.number} of {table.slot}"


def _draw(draw_input: DrawInput) -> Draw:
    plan = parse_stage_plan(draw_input.settings["plan"])
    by_phase = replace(draw_input, phase_tables=_choose_phase_tables(draw_input))
    draw = draw_stage(plan, by_phase, draw_input.settings["standings"])
    return replace(draw, format="stages", settings=draw_input.settings)


def _build_standings(draw_input: DrawInput, last_round: int) -> list[EntryId]:
    scores: Counter[EntryId] = Counter()
    for table in draw_input.history:
        if table.round <= last_round:
            scores.update(table.b if table.winner is Side.B else table.a)
    entrants = sorted(draw_input.entrants, key=lambda entrant: (-scores[entrant.id], entrant.number))
    return [entrant.id for entrant in entrants]


def _list_next_slots(draw_input: DrawInput) -> frozenset[str]:
    return list_next_slots(parse_stage_plan(draw_input.settings["plan"]), draw_input, draw_input.settings["standings"])


STAGES = Format(
    key="stages",
    draw=_draw,
    next_slots=_list_next_slots,
    check=lambda settings: parse_stage_plan(settings["plan"]),
    rounds=lambda count, settings: 12,
)
"""Format of events in stages; its twelve rounds are enough for each plan."""
