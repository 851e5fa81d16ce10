"""The kinds of plan: their stages, numbers of entries and rounds, and the tables in each round.

A new kind is a new line of ``_FIXED_PARTNER_SHAPES`` or of ``_DRAWN_PARTNER_SHAPES``.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.draws import FORMATS
from engine.draws.brackets.structure import Bracket, schedule_earliest
from engine.draws.formats.consolation import build_consolation_bracket
from engine.draws.formats.double_elimination import build_elimination_bracket
from engine.draws.formats.knockout import build_knockout_bracket

Stages = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanShape:
    """A kind of plan.

    ``rounds`` returns the possible total numbers of rounds for a number of entries, ascending; ``stages`` the
    stages for entries and rounds; ``tables`` the number of tables in each round. The plan is for ``min_entries`` to
    ``max_entries`` entries: numbers that make sense, and can be simulated in reasonable time. With
    ``needs_winner``, every match must have a winner. With ``moves_together``, all move on at the same time, so that
    matches of a set length suit it best. ``variants`` is the number of variants worth comparing.
    """

    key: str
    rounds: Callable[[int], Sequence[int]]
    stages: Callable[[int, int], Stages]
    tables: Callable[[int, int], list[int]]
    min_entries: int = 2
    max_entries: int = 4000
    needs_winner: bool = False
    moves_together: bool = False
    variants: int = 1


def list_shapes(entries: int, *, has_drawn_partners: bool) -> list[PlanShape]:
    """Return the kinds of plan for so many pairs, or for people whose partners are drawn."""
    available = list_all_shapes(has_drawn_partners=has_drawn_partners)
    return [shape for shape in available if shape.min_entries <= entries <= shape.max_entries]


def list_all_shapes(*, has_drawn_partners: bool) -> tuple[PlanShape, ...]:
    return _DRAWN_PARTNER_SHAPES if has_drawn_partners else _FIXED_PARTNER_SHAPES


def list_round_tables(key: str, *, entries: int, rounds: int) -> list[int]:
    """Return how many tables a plan of this kind needs in each round."""
    shape = next(shape for shape in (*_FIXED_PARTNER_SHAPES, *_DRAWN_PARTNER_SHAPES) if shape.key == key)
    return shape.tables(entries, rounds)


def _build_table_counter(seats: int) -> Callable[[int, int], list[int]]:
    return lambda entries, rounds: [max(1, entries // seats)] * rounds


def _build_open_shape(
    key: str,
    *,
    seats: int = 2,
    min_entries: int = 6,
    max_entries: int = 4000,
    variants: int = 1,
    moves_together: bool = False,
) -> PlanShape:
    """Return a plan of one format with any number of rounds, while there are new opponents."""
    return PlanShape(
        key=key,
        rounds=lambda entries: range(2, min(9, entries - 1) + 1),
        stages=lambda entries, rounds: ({"format": key, "rounds": rounds},),
        tables=_build_table_counter(seats),
        min_entries=min_entries,
        max_entries=max_entries,
        moves_together=moves_together,
        variants=variants,
    )


def build_bracket_shape(key: str, build_bracket: Callable[[int], Bracket], *, min_entries: int) -> PlanShape:
    """Return a plan of one bracket for all entries."""
    return PlanShape(
        key=key,
        rounds=lambda entries: (schedule_earliest(build_bracket(entries)).rounds,),
        stages=lambda entries, rounds: ({"format": key},),
        tables=lambda entries, rounds: count_round_tables(build_bracket(entries)),
        min_entries=min_entries,
        needs_winner=True,
    )


def count_round_tables(bracket: Bracket) -> list[int]:
    """Return the number of tables in each round of a bracket."""
    count = Counter(slot.round for slot in schedule_earliest(bracket).slots)
    return [count[number] for number in sorted(count)]


def _build_round_robin_shape(legs: int, *, max_entries: int) -> PlanShape:
    stage = {"format": "round_robin", **({"settings": {"legs": legs}} if legs > 1 else {})}
    return PlanShape(
        key="round_robin" if legs == 1 else "round_robin_twice",
        rounds=lambda entries: (FORMATS["round_robin"].rounds(entries, {"legs": legs}) or 0,),
        stages=lambda entries, rounds: (stage,),
        tables=_build_table_counter(2),
        max_entries=max_entries,
    )


# Pools of four, then a knockout of the first two of each


def _build_pools_stages(entries: int, rounds: int) -> Stages:
    return (
        {"format": "pools", "settings": {"pool_size": 4}},
        {"format": "knockout", "takes": "pool_top", "count": 2, "settings": {"separate": ["pool"]}},
    )


def _count_pools_tables(entries: int, rounds: int) -> list[int]:
    pools = FORMATS["pools"].rounds(entries, {"pool_size": 4}) or 0
    return [entries // 2] * pools + count_round_tables(build_knockout_bracket(2 * -(-entries // 4)))


# A Swiss, then a final of the best while the others play on


def _count_finalists(entries: int) -> int:
    return 8 if entries >= 32 else 4


def _build_finals_stages(entries: int, rounds: int) -> Stages:
    best = _count_finalists(entries)
    final = build_knockout_bracket(best).rounds
    return (
        {"format": "swiss", "rounds": rounds - final},
        {"format": "knockout", "takes": "ranked", "last": best},
        {"format": "swiss", "rounds": final, "takes": "ranked", "first": best + 1, "beside": True},
    )


def _build_final_four_stages(entries: int, rounds: int) -> Stages:
    return (
        {"format": "swiss_individual", "rounds": rounds - 3},
        {"format": "rotation", "rounds": 3, "settings": {"rounds": 3}, "takes": "ranked", "last": 4},
        {"format": "swiss_individual", "rounds": 3, "takes": "ranked", "first": 5, "beside": True},
    )


_FIXED_PARTNER_SHAPES = (
    _build_open_shape("swiss", variants=3),
    _build_round_robin_shape(1, max_entries=14),
    _build_round_robin_shape(2, max_entries=4),
    PlanShape(
        key="swiss_finals",
        rounds=lambda entries: [
            build_knockout_bracket(_count_finalists(entries)).rounds + rounds
            for rounds in range(3, min(7, entries - 4) + 1)
        ],
        stages=_build_finals_stages,
        tables=_build_table_counter(2),
        min_entries=10,
        needs_winner=True,
    ),
    PlanShape(
        key="pools_knockout",
        rounds=lambda entries: (len(_count_pools_tables(entries, 0)),),
        stages=_build_pools_stages,
        tables=_count_pools_tables,
        min_entries=8,
        needs_winner=True,
    ),
    _build_open_shape("progressive", min_entries=4, moves_together=True),
    _build_open_shape("random", moves_together=True, variants=2),
    build_bracket_shape("consolation", build_consolation_bracket, min_entries=4),
    build_bracket_shape("double_elimination", build_elimination_bracket, min_entries=4),
)

_DRAWN_PARTNER_SHAPES = (
    _build_open_shape("swiss_individual", seats=4, min_entries=8, max_entries=240, variants=2),
    PlanShape(
        key="rotation",
        rounds=lambda entries: range(2, min(15, entries - 1) + 1),
        stages=lambda entries, rounds: ({"format": "rotation", "rounds": rounds, "settings": {"rounds": rounds}},),
        tables=_build_table_counter(4),
        min_entries=4,
        max_entries=400,
        moves_together=True,
        variants=2,
    ),
    PlanShape(
        key="swiss_final_four",
        rounds=lambda entries: range(6, 10),
        stages=_build_final_four_stages,
        tables=_build_table_counter(4),
        min_entries=12,
        max_entries=200,
    ),
    _build_open_shape("progressive_individual", seats=4, min_entries=8, moves_together=True, variants=2),
    _build_open_shape("by_rank", seats=4, min_entries=8, variants=2),
)
