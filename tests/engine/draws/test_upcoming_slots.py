"""Upcoming slots and settings checks, both without a draw, agree with the draw."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, Bond, Draw, DrawInput, PlayedPairing
from engine.draws.stages import StagePlan, draw_stage, list_next_slots, parse_stage_plan, plan_from_json
from errors import Refusal
from rules import Side
from tests.rules.sheets import property_settings

from .bracket_events import fields_with_absentees, list_decided_slots, start

PLANS: dict[str, StagePlan] = {
    **{key: parse_stage_plan([{"format": key}]) for key in FORMATS},
    "two-player tables": parse_stage_plan([{"format": "rotation", "settings": {"odd": "two_player_table"}}]),
    "by rank, two-player tables": parse_stage_plan([{"format": "by_rank", "settings": {"odd": "two_player_table"}}]),
    "clubs by order": parse_stage_plan([{"format": "interclub", "settings": {"meet": "by_order"}}]),
    "every place": parse_stage_plan([{"format": "knockout", "settings": {"places": "all"}}]),
    "twice": parse_stage_plan([{"format": "round_robin", "settings": {"legs": 2}}]),
    "a final": parse_stage_plan([{"format": "swiss", "rounds": 2}, {"format": "knockout", "takes": "top", "count": 4}]),
    "pools and groups": parse_stage_plan(
        [
            {"format": "pools"},
            {"format": "knockout", "takes": "pool_top", "count": 2},
            {"format": "consolation", "takes": "pool_top", "first": 3, "count": 2, "beside": True},
        ]
    ),
    "after a bracket": parse_stage_plan([{"format": "knockout"}, {"format": "swiss", "rounds": 2}]),
}
MAX_ROUNDS = 12


def build_standings(plan: StagePlan, before: DrawInput) -> list[list[Any]]:
    return [[entrant.id for entrant in before.entrants]] * len(plan)


def draw_or_none(plan: StagePlan, before: DrawInput) -> Draw | None:
    """Return the drawn round, or None if the winner of an earlier match is missing."""
    try:
        return draw_stage(plan, before, build_standings(plan, before))
    except Refusal:
        return None


def play_draw(drawn: Draw, chance: Random, *, undecided: float) -> Iterator[PlayedPairing]:
    for table in drawn.tables:
        winner = None if chance.random() < undecided else chance.choice(list(Side))
        yield PlayedPairing(round=drawn.round, table=table.number, a=table.a, b=table.b, slot=table.slot, winner=winner)
    for bye in drawn.byes:
        yield PlayedPairing(round=drawn.round, a=(bye.entry,), slot=bye.slot)


@pytest.mark.long
@pytest.mark.parametrize("name", PLANS)
@property_settings
@given(field=fields_with_absentees(most=14), seed=st.integers(0, 1000), undecided=st.sampled_from((0, 0.1)))
def test_upcoming_slots_match_the_next_draw(name: str, field: DrawInput, seed: int, undecided: float) -> None:
    plan, chance = PLANS[name], Random(seed)
    clubs = [Bond("club", chance.choice("abc")) for _ in field.entrants]
    before = replace(
        field,
        entrants=tuple(
            replace(one, bonds=frozenset({club}), arrives=2 if chance.random() < 0.1 else 1)
            for one, club in zip(field.entrants, clubs, strict=True)
        ),
    )
    for _ in range(MAX_ROUNDS):
        ahead, drawn = list_next_slots(plan, before, build_standings(plan, before)), draw_or_none(plan, before)
        if drawn is None:
            assert ahead
            return
        assert ahead == list_decided_slots(plan, drawn)
        if not ahead:
            return
        history = (*before.history, *play_draw(drawn, chance, undecided=undecided))
        before = replace(before, round=before.round + 1, history=history)


def test_slot_with_an_undecided_entrant_is_upcoming() -> None:
    plan, before = parse_stage_plan([{"format": "knockout"}]), start(4)
    undecided = tuple(play_draw(draw_stage(plan, before), Random(1), undecided=1))
    assert list_next_slots(plan, replace(before, round=2, history=undecided)) == {"1:W2-1"}


# Settings

VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    1,
    3,
    -1,
    "",
    "x",
    "bye",
    "lot",
    "club",
    ["club"],
    [1, 1],
    {},
    "5",
    2.5,
)


def find_refusal(what: Callable[[], object]) -> tuple[str, str | None] | None:
    try:
        what()
    except Refusal as refusal:
        return refusal.code, refusal.field
    return None


@pytest.mark.parametrize("key", FORMATS)
def test_settings_check_agrees_with_the_draw(key: str) -> None:
    names = {"x", *list_known_settings(key)}
    for name, value in product(sorted(names), VALUES):
        empty = DrawInput(round=1, entrants=(), settings={name: value})
        assert find_refusal(lambda: FORMATS[key].check({name: value})) == find_refusal(  # noqa: B023
            lambda: FORMATS[key].draw(empty)  # noqa: B023
        ), (name, value)


def list_known_settings(key: str) -> tuple[str, ...]:
    """Return the settings that the format names when it refuses an unknown one."""
    try:
        FORMATS[key].check({"no such": 1})
    except Refusal as refusal:
        return tuple(refusal.details["known"])
    raise AssertionError(f"{key} takes any setting")


@pytest.mark.parametrize(
    "plan_json",
    [
        [{"format": "swiss", "rounds": 3}, {"format": "knockout", "takes": "top", "count": 4}],
        [{"format": "pools", "settings": None, "rounds": None, "count": None}],
    ],
)
def test_stored_plan_is_read_as_it_was_parsed(plan_json: list[dict[str, Any]]) -> None:
    assert plan_from_json(plan_json) == parse_stage_plan(plan_json)
