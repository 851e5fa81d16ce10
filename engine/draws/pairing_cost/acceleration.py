"""Accelerated first rounds: a head start for the upper half of the starting list, whose entries then meet.

Baku acceleration, FIDE Handbook C.04.5.1. In a large field whose list goes by strength, a first round of
upper half against lower half is decided before it is played. With the head start, neighbours in strength meet
earlier. The head start ends before the last rounds. It counts only for the draw, never in the standings.

=====  ===================================================================================================
rule   where
=====  ===================================================================================================
2      ``_find_upper_half``: half of those present at first, rounded up to an even number
3      a late entry is in the half of its number; the last number of the upper half does not change
4      ``_get_head_start``: a win in the first half of the accelerated rounds, rounded up; then half a win
5      ``add_head_start``: the score for pairing and for floats
=====  ===================================================================================================
"""

from collections.abc import Iterable
from dataclasses import replace

from engine.draws.values import DrawInput, Entrant, EntryId, PlayedPairing, Reason, ReasonCode

WIN, HALF_A_WIN = 2, 1
"""The score of a match, in the units of draws."""

_SCORE_REASONS = frozenset(
    {ReasonCode.SCORE_GROUP, ReasonCode.FLOATED, ReasonCode.LOWEST_SCORE, ReasonCode.LOWEST_IN_TURN}
)


def add_head_start(draw_input: DrawInput, rounds: int) -> DrawInput:
    """Return the draw input with the scores by which the first so many ``rounds`` are paired."""
    upper = _find_upper_half(draw_input.entrants)

    def sum_head_start(entries: Iterable[EntryId], played_round: int) -> int:
        return sum(entry in upper for entry in entries) * _get_head_start(played_round, rounds)

    def accelerate_scores(table: PlayedPairing) -> tuple[int, int]:
        a, b = table.scores
        return a + sum_head_start(table.a, table.round), b + sum_head_start(table.b, table.round)

    return replace(
        draw_input,
        entrants=tuple(
            replace(entrant, score=entrant.score + sum_head_start([entrant.id], draw_input.round))
            for entrant in draw_input.entrants
        ),
        history=tuple(
            replace(table, scores=accelerate_scores(table)) if table.b else table for table in draw_input.history
        ),
    )


def mark_accelerated_reasons(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Mark the reasons that mention scores as those of a head start (``accelerated``)."""
    return tuple(
        replace(reason, details={**reason.details, "accelerated": True}) if reason.code in _SCORE_REASONS else reason
        for reason in reasons
    )


def is_accelerated(draw_input: DrawInput, rounds: int) -> bool:
    return _get_head_start(draw_input.round, rounds) > 0


def _find_upper_half(entrants: Iterable[Entrant]) -> frozenset[EntryId]:
    entrants = list(entrants)
    numbers = sorted(entrant.number for entrant in entrants if entrant.arrives <= 1)
    if not numbers:
        return frozenset()
    size = 2 * -(-len(numbers) // 4)
    last = numbers[min(size, len(numbers)) - 1]
    return frozenset(entrant.id for entrant in entrants if entrant.number <= last)


def _get_head_start(played_round: int, rounds: int) -> int:
    if not 1 <= played_round <= rounds:
        return 0
    return WIN if played_round <= -(-rounds // 2) else HALF_A_WIN
