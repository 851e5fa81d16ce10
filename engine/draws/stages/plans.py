"""A plan of stages: formats one after another, such as pools, then a knockout of the best.

Stages that run ``beside`` the one before share its rounds and tables, and take their entrants from the same
standings: groups A and B. A stage lasts its number of ``rounds``, else that of its format; less if nothing is
left to play in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from engine.draws.formats import FORMATS
from engine.draws.settings import MIXES, check_setting_names, parse_boolean, parse_choice, parse_whole_number
from errors import Refusal

TAKES_CHOICES = ("all", "top", "pool_top", "ranked", "tied")
CARRIED_CHOICES = ("all", "among", "none")
_STAGE = ("name", "format", "settings", "rounds", "takes", "count", "first", "last", "carried", "beside")

NAME_LENGTH = 40

POOLS = "pools"
"""The format whose slots are pools."""

_ANY, _EVERYBODY = range(2, 41), 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stage: a format, its settings, and its entrants.

    ``takes`` selects all entries, the first ``count`` (``top``), ``count`` of each pool from its ``first`` on
    (``pool_top``), those ``ranked`` from ``first`` to ``last``, or the ``count`` that are ``tied`` for first:
    this stage is a play-off. ``carried`` selects the earlier results that count: all, those among the
    entrants of this stage, or none. A stage has a ``name`` if the director gave it one.
    """

    format: str
    name: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    rounds: int | None = None
    takes: str = "all"
    count: int = 0
    first: int = 1
    last: int | None = None
    carried: str = "all"
    beside: bool = False

    @property
    def separates_sections(self) -> bool:
        """Whether its sections are drawn apart."""
        return FORMATS[self.format].separates_sections and not self.settings.get(MIXES, False)

    @property
    def is_play_off(self) -> bool:
        """Whether it only decides a tie for first place, and counts for nothing else."""
        return self.takes == "tied"


StagePlan = tuple[Stage, ...]


def parse_stage_plan(data: Sequence[Mapping[str, Any]]) -> StagePlan:
    """Return the plan of these stages, if it can work. ``field`` of a refusal is such as ``stages.1.count``.

    Refuses: stages_missing, not_an_object, no_such_setting, no_such_choice, not_a_number, number_too_small,
    count_missing, range_empty, nothing_before, no_pools_before, takes_differ, ranked_twice, sides_differ,
    name_too_long, stage_name_taken, rounds_missing, play_off_not_last; and what the formats refuse of their
    settings.
    """
    if not data:
        raise Refusal("stages_missing", field="stages")
    plan: list[Stage] = []
    for index, stage in enumerate(data):
        try:
            plan.append(_parse_stage(stage))
            _check_last(plan)
        except Refusal as refusal:
            place = f"stages.{index}.{refusal.field}"
            raise Refusal(refusal.code, field=place, **refusal.details) from None
    for index in range(list_blocks(plan)[-1].start):
        if not has_an_end(plan[index]):
            raise Refusal("rounds_missing", field=f"stages.{index}.rounds")
    return tuple(plan)


def plan_from_json(data: Iterable[Mapping[str, Any]]) -> StagePlan:
    """Return the plan from stages that ``parse_stage_plan`` accepted when they were stored."""
    return tuple(Stage(**{name: value for name, value in stage.items() if value is not None}) for stage in data)


NIGHT_FORMATS = ("random", "swiss")
"""Formats for the rounds of a club night, the usual one first."""


def is_night_plan(plan: StagePlan) -> bool:
    """Return whether a club night has this plan: one stage, in a format that the form of a new night offers."""
    return len(plan) == 1 and plan[0].format in NIGHT_FORMATS


def _parse_stage(data: Mapping[str, Any]) -> Stage:
    """Return one stage, if it can work by itself."""
    check_setting_names(data, _STAGE)
    settings, takes = data.get("settings") or {}, parse_choice(data, "takes", TAKES_CHOICES)
    if not isinstance(settings, Mapping):
        raise Refusal("not_an_object", field="settings")
    stage = Stage(
        format=parse_choice({"format": "", **data}, "format", tuple(FORMATS)),
        name=str(data.get("name") or ""),
        settings=dict(settings),
        rounds=parse_whole_number(data, "rounds", least=1),
        takes=takes,
        count=parse_whole_number(data, "count", least=1) or 0,
        first=parse_whole_number(data, "first", least=1) or 1,
        last=parse_whole_number(data, "last", least=1),
        carried=parse_choice(data, "carried", CARRIED_CHOICES),
        beside=parse_boolean(data, "beside"),
    )
    if len(stage.name) > NAME_LENGTH:
        raise Refusal("name_too_long", field="name", most=NAME_LENGTH)
    if takes in ("top", "pool_top", "tied") and not stage.count:
        raise Refusal("count_missing", field="count")
    if stage.last is not None and stage.last < stage.first:
        raise Refusal("range_empty", field="last", first=stage.first, last=stage.last)
    try:
        FORMATS[stage.format].check(settings)
    except Refusal as refusal:
        raise Refusal(refusal.code, field=f"settings.{refusal.field}", **refusal.details) from None
    return stage


def has_an_end(stage: Stage) -> bool:
    """Return whether the stage has a number of rounds, or its format knows it for any number of entrants."""
    return stage.rounds is not None or all(
        FORMATS[stage.format].rounds(entrants, stage.settings) is not None for entrants in _ANY
    )


def _check_last(plan: Sequence[Stage]) -> None:
    """Check that the last stage can follow those before it."""
    stage, groups, rank_range = plan[-1], list_blocks(plan), get_rank_range(plan[-1])
    if stage.name and stage.name.casefold() in (earlier.name.casefold() for earlier in plan[:-1]):
        raise Refusal("stage_name_taken", field="name", name=stage.name)
    if len(plan) == 1 and stage.beside:
        raise Refusal("nothing_before", field="beside")
    if FORMATS[stage.format].side != FORMATS[plan[0].format].side:
        raise Refusal("sides_differ", field="format", format=stage.format)
    if len(groups) == 1 and stage.takes in ("top", "pool_top", "tied"):
        raise Refusal("nothing_before", field="takes")
    is_alone = FORMATS[stage.format].is_bracket and not stage.beside
    if any(each.is_play_off for each in plan[:-1]) or (stage.is_play_off and not is_alone):
        raise Refusal("play_off_not_last", field="takes")
    if stage.takes == "pool_top" and all(plan[index].format != POOLS for index in groups[-2]):
        raise Refusal("no_pools_before", field="takes")
    for index in groups[-1][:-1]:
        if (plan[index].takes == "pool_top") != (stage.takes == "pool_top"):
            raise Refusal("takes_differ", field="takes")
        if get_rank_range(plan[index]).start < rank_range.stop and rank_range.start < get_rank_range(plan[index]).stop:
            raise Refusal("ranked_twice", field="first", stage=index + 1)


def get_rank_range(stage: Stage) -> range:
    """Return the places, from 0, that a stage takes: in the standings, or in each pool."""
    if stage.takes == "all":
        return range(_EVERYBODY)
    if stage.takes in ("top", "tied"):
        return range(stage.count)
    if stage.takes == "pool_top":
        return range(stage.first - 1, stage.first - 1 + stage.count)
    return range(stage.first - 1, _EVERYBODY if stage.last is None else stage.last)


def get_slot_stage(slot: str) -> int:
    """Return the stage of a table or a bye by its slot; the first, if the slot names none."""
    return int(slot.partition(":")[0]) - 1 if ":" in slot else 0


def without_play_off(plan: StagePlan) -> StagePlan:
    """Return the plan without its play-off, which is its last stage."""
    return plan[:-1] if plan[-1].is_play_off else plan


def list_blocks(plan: Sequence[Stage]) -> list[range]:
    """Return the stages that are played at the same time, in order."""
    starts = [index for index, stage in enumerate(plan) if not index or not stage.beside]
    return [range(*ends) for ends in pairwise([*starts, len(plan)])]


def is_simultaneous(plan: Sequence[Stage], stage: int) -> bool:
    """Return whether a stage is played at the same time as others."""
    return len(next(block for block in list_blocks(plan) if stage in block)) > 1


def get_stage_letter(plan: Sequence[Stage], stage: int) -> str:
    """Return the letter that distinguishes a stage without a name from those played at the same time, such as
    finals A and B; "" for any other."""
    block = next(block for block in list_blocks(plan) if stage in block)
    return "" if plan[stage].name or not is_simultaneous(plan, stage) else chr(ord("A") + stage - block.start)


def get_previous_block(plan: Sequence[Stage], stage: int) -> range:
    """Return the stages whose standings decide the entrants of this one; empty for the first."""
    return next((previous for previous, block in pairwise(list_blocks(plan)) if stage in block), range(0))
