"""The length of an event: the rounds of its stages, for so many entries who all stay."""

from collections.abc import Collection, Sequence

from engine.draws.formats import FORMATS
from engine.draws.formats.pools import PoolSettings

from .plans import POOLS, Stage, StagePlan, get_rank_range, list_blocks
from .sections import list_section_sizes


def count_plan_rounds(plan: StagePlan, entries: int, sections: Collection[str] = ()) -> int | None:
    """Return the rounds of all stages, none having more than its format allows; None if one is unlimited."""
    return sum_rounds(list_block_rounds(plan, entries, sections))


def list_block_rounds(plan: StagePlan, entries: int, sections: Collection[str] = ()) -> list[int | None]:
    """Return the rounds of each group of stages side by side, None for one that is unlimited. ``sections`` are those
    of the entries: a stage that separates them lasts as long as the largest needs."""
    if sections and plan[0].takes == "all" and len(plan) == 1:
        entries = max(list_section_sizes(plan[0], sections))
    return [_count_block_rounds(plan, block, entries) for block in list_blocks(plan)]


def find_closed_round(plan: StagePlan, entries: int) -> int | None:
    """Return the first round without a place for a late entry, if all the entries stay; None without one, or if play
    decides. A bracket that has begun has no place, nor has a stage for those who qualified."""
    start = 1
    for block, rounds in zip(list_blocks(plan), list_block_rounds(plan, entries), strict=True):
        stages = [plan[index] for index in block]
        if all(stage.takes != "all" and (stage.takes != "ranked" or stage.last) for stage in stages):
            return start
        if all(FORMATS[stage.format].is_bracket for stage in stages):
            return start + 1
        if rounds is None:
            return None
        start += rounds
    return None


def sum_rounds(rounds: Sequence[int | None]) -> int | None:
    """Return the rounds of all groups of stages; None if one is unlimited."""
    round_counts = [number for number in rounds if number is not None]
    return sum(round_counts) if len(round_counts) == len(rounds) else None


def count_odd_pools(stage: Stage, entrants: int) -> int:
    """Return the number of pools in which somebody sits out each round, with so many entrants."""
    return PoolSettings.parse(stage.settings).count_odd_pools(entrants)


def _count_block_rounds(plan: StagePlan, block: range, entries: int) -> int | None:
    found = [_count_stage_rounds(plan, index, _count_entrants(plan, index, entries)) for index in block]
    return None if None in found else max(number or 0 for number in found)


def _count_stage_rounds(plan: StagePlan, index: int, entrants: int) -> int | None:
    stage = plan[index]
    if entrants < 2:
        return 0
    format_rounds = FORMATS[stage.format].rounds(entrants, stage.settings)
    return min((number for number in (stage.rounds, format_rounds) if number is not None), default=None)


def _count_entrants(plan: Sequence[Stage], index: int, entries: int) -> int:
    """Return how many entries play in a stage."""
    stage = plan[index]
    if stage.takes in ("top", "tied"):
        return min(stage.count, entries)
    if stage.takes == "ranked":
        return max(0, min(entries, stage.last or entries) - stage.first + 1)
    if stage.takes == "pool_top":
        pools = next(one for one in reversed(plan[:index]) if one.format == POOLS)
        pool_count, ranks = PoolSettings.parse(pools.settings).count_pools(entries), get_rank_range(stage)
        size, larger = divmod(entries, pool_count)
        sizes = (size + 1 if place < larger else size for place in range(pool_count))
        return sum(len(range(size)[ranks.start : ranks.stop]) for size in sizes)
    return entries
