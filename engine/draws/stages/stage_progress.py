"""The progress of each entry in a plan of stages: its last stage, and its place in the bracket there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.draws.formats import FORMATS
from engine.draws.values import BracketPlaces, DrawInput, EntryId

from .drawing import StageRound, build_stage_input, get_stage
from .plans import StagePlan, list_blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class StageProgress:
    """The last stage of an entry.

    ``group`` is 1 in the last stage that has begun, or in the first of several side by side, 2 in the next, and so
    on. ``first_round`` is the first round of the stage; earlier rounds count only if the stage carries them on,
    among its ``members``. ``last_round`` is its last round so far: an entry in no later stage misses no round after
    it. ``place`` is the place in the bracket, None while there is none; with ``is_still_playing``, the best place
    that the entry can reach.
    """

    group: int
    stage: int
    first_round: int
    last_round: int
    members: frozenset[EntryId]
    place: int | None = None
    is_still_playing: bool = False


def get_stage_progress(
    plan: StagePlan, draw_input: DrawInput, standings: Sequence[Sequence[EntryId]]
) -> Mapping[EntryId, StageProgress]:
    """Return the last stage of each entry; ``draw_input`` is that of the next round, ``standings`` as
    ``draw_stage`` takes them."""
    found: dict[EntryId, StageProgress] = {}
    group = 0
    for block, first_round, last_round in reversed(_list_started_stages(plan, draw_input)):
        for index in block:
            group += 1
            stage_round = StageRound(stage=index, round=last_round - first_round + 2, round_offset=first_round - 1)
            stage_input = build_stage_input(plan, stage_round, draw_input, standings)
            stage_input = replace(
                stage_input, history=tuple(table for table in stage_input.history if table.round < stage_input.round)
            )
            members = frozenset(entrant.id for entrant in stage_input.entrants)
            rounds = range(1, 2 if FORMATS[plan[index].format].is_bracket else stage_round.round)
            too_late = {each.id for each in stage_input.entrants if index and not any(map(each.takes_part, rounds))}
            final, best = _get_places(plan[index].format, stage_input)
            for entry in members - found.keys() - too_late:
                found[entry] = StageProgress(
                    group=group,
                    stage=index,
                    first_round=first_round,
                    last_round=last_round,
                    members=members,
                    place=best.get(entry),
                    is_still_playing=entry in best and entry not in final,
                )
    return found


def get_group_stage(plan: StagePlan, group: int, *, group_count: int) -> int | None:
    """Return the stage of a ``group`` (from 1) when there are ``group_count`` groups so far; None without one."""
    started: list[range] = []
    for block in list_blocks(plan):
        if sum(map(len, started)) < group_count:
            started.append(block)
    stages = [stage for block in reversed(started) for stage in block]
    return stages[group - 1] if 0 < group <= len(stages) else None


def _get_places(format_key: str, stage_input: DrawInput) -> BracketPlaces:
    """Return the places in a bracket; late entries have none. Older versions did not distinguish entries that
    play on."""
    draw_format = FORMATS[format_key]
    places = draw_format.places(stage_input)
    if stage_input.version >= 5 or not draw_format.is_bracket:
        return places
    first = {entrant.id: 1 for entrant in stage_input.entrants if entrant.arrives <= 1} | dict(places.final)
    return BracketPlaces(final=first, best=first)


def _list_started_stages(plan: StagePlan, draw_input: DrawInput) -> list[tuple[range, int, int]]:
    """Return the stages side by side that have begun, with their first and last round so far."""
    rounds: dict[int, int] = {}
    for table in draw_input.history:
        stage = get_stage(table) or 0
        rounds[stage] = min(table.round, rounds.get(stage, table.round))
    starts = [
        (block, min((rounds[index] for index in block if index in rounds), default=0)) for block in list_blocks(plan)
    ]
    started = [(block, start) for block, start in starts if start]
    if not started:
        return []
    ends = [start - 1 for _, start in started[1:]] + [draw_input.round - 1]
    return [(block, start, end) for (block, start), end in zip(started, ends, strict=True)]
