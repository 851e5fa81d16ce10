"""The kinds of plan: their stages, numbers of entries and rounds, and the tables in each round.

A new kind is a new line of ``_FIXED`` or of ``_DRAWN``.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.draws import FORMATS
from engine.draws.brackets.structure import Bracket, soonest
from engine.draws.formats.consolation import consolation_bracket
from engine.draws.formats.double_elimination import double_elimination_bracket
from engine.draws.formats.knockout import knockout_bracket

Stages = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanShape:
    """A kind of plan.

    ``rounds`` returns the possible total numbers of rounds for a number of entries, ascending; ``stages`` its
    stages for entries and rounds; ``tables`` those of each round. It is for ``fewest`` to ``most`` entries:
    numbers that make sense, and can be simulated in reasonable time. ``needs_winner``: every match must have
    a winner. ``moves_together``: all move on at the same time, so that matches of a set length suit it best.
    ``variants`` is how many of it are worth comparing.
    """

    key: str
    rounds: Callable[[int], Sequence[int]]
    stages: Callable[[int, int], Stages]
    tables: Callable[[int, int], list[int]]
    fewest: int = 2
    most: int = 4000
    needs_winner: bool = False
    moves_together: bool = False
    variants: int = 1


def shapes(entries: int, *, are_drawn: bool) -> list[PlanShape]:
    """Return the kinds of plan for so many pairs, or for people whose partners are drawn."""
    known = _DRAWN if are_drawn else _FIXED
    return [shape for shape in known if shape.fewest <= entries <= shape.most]


def tables_at_once(key: str, *, entries: int, rounds: int) -> int:
    """Return how many tables a plan of this kind needs in its fullest round."""
    shape = next(shape for shape in (*_FIXED, *_DRAWN) if shape.key == key)
    return max(shape.tables(entries, rounds))


def _all_at_tables(seats: int) -> Callable[[int, int], list[int]]:
    return lambda entries, rounds: [max(1, entries // seats)] * rounds


def _open(
    key: str,
    *,
    seats: int = 2,
    fewest: int = 6,
    most: int = 4000,
    variants: int = 1,
    moves_together: bool = False,
) -> PlanShape:
    """Return a plan of one format with any number of rounds, while there are new opponents."""
    return PlanShape(
        key=key,
        rounds=lambda entries: range(2, min(9, entries - 1) + 1),
        stages=lambda entries, rounds: ({"format": key, "rounds": rounds},),
        tables=_all_at_tables(seats),
        fewest=fewest,
        most=most,
        moves_together=moves_together,
        variants=variants,
    )


def bracket_shape(key: str, bracket: Callable[[int], Bracket], *, fewest: int) -> PlanShape:
    """Return a plan of one bracket for all entries."""
    return PlanShape(
        key=key,
        rounds=lambda entries: (soonest(bracket(entries)).rounds,),
        stages=lambda entries, rounds: ({"format": key},),
        tables=lambda entries, rounds: _tables_in(bracket(entries)),
        fewest=fewest,
        needs_winner=True,
    )


def _tables_in(bracket: Bracket) -> list[int]:
    count = Counter(slot.round for slot in soonest(bracket).slots)
    return [count[number] for number in sorted(count)]


def _round_robin(legs: int, *, most: int) -> PlanShape:
    stage = {"format": "round_robin", **({"settings": {"legs": legs}} if legs > 1 else {})}
    return PlanShape(
        key="round_robin" if legs == 1 else "round_robin_twice",
        rounds=lambda entries: (FORMATS["round_robin"].rounds(entries, {"legs": legs}) or 0,),
        stages=lambda entries, rounds: (stage,),
        tables=_all_at_tables(2),
        most=most,
    )


# Pools of four, then a knockout of the first two of each


def _pools_stages(entries: int, rounds: int) -> Stages:
    return (
        {"format": "pools", "settings": {"pool_size": 4}},
        {"format": "knockout", "takes": "pool_top", "count": 2, "settings": {"separate": ["pool"]}},
    )


def _pools_tables(entries: int, rounds: int) -> list[int]:
    pools = FORMATS["pools"].rounds(entries, {"pool_size": 4}) or 0
    return [entries // 2] * pools + _tables_in(knockout_bracket(2 * -(-entries // 4)))


# A Swiss, then a final of the best while the others play on


def _finalists(entries: int) -> int:
    return 8 if entries >= 32 else 4


def _finals_stages(entries: int, rounds: int) -> Stages:
    best = _finalists(entries)
    final = knockout_bracket(best).rounds
    return (
        {"format": "swiss", "rounds": rounds - final},
        {"format": "knockout", "takes": "ranked", "last": best},
        {"format": "swiss", "rounds": final, "takes": "ranked", "first": best + 1, "beside": True},
    )


def _final_four_stages(entries: int, rounds: int) -> Stages:
    return (
        {"format": "swiss_individual", "rounds": rounds - 3},
        {"format": "rotation", "rounds": 3, "settings": {"rounds": 3}, "takes": "ranked", "last": 4},
        {"format": "swiss_individual", "rounds": 3, "takes": "ranked", "first": 5, "beside": True},
    )


_FIXED = (
    _open("swiss", variants=3),
    _round_robin(1, most=14),
    _round_robin(2, most=4),
    PlanShape(
        key="swiss_finals",
        rounds=lambda entries: [
            knockout_bracket(_finalists(entries)).rounds + rounds
            for rounds in range(3, min(7, entries - 4) + 1)
        ],
        stages=_finals_stages,
        tables=_all_at_tables(2),
        fewest=10,
        needs_winner=True,
    ),
    PlanShape(
        key="pools_knockout",
        rounds=lambda entries: (len(_pools_tables(entries, 0)),),
        stages=_pools_stages,
        tables=_pools_tables,
        fewest=8,
        needs_winner=True,
    ),
    bracket_shape("double_elimination", double_elimination_bracket, fewest=4),
    bracket_shape("consolation", consolation_bracket, fewest=4),
    _open("progressive", fewest=4, moves_together=True),
    _open("random", moves_together=True, variants=2),
)

_DRAWN = (
    _open("swiss_individual", seats=4, fewest=8, most=240, variants=2),
    PlanShape(
        key="rotation",
        rounds=lambda entries: range(2, min(15, entries - 1) + 1),
        stages=lambda entries, rounds: (
            {"format": "rotation", "rounds": rounds, "settings": {"rounds": rounds}},
        ),
        tables=_all_at_tables(4),
        fewest=4,
        most=400,
        moves_together=True,
        variants=2,
    ),
    PlanShape(
        key="swiss_final_four",
        rounds=lambda entries: range(6, 10),
        stages=_final_four_stages,
        tables=_all_at_tables(4),
        fewest=12,
        most=200,
    ),
    _open("progressive_individual", seats=4, fewest=8, moves_together=True, variants=2),
    _open("by_rank", seats=4, fewest=8, variants=2),
)
