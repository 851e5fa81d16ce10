"""Seats of a published round that no longer follow from the results after a correction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clubs.wording import join_names
from engine.standings import PlainContradiction
from tournaments.entries.queries.entries import entries_of
from tournaments.history.presenters.history import names_by_number
from tournaments.lifecycle import RoundState
from tournaments.models import Event
from tournaments.standings.queries.standings import contradictions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionView:
    """A table (None: a walkover, or a whole stage) with the names of those seated and those expected.
    ``swap`` has the two numbers to swap, if it is a pair."""

    round: int
    table: int | None
    is_of_stage: bool
    seated: str
    expected: str
    swap: tuple[int, int] | None


def contradiction_views(event: Event, *, in_closed: bool = False) -> tuple[ContradictionView, ...]:
    """Return the contradictions found when the standings were last computed, in rounds not closed and in
    stages that go on.

    ``in_closed`` returns those in closed rounds instead, which cannot be swapped any more. One query without
    any; two more to tell them.
    """
    found = contradictions_of(event)
    if not found:
        return ()
    closed = set(event.rounds.filter(state=RoundState.CLOSED).values_list("number", flat=True))
    kept = [
        each
        for each in found
        if (each["round"] in closed) == in_closed or (_is_of_stage(each) and not in_closed)
    ]
    if not kept:
        return ()
    names = names_by_number(entries_of(event))
    return tuple(_view(each, names, may_swap=each["round"] not in closed) for each in kept)


def _is_of_stage(kept: PlainContradiction) -> bool:
    return kept["slot"].endswith(":")


def _view(kept: PlainContradiction, names: Mapping[int, str], *, may_swap: bool) -> ContradictionView:
    seated, expected = kept["seated"], kept["expected"]
    is_pair = len(seated) == len(expected) == 1
    return ContradictionView(
        round=kept["round"],
        table=kept["table"],
        is_of_stage=_is_of_stage(kept),
        seated=_join_numbers(seated, names),
        expected=_join_numbers(expected, names),
        swap=(seated[0], expected[0]) if is_pair and may_swap else None,
    )


def _join_numbers(numbers: Sequence[int], names: Mapping[int, str]) -> str:
    return join_names([names.get(number, str(number)) for number in numbers])
