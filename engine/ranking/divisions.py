"""Promotion and relegation between divisions."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise


class DivisionMove(StrEnum):
    """The move of a team to the division above or below, after the season."""

    STAYS = ""
    PROMOTED = "up"
    RELEGATED = "down"


def find_division_moves(divisions: Sequence[Sequence[int]], places: int) -> list[list[DivisionMove]]:
    """Return the move of each team, by the ranks in each division, best first, the highest division first. So many
    ``places`` change between two divisions, at most half of the smaller. Teams with the same rank across the line
    stay: the director decides.

    >>> find_division_moves([[1, 2, 3], [1, 2, 2]], 1)[0]
    [<DivisionMove.STAYS: ''>, <DivisionMove.STAYS: ''>, <DivisionMove.RELEGATED: 'down'>]
    """
    moves = [[DivisionMove.STAYS] * len(ranks) for ranks in divisions]
    for place, (upper, lower) in enumerate(pairwise(divisions)):
        count = min(places, len(upper) // 2, len(lower) // 2)
        for index in range(count):
            if lower[index] != lower[count]:
                moves[place + 1][index] = DivisionMove.PROMOTED
            if upper[-1 - index] != upper[-1 - count]:
                moves[place][-1 - index] = DivisionMove.RELEGATED
    return moves
