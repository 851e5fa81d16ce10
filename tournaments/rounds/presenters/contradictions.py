"""Seats of a published round that no longer follow from the results after a correction."""

from collections.abc import Mapping, Sequence
from typing import Any

from clubs.name_formats import join_names
from engine.standings import ContradictionJson
from tournaments.entries.queries.entries import get_entries
from tournaments.history.presenters.history import map_names_by_number
from tournaments.lifecycle import RoundState
from tournaments.models import Event
from tournaments.standings.queries.standings import list_contradictions


def build_contradiction_views(event: Event, *, in_closed_rounds: bool = False) -> list[dict[str, Any]]:
    """Return the contradictions found when the standings were last computed, in rounds not closed and in
    stages that go on.

    With ``in_closed_rounds``, return those in closed rounds instead, which cannot be swapped any more. One query
    without any; two more to present them.
    """
    contradictions = list_contradictions(event)
    if not contradictions:
        return []
    closed_numbers = set(event.rounds.filter(state=RoundState.CLOSED).values_list("number", flat=True))
    shown = [
        contradiction
        for contradiction in contradictions
        if (contradiction["round"] in closed_numbers) == in_closed_rounds
        or (_concerns_stage(contradiction) and not in_closed_rounds)
    ]
    if not shown:
        return []
    names = map_names_by_number(get_entries(event))
    return [
        _build_view(contradiction, names, may_swap=contradiction["round"] not in closed_numbers)
        for contradiction in shown
    ]


def _concerns_stage(contradiction: ContradictionJson) -> bool:
    return contradiction["slot"].endswith(":")


def _build_view(contradiction: ContradictionJson, names: Mapping[int, str], *, may_swap: bool) -> dict[str, Any]:
    """Return a table (None: a walkover, or a whole stage) with the names of those seated and those expected. ``swap``
    has the two numbers to swap, if it is a pair."""
    seated, expected = contradiction["seated"], contradiction["expected"]
    is_pair = len(seated) == len(expected) == 1
    return {
        "round": contradiction["round"],
        "table": contradiction["table"],
        "concerns_stage": _concerns_stage(contradiction),
        "seated": _join_numbers(seated, names),
        "expected": _join_numbers(expected, names),
        "swap": (seated[0], expected[0]) if is_pair and may_swap else None,
    }


def _join_numbers(numbers: Sequence[int], names: Mapping[int, str]) -> str:
    return join_names([names.get(number, str(number)) for number in numbers])
