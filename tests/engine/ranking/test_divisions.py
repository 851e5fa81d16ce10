"""Promotion and relegation."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine.ranking import DivisionMove, find_division_moves

RANKS = st.lists(st.booleans(), min_size=1, max_size=9).map(
    lambda ties: [
        1 + max(place for place in range(index + 1) if not place or not ties[place]) for index in range(len(ties))
    ]
)


@given(st.lists(RANKS, min_size=1, max_size=4), st.integers(0, 3))
def test_teams_of_one_rank_move_together_and_nobody_leaves_the_divisions(
    divisions: list[list[int]], places: int
) -> None:
    moves = find_division_moves(divisions, places)
    assert DivisionMove.PROMOTED not in moves[0]
    assert DivisionMove.RELEGATED not in moves[-1]
    for ranks, found in zip(divisions, moves, strict=True):
        assert len(found) == len(ranks)
        assert len(set(zip(ranks, found, strict=True))) == len(set(ranks))
        assert found == sorted(found, key=[DivisionMove.PROMOTED, DivisionMove.STAYS, DivisionMove.RELEGATED].index)
        assert all(found.count(move) <= places for move in (DivisionMove.PROMOTED, DivisionMove.RELEGATED))


def test_the_last_of_a_division_changes_with_the_first_below() -> None:
    assert find_division_moves([[1, 2, 3], [1, 2, 3]], 1) == [["", "", "down"], ["up", "", ""]]


@given(st.lists(st.integers(1, 9), min_size=2, max_size=4), st.integers(0, 4))
def test_as_many_teams_are_promoted_as_relegated(sizes: list[int], places: int) -> None:
    moves = find_division_moves([range(size) for size in sizes], places)
    for upper, lower in pairwise(moves):
        assert upper.count(DivisionMove.RELEGATED) == lower.count(DivisionMove.PROMOTED)
