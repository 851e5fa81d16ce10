"""Plans that fit the time: those of each kind that use it best."""

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest

from errors import Refusal
from rules import MatchFormat

from .lengths import GAMES, SET_LENGTHS, minutes_of
from .proposals import Proposal
from .questions import PlanQuestion, check_question
from .shapes import PlanShape, shapes

MOST = 8
"""The most proposals that can be compared on one page."""

_RESERVE = 0.96
"""The share of the time that a plan may fill as estimated here, so that it also fits when simulated."""


def candidates(question: PlanQuestion) -> tuple[Proposal, ...]:
    """Return plans whose median finishing time is within the time available: at most eight, of different
    kinds.

    Refuses: what ``check_question`` refuses; too_little_time (``least``, minutes).
    """
    check_question(question)
    kinds = shapes(question.entries, are_drawn=question.are_drawn)
    variants = [list(_variants(shape, question)) for shape in kinds]
    # One of each kind first, so that the proposals to compare differ.
    found = [proposal for row in zip_longest(*variants) for proposal in row if proposal is not None]
    if not found:
        least = min(_least_minutes(shape, question) for shape in kinds)
        raise Refusal("too_little_time", field="minutes", least=least)
    return tuple(islice(found, MOST))


def _variants(shape: PlanShape, question: PlanQuestion) -> Iterator[Proposal]:
    """Yield plans of this kind: matches that end by games, matches of a set length, and as many rounds as
    possible."""
    fitting = {length: _most_rounds(shape, question, length) for length in _lengths(shape)}
    tried = [_best(GAMES, fitting, question), _best(SET_LENGTHS, fitting, question)]
    tried.append(max(fitting, key=lambda length: fitting[length]))
    if shape.moves_together:
        tried = tried[1:]
    lengths = dict.fromkeys(length for length in tried if length is not None and fitting[length])
    for length in islice(lengths, shape.variants):
        rounds = fitting[length]
        yield Proposal(
            key=shape.key,
            stages=shape.stages(question.entries, rounds),
            match_format=length,
            rounds=rounds,
        )


def _lengths(shape: PlanShape) -> Sequence[MatchFormat]:
    return GAMES if shape.needs_winner else (*GAMES, *SET_LENGTHS)


def _best(
    lengths: Sequence[MatchFormat], fitting: dict[MatchFormat, int], question: PlanQuestion
) -> MatchFormat | None:
    """Return the longest match that leaves time for enough rounds to separate the field; else the one with
    the most rounds."""
    known = [length for length in lengths if fitting.get(length)]
    enough = min(7, max(4, (question.entries - 1).bit_length()))
    long = (length for length in known if fitting[length] >= min(enough, max(fitting.values())))
    return next(long, max(known, key=lambda length: fitting[length], default=None))


def _most_rounds(shape: PlanShape, question: PlanQuestion, length: MatchFormat) -> int:
    """Return the most rounds of this kind that fit; 0 if none do."""
    fits = [
        rounds
        for rounds in shape.rounds(question.entries)
        if _minutes(shape, question, length, rounds) <= _RESERVE * question.minutes
    ]
    return max(fits, default=0)


def _minutes(shape: PlanShape, question: PlanQuestion, length: MatchFormat, rounds: int) -> float:
    return minutes_of(question, length, shape.tables(question.entries, rounds))


def _least_minutes(shape: PlanShape, question: PlanQuestion) -> int:
    """Return the fewest minutes that this kind takes."""
    rounds = min(shape.rounds(question.entries))
    return 1 + int(min(_minutes(shape, question, length, rounds) for length in _lengths(shape)) / _RESERVE)
