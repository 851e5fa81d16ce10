"""Promotion and relegation between divisions."""

from collections.abc import Sequence
from enum import StrEnum


class DivisionMove(StrEnum):
    """The move of a team to the division above or below, after the season."""

    STAYS = ""
    PROMOTED = "up"
    RELEGATED = "down"


def find_division_moves(divisions: Sequence[Sequence[int]], places: int) -> list[list[DivisionMove]]:
    """Return the move of each team, by the ranks in each division, best first, the highest division first. So many
    ``places`` change each time, at most half of a division. Teams with the same rank across the line stay: the
    director decides.

    >>> find_division_moves([[1, 2, 3], [1, 2, 2]], 1)[0]
    [<DivisionMove.STAYS: ''>, <DivisionMove.STAYS: ''>, <DivisionMove.RELEGATED: 'down'>]
    """
    moves = [[DivisionMove.STAYS] * len(ranks) for ranks in divisions]
    for place, ranks in enumerate(divisions):
        count = min(places, len(ranks) // 2)
        for index, rank in enumerate(ranks):
            if place > 0 and index < count and rank != ranks[count]:
                moves[place][index] = DivisionMove.PROMOTED
            if place < len(divisions) - 1 and index >= len(ranks) - count and rank != ranks[len(ranks) - count - 1]:
                moves[place][index] = DivisionMove.RELEGATED
    return moves
