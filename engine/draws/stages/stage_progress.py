"""The progress of each entry in a plan of stages: its last stage, and its place in the bracket there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.draws.formats import FORMATS
from engine.draws.values import BracketPlaces, DrawInput, EntryId

from .drawing import StageRound, own_input, stage_of
from .plans import StagePlan, blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class StageReached:
    """The last stage of an entry. ``group`` is 1 in the last stage that has begun, or in the first of several
    side by side, 2 in the next, and so on. ``began`` is the stage's first round; of earlier rounds those
    count that it carries on, among its ``members``. ``ended`` is its last round so far: an entry in no later
    stage misses none after it. ``place`` is the one in its bracket, None while there is none; for an entry
    that still ``plays_on`` for a better one, the best that it can reach."""

    group: int
    stage: int
    began: int
    ended: int
    members: frozenset[EntryId]
    place: int | None = None
    plays_on: bool = False


def stages_reached(
    plan: StagePlan, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]]
) -> Mapping[EntryId, StageReached]:
    """Return the last stage of each entry; ``draw_input`` is that of the next round, ``standings`` as
    ``draw_stage`` takes them."""
    found: dict[EntryId, StageReached] = {}
    group = 0
    for block, began, ended in reversed(_stages_begun(plan, draw_input)):
        for index in block:
            group += 1
            here = StageRound(stage=index, round=ended - began + 2, rounds_before=began - 1)
            own = own_input(plan, here, draw_input, standings)
            own = replace(own, history=tuple(table for table in own.history if table.round < own.round))
            members = frozenset(entrant.id for entrant in own.entrants)
            final, best = _places(plan[index].format, own)
            for entry in members - found.keys():
                found[entry] = StageReached(
                    group=group,
                    stage=index,
                    began=began,
                    ended=ended,
                    members=members,
                    place=best.get(entry),
                    plays_on=entry in best and entry not in final,
                )
    return found


def stage_of_group(plan: StagePlan, group: int, *, of: int) -> int | None:
    """Return the stage whose entries form a ``group`` (from 1), ``of`` so many groups so far; None without
    one."""
    begun: list[range] = []
    for block in blocks(plan):
        if sum(map(len, begun)) < of:
            begun.append(block)
    stages = [stage for block in reversed(begun) for stage in block]
    return stages[group - 1] if 0 < group <= len(stages) else None


def _places(format_key: str, own: DrawInput) -> BracketPlaces:
    """Return the places in a bracket; late entries have none. Older versions did not distinguish entries that
    play on."""
    known = FORMATS[format_key]
    places = known.places(own)
    if own.version >= 5 or not known.is_bracket:
        return places
    first = {entrant.id: 1 for entrant in own.entrants if entrant.arrives <= 1} | dict(places.final)
    return BracketPlaces(final=first, best=first)


def _stages_begun(plan: StagePlan, draw_input: DrawInput) -> list[tuple[range, int, int]]:
    """Return the stages side by side that have begun, with their first and last round so far."""
    rounds: dict[int, int] = {}
    for table in draw_input.history:
        stage = stage_of(table) or 0
        rounds[stage] = min(table.round, rounds.get(stage, table.round))
    starts = [
        (block, min((rounds[index] for index in block if index in rounds), default=0))
        for block in blocks(plan)
    ]
    begun = [(block, start) for block, start in starts if start]
    if not begun:
        return []
    ends = [start - 1 for _, start in begun[1:]] + [draw_input.round - 1]
    return [(block, start, end) for (block, start), end in zip(begun, ends, strict=True)]
