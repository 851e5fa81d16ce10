"""Plans that fit the time: those of each kind that use it best; and why others are left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest

from errors import Refusal
from rules import MatchFormat

from .lengths import GAMES, SET_LENGTHS, estimate_minutes
from .pool_finals import KINDS as POOL_FINALS
from .pool_finals import MAX_GROUP, MIN_LAST_GROUP, estimate_shortest, find_pool_finals
from .proposals import Proposal
from .questions import PlanQuestion, check_question
from .shapes import PlanShape, list_all_shapes, list_shapes

MAX_PROPOSALS = 8
"""The most proposals that can be compared on one page."""

_RESERVE = 0.96
"""The share of the time that a plan may fill as estimated here, so that it also fits when simulated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """A kind of plan that is not proposed: the key of the reason, and the numbers for its sentence."""

    key: str
    reason: str
    details: Mapping[str, int] = field(default_factory=dict, hash=False)


def find_candidates(question: PlanQuestion) -> tuple[Proposal, ...]:
    """Return plans whose median finishing time is within the time available: at most eight, of different kinds.

    Refuses: what ``check_question`` refuses; too_little_time (``least_minutes`` is the time needed).
    """
    check_question(question)
    found = _choose_proposals(_list_variants(question))
    if not found:
        kinds = list_shapes(question.entries, has_drawn_partners=question.has_drawn_partners)
        least_minutes = min(_estimate_min_minutes(shape, question) for shape in kinds)
        raise Refusal("too_little_time", field="minutes", least=least_minutes)
    return found


def _choose_proposals(variants: Mapping[str, Sequence[Proposal]]) -> tuple[Proposal, ...]:
    """Return the plans to compare: one of each kind first, so that they differ."""
    rows = zip_longest(*variants.values())
    return tuple(islice((proposal for row in rows for proposal in row if proposal is not None), MAX_PROPOSALS))


def list_exclusions(question: PlanQuestion) -> list[Exclusion]:
    """Return why each other kind is left out: the fewest rounds and minutes it takes, its limit of entries, or that
    so many others are compared already."""
    shapes = {shape.key: shape for shape in list_all_shapes(has_drawn_partners=question.has_drawn_partners)}
    variants = _list_variants(question)
    proposed = {proposal.key for proposal in _choose_proposals(variants)}
    left_out = []
    for key in [key for key in dict.fromkeys((*shapes, *variants)) if key not in proposed]:
        if variants.get(key):
            left_out.append(Exclusion(key=key, reason="not_compared", details={"most": MAX_PROPOSALS}))
        elif key not in variants:
            shape = shapes[key]
            is_few = question.entries < shape.min_entries
            limit = {"least": shape.min_entries} if is_few else {"most": shape.max_entries}
            left_out.append(Exclusion(key=key, reason="too_few" if is_few else "too_many", details=limit))
        elif shortest := _estimate_shortest(key, shapes, question):
            rounds, minutes = shortest
            left_out.append(Exclusion(key=key, reason="too_long", details={"rounds": rounds, "minutes": minutes}))
        else:
            left_out.append(
                Exclusion(key=key, reason="no_groups", details={"least": MIN_LAST_GROUP, "most": MAX_GROUP})
            )
    return left_out


def _estimate_shortest(key: str, shapes: Mapping[str, PlanShape], question: PlanQuestion) -> tuple[int, int] | None:
    """Return the fewest rounds of this kind and their minutes; None if pools and finals need other numbers."""
    if key in shapes:
        return min(shapes[key].rounds(question.entries)), _estimate_min_minutes(shapes[key], question)
    return estimate_shortest(key, question, share=_RESERVE)


def _list_variants(question: PlanQuestion) -> dict[str, list[Proposal]]:
    """Return the plans that fit, by their kind."""
    variants = {}
    for shape in list_shapes(question.entries, has_drawn_partners=question.has_drawn_partners):
        variants[shape.key] = list(_iterate_variants(shape, question))
        if shape.key == "pools_knockout":
            variants |= {key: list(find_pool_finals(key, question, share=_RESERVE)) for key in POOL_FINALS}
    return variants


def _iterate_variants(shape: PlanShape, question: PlanQuestion) -> Iterator[Proposal]:
    """Yield plans of this kind: matches that end by games, matches of a set length, and as many rounds as
    possible."""
    rounds_by_length = {length: _count_max_rounds(shape, question, length) for length in _list_lengths(shape)}
    chosen_lengths = [
        _find_best_length(GAMES, rounds_by_length, question),
        _find_best_length(SET_LENGTHS, rounds_by_length, question),
    ]
    chosen_lengths.append(max(rounds_by_length, key=lambda length: rounds_by_length[length]))
    if shape.moves_together:
        chosen_lengths = chosen_lengths[1:]
    lengths = dict.fromkeys(length for length in chosen_lengths if length is not None and rounds_by_length[length])
    for length in islice(lengths, shape.variants):
        rounds = rounds_by_length[length]
        yield Proposal(
            key=shape.key,
            stages=shape.stages(question.entries, rounds),
            match_format=length,
            rounds=rounds,
        )


def _list_lengths(shape: PlanShape) -> Sequence[MatchFormat]:
    return GAMES if shape.needs_winner else (*GAMES, *SET_LENGTHS)


def _find_best_length(
    lengths: Sequence[MatchFormat], rounds_by_length: dict[MatchFormat, int], question: PlanQuestion
) -> MatchFormat | None:
    """Return the longest match that leaves time for enough rounds to separate the field; else the one with
    the most rounds."""
    usable = [length for length in lengths if rounds_by_length.get(length)]
    enough = min(7, max(4, (question.entries - 1).bit_length()))
    long = (length for length in usable if rounds_by_length[length] >= min(enough, max(rounds_by_length.values())))
    return next(long, max(usable, key=lambda length: rounds_by_length[length], default=None))


def _count_max_rounds(shape: PlanShape, question: PlanQuestion, length: MatchFormat) -> int:
    """Return the most rounds of this kind that fit; 0 if none do."""
    fits = [
        rounds
        for rounds in shape.rounds(question.entries)
        if _estimate_minutes(shape, question, length, rounds) <= _RESERVE * question.minutes
    ]
    return max(fits, default=0)


def _estimate_minutes(shape: PlanShape, question: PlanQuestion, length: MatchFormat, rounds: int) -> float:
    return estimate_minutes(question, length, shape.tables(question.entries, rounds))


def _estimate_min_minutes(shape: PlanShape, question: PlanQuestion) -> int:
    """Return the fewest minutes that this kind takes."""
    rounds = min(shape.rounds(question.entries))
    return 1 + int(
        min(_estimate_minutes(shape, question, length, rounds) for length in _list_lengths(shape)) / _RESERVE
    )
