"""Description of the next round before it is drawn: its entries, byes and stage."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import Draw, DrawnBye, Entrant, EntryId, ReasonCode
from engine.draws.stages import parse_stage_plan
from engine.ranking import RankingRules
from engine.results import (
    EventRules,
    EventSnapshot,
    PlayedTable,
    build_draw_input,
    draw_next_round,
    get_bye_reason,
    get_next_round,
)
from errors import Refusal

PLANS: dict[str, list[dict[str, Any]]] = {
    "swiss": [{"format": "swiss"}],
    "round robin": [{"format": "round_robin"}],
    "pools": [{"format": "pools", "settings": {"pools": 2}}],
    "pools, and a final": [
        {"format": "pools", "settings": {"pools": 2}},
        {"format": "knockout", "takes": "pool_top", "count": 1},
    ],
    "people": [{"format": "swiss_individual"}],
    "people, twos left over play": [{"format": "swiss_individual", "settings": {"odd": "two_player_table"}}],
}


def build_snapshot(plan: list[dict[str, Any]], count: int, chance: Random) -> EventSnapshot:
    """Build a snapshot in which some entries come late, leave, miss a round or request a bye."""
    return EventSnapshot(
        basis=EventRules(plan=parse_stage_plan(plan), rules=RankingRules()),
        entrants=tuple(
            Entrant(
                id=EntryId(number),
                number=number,
                arrives=chance.choice([1, 1, 1, 2]),
                leaves_after=chance.choice([None, None, None, 2]),
                absent=frozenset(chance.choices([1, 2, 3], k=chance.randint(0, 1))),
                requested_byes=frozenset(chance.choices([1, 2, 3], k=chance.randint(0, 1))),
            )
            for number in range(1, count + 1)
        ),
    )


def draw_next(snapshot: EventSnapshot) -> Draw | None:
    """Draw the next round; return None if everything is played or nothing can be drawn."""
    try:
        found = draw_next_round(snapshot, build_draw_input(snapshot, seed=1))
    except Refusal:
        return None
    return found if found.tables else None


def play(snapshot: EventSnapshot, draw: Draw, chance: Random) -> EventSnapshot:
    order = [entrant.id for entrant in build_draw_input(snapshot, seed=1).entrants]
    tables = [
        PlayedTable(
            round=draw.round, a=table.a, b=table.b, table=table.number, slot=table.slot,
            outcome={"winner": chance.choice("AB"), "games_won": (1, 0), "points": (32, 6)},
        )
        for table in draw.tables
    ]  # fmt: skip
    byes = [
        PlayedTable(
            round=draw.round, a=(bye.entry,), slot=bye.slot, bye_reason=get_bye_reason(map(get_code, bye.reasons))
        )
        for bye in draw.byes
    ]
    return replace(snapshot, tables=(*snapshot.tables, *tables, *byes), orders={**snapshot.orders, draw.round: order})


def get_code(reason: Any) -> str:
    return str(reason.code)


def is_requested_bye(bye: DrawnBye) -> bool:
    return ReasonCode.BYE_REQUESTED in {reason.code for reason in bye.reasons}


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS)
@given(count=st.integers(2, 9), chance=st.randoms(use_true_random=False))
def test_unseated_count_equals_the_byes_of_the_draw(plan: str, count: int, chance: Random) -> None:
    snapshot = build_snapshot(PLANS[plan], count, chance)
    while (draw := draw_next(snapshot)) is not None:
        next_round = get_next_round(snapshot)
        if not next_round.is_bracket:
            assert next_round.unseated_count == len([bye for bye in draw.byes if not is_requested_bye(bye)])
        assert {entry for table in draw.tables for entry in (*table.a, *table.b)} <= next_round.entries
        snapshot = play(snapshot, draw, chance)
        if plan in ("swiss", "people", "people, twos left over play") and draw.round == 4:
            return  # these formats have no last round


def test_final_begins_after_pools_without_a_round_count() -> None:
    snapshot = build_snapshot(PLANS["pools, and a final"], 4, Random(1))
    snapshot = replace(snapshot, entrants=tuple(Entrant(id=EntryId(each), number=each) for each in range(1, 5)))
    draw = draw_next(snapshot)
    assert draw is not None
    assert get_next_round(snapshot).is_in_pools
    next_round = get_next_round(play(snapshot, draw, Random(1)))
    assert (next_round.is_bracket, next_round.begins, next_round.is_in_pools, len(next_round.entries)) == (
        True,
        True,
        False,
        2,
    )
