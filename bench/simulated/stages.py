"""Events in stages, played like any other format: the settings hold the plan and the standings it needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from engine.draws import Draw, DrawInput, EntryId, Format
from engine.draws.stages.drawing import draw_stage, next_slots, stage_of
from engine.draws.stages.plans import stage_plan
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
"""Plans that one meets, and some that nobody would make."""


def with_standings(chance: Random, before: DrawInput) -> Mapping[str, Any]:
    """The plan with the standings at the end of each of its stages."""
    drawn_for = [(stage, table.round) for table in before.history if (stage := stage_of(table)) is not None]
    ends = [
        max((number for stage, number in drawn_for if stage <= last), default=0)
        for last in range(len(before.settings["plan"]))
    ]
    return {**before.settings, "standings": [_standings(before, end) for end in ends]}


def who_goes_on_is_among_the_best(course: Course, this: Round) -> Iterator[str]:
    """A stage that takes so many has no more of them, and always the same: whoever stayed."""
    for stage, plain in enumerate(this.before.settings["plan"]):
        if plain.get("takes") != "top" or "locked" in course.troubles:
            continue
        best = this.before.settings["standings"][stage - 1]
        drawn = {e for t in this.tables if t.slot.startswith(f"{stage + 1}:") for e in (*t.a, *t.b)}
        if len(drawn) > plain["count"]:
            yield f"{len(drawn)} in stage {stage + 1}"
        if not course.troubles and not drawn <= {*best[: plain["count"]]}:
            yield f"{sorted(drawn)} in stage {stage + 1}"


def _draw(draw_input: DrawInput) -> Draw:
    plan = stage_plan(draw_input.settings["plan"])
    drawn = draw_stage(plan, draw_input, draw_input.settings["standings"])
    return replace(drawn, format="stages", settings=draw_input.settings)


def _standings(before: DrawInput, last: int) -> list[EntryId]:
    scores: Counter[EntryId] = Counter()
    for table in before.history:
        if table.round <= last:
            scores.update(table.b if table.winner is Side.B else table.a)
    entrants = sorted(before.entrants, key=lambda entrant: (-scores[entrant.id], entrant.number))
    return [entrant.id for entrant in entrants]


def _slots_ahead(draw_input: DrawInput) -> frozenset[str]:
    return next_slots(stage_plan(draw_input.settings["plan"]), draw_input, draw_input.settings["standings"])


STAGES = Format(
    key="stages",
    draw=_draw,
    slots_ahead=_slots_ahead,
    check=lambda settings: stage_plan(settings["plan"]),
    rounds=lambda count, settings: 12,
)
"""Long enough for each of the plans."""
