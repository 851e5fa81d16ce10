"""Plans of two phases: pools, then finals side by side for everybody, each phase with its own match length."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from engine.draws import FORMATS
from engine.draws.formats.knockout import build_knockout_bracket
from engine.phases import Phase, PhasePlace, PhaseSettings
from rules import MatchFormat

from .lengths import CHANGEOVER, GAMES, SET_LENGTHS, estimate_minutes, estimate_round_minutes
from .proposals import Proposal
from .questions import PlanQuestion
from .shapes import count_round_tables

KNOCKOUTS, GROUPS = "pools_finals", "pools_groups"
"""The kinds of these plans: finals A and B by knockout, or a round robin for each rank in the pools."""

KINDS = (KNOCKOUTS, GROUPS)

POOL_SIZES, MAX_GROUP = (3, 4, 5, 6), 7
"""The sizes of pools before a knockout, and the most entries in a pool or a round robin of ranks."""

MIN_LAST_GROUP = 3
"""The fewest entries for a round robin of their own."""

ENOUGH_MATCHES = 4
"""As many matches as everybody should play, before matches become longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolFinals:
    """Pools, and finals: ``qualifiers`` of each pool go to each final but the last, which takes the rest.

    ``pools`` and ``finals`` are the numbers of entries in each; ``pool_tables`` and ``final_tables`` have the
    tables of each round.
    """

    key: str
    qualifiers: int
    pools: tuple[int, ...]
    finals: tuple[int, ...]

    @property
    def pool_tables(self) -> tuple[int, ...]:
        return _add_tables(_count_group_tables(size) for size in self.pools)

    @property
    def final_tables(self) -> tuple[int, ...]:
        is_bracket = self.key == KNOCKOUTS
        return _add_tables(
            count_round_tables(build_knockout_bracket(size)) if is_bracket else _count_group_tables(size)
            for size in self.finals
        )

    @property
    def fewest_matches(self) -> int:
        """The matches that every entry plays at least."""
        last = len(self.finals) - 1
        return min(
            pool - 1 + (1 if self.key == KNOCKOUTS else self.finals[min(last, rank // self.qualifiers)] - 1)
            for pool in {*self.pools}
            for rank in range(pool)
        )

    @property
    def stages(self) -> tuple[Mapping[str, Any], ...]:
        final: dict[str, Any] = {"format": "round_robin", "takes": "pool_top", "carried": "none"}
        if self.key == KNOCKOUTS:
            final = {"format": "knockout", "takes": "pool_top", "settings": {"separate": ["pool"]}}
        firsts = range(1, 1 + self.qualifiers * len(self.finals), self.qualifiers)
        counts = [*[self.qualifiers] * (len(self.finals) - 1), max(self.pools) + 1 - firsts[-1]]
        return (
            {"format": "pools", "settings": {"pools": len(self.pools)}},
            *(
                {**final, "first": first, "count": count, **({"beside": True} if first > 1 else {})}
                for first, count in zip(firsts, counts, strict=True)
            ),
        )


def list_pool_finals(key: str, entries: int) -> list[PoolFinals]:
    """Return the plans of this kind for so many entries."""
    if key == KNOCKOUTS:
        pool_counts = {-(-entries // size) for size in POOL_SIZES}
        plans = (build_pool_finals(key, entries, pools, top) for pools in sorted(pool_counts) for top in (1, 2))
        return [plan for plan in plans if min(plan.pools) > plan.qualifiers and len(plan.pools) > 1]
    plans = (build_pool_finals(key, entries, pools, top) for pools in range(2, MAX_GROUP) for top in (1, 2))
    return [
        plan
        for plan in plans
        if min(*plan.pools, *plan.finals) >= 3 and max(*plan.pools, *plan.finals) <= MAX_GROUP and len(plan.finals) > 1
    ]


def build_pool_finals(key: str, entries: int, pool_count: int, qualifiers: int) -> PoolFinals:
    """Return the plan with so many pools, of about the same size, and so many qualifiers of each."""
    size, larger = divmod(entries, pool_count)
    top = qualifiers * pool_count
    final_count = 2 if key == KNOCKOUTS else max(1, size // qualifiers)
    finals = [*[top] * (final_count - 1), entries - top * (final_count - 1)]
    if key == GROUPS and finals[-1] - top >= MIN_LAST_GROUP:
        finals[-1:] = [top, finals[-1] - top]
    return PoolFinals(
        key=key,
        qualifiers=qualifiers,
        pools=(*[size + 1] * larger, *[size] * (pool_count - larger)),
        finals=tuple(finals),
    )


def read_pool_finals(proposal: Proposal, entries: int) -> PoolFinals:
    """Return the plan of a proposal of one of ``KINDS``."""
    pools, final, *_ = proposal.stages
    return build_pool_finals(proposal.key, entries, pools["settings"]["pools"], final["count"])


def find_pool_finals(key: str, question: PlanQuestion, *, share: float) -> Iterator[Proposal]:
    """Yield the best plan of this kind that fits this share of the time, if one does: in which everybody plays
    enough matches; then the one with the longest matches, up to twice as long in the finals as in the pools, and
    the most even finals."""
    found, minutes = [], _estimate_lengths(question)
    for plan, pool_length, final_length in _iterate_lengths(key, question, minutes):
        if estimate_pool_finals(plan, question, pool_length, final_length) <= share * question.minutes:
            matches = min(plan.fewest_matches, ENOUGH_MATCHES)
            balanced = min(2 * minutes[pool_length], minutes[final_length])
            merit = (matches, balanced, minutes[pool_length], plan.fewest_matches, -max(plan.finals))
            found.append((merit, plan, pool_length, final_length))
    if found:
        _, plan, pool_length, final_length = max(found, key=lambda each: each[0])
        yield _build_proposal(plan, pool_length, final_length)


def estimate_shortest(key: str, question: PlanQuestion, *, share: float) -> tuple[int, int] | None:
    """Return the rounds of the shortest plan of this kind, and the minutes of which it takes this share; None
    without a plan for so many entries."""
    plans = (
        (estimate_pool_finals(plan, question, pool_length, final_length), _count_rounds(plan))
        for plan, pool_length, final_length in _iterate_lengths(key, question, _estimate_lengths(question))
    )
    shortest = min(plans, default=None)
    return None if shortest is None else (shortest[1], 1 + int(shortest[0] / share))


def _estimate_lengths(question: PlanQuestion) -> Mapping[MatchFormat, float]:
    """Return the minutes of a round of each match length."""
    return {length: estimate_round_minutes(question, length, 1) for length in (*GAMES, *SET_LENGTHS)}


def _iterate_lengths(
    key: str, question: PlanQuestion, minutes: Mapping[MatchFormat, float]
) -> Iterator[tuple[PoolFinals, MatchFormat, MatchFormat]]:
    """Yield the plans of this kind with the lengths of matches in pools and finals, which are not shorter."""
    for plan in list_pool_finals(key, question.entries):
        for pool_length in minutes:
            for final_length in GAMES if key == KNOCKOUTS else minutes:
                if minutes[pool_length] <= minutes[final_length]:
                    yield plan, pool_length, final_length


def _count_rounds(plan: PoolFinals) -> int:
    return len(plan.pool_tables) + len(plan.final_tables)


def estimate_pool_finals(
    plan: PoolFinals, question: PlanQuestion, pool_length: MatchFormat, final_length: MatchFormat
) -> float:
    """Return the minutes of both phases with matches of these lengths."""
    phases = ((pool_length, plan.pool_tables), (final_length, plan.final_tables))
    return CHANGEOVER + sum(estimate_minutes(question, length, tables) for length, tables in phases)


def _build_proposal(plan: PoolFinals, pool_length: MatchFormat, final_length: MatchFormat) -> Proposal:
    own = PhaseSettings(match_format=final_length)
    places = (PhasePlace(stage=stage) for stage in range(1, len(plan.stages)))
    return Proposal(
        key=plan.key,
        stages=plan.stages,
        match_format=pool_length,
        rounds=_count_rounds(plan),
        phases=() if final_length == pool_length else tuple(Phase(place=place, settings=own) for place in places),
    )


def _count_group_tables(size: int) -> list[int]:
    return [size // 2] * (FORMATS["round_robin"].rounds(size, {}) or 0)


def _add_tables(groups: Iterator[Sequence[int]]) -> tuple[int, ...]:
    """Return the tables in each round of groups that play side by side."""
    return tuple(sum(round_tables) for round_tables in zip_longest(*groups, fillvalue=0))
