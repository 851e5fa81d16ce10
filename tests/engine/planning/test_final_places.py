"""Final places: those of the brackets, with finalists ahead of the other entries."""

from dataclasses import replace
from random import Random

import pytest

from engine.draws import FORMATS, DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.stages.drawing import draw_stage
from engine.draws.stages.plans import StagePlan, parse_stage_plan
from engine.planning.running_standings import RunningStandings, compute_final_order
from rules import Side

BRACKETS = sorted(key for key, draw_format in FORMATS.items() if draw_format.is_bracket)


def play_event(plan: StagePlan, entries: int, *, seed: int) -> DrawInput:
    """Return the event after its last round, with random results."""
    chance = Random(seed)
    entrants = tuple(Entrant(id=EntryId(number), number=number) for number in range(1, entries + 1))
    before = DrawInput(round=1, entrants=entrants)
    while (drawn := draw_stage(plan, before)).tables:
        tables = [
            PlayedPairing(round=before.round, a=t.a, b=t.b, slot=t.slot, winner=chance.choice(list(Side)))
            for t in drawn.tables
        ]
        before = replace(before, round=before.round + 1, history=(*before.history, *tables))
    return before


@pytest.mark.slow
@pytest.mark.parametrize("key", BRACKETS)
@pytest.mark.parametrize("entries", [2, 4, 5, 8, 11, 16, 23])
def test_a_bracket_ends_in_the_order_of_its_places(key: str, entries: int) -> None:
    plan = parse_stage_plan([{"format": key}])
    for seed in range(10):
        end = play_event(plan, entries, seed=seed)
        order = compute_final_order(plan, end.history, [entrant.id for entrant in end.entrants], [])
        own = tuple(replace(table, slot=table.slot.partition(":")[2]) for table in end.history)
        places = FORMATS[key].places(replace(end, history=own)).final
        reached = [places[entry] for entry in order]
        assert len(order) == entries
        assert reached[0] == 1
        assert reached == sorted(reached)


def test_finalists_rank_ahead_of_the_others() -> None:
    plan = parse_stage_plan(
        [
            {"format": "swiss", "rounds": 3},
            {"format": "knockout", "takes": "ranked", "last": 4},
            {"format": "swiss", "rounds": 2, "takes": "ranked", "first": 5, "beside": True},
        ]
    )
    end = play_event(plan, 12, seed=1)
    numbers = [entrant.id for entrant in end.entrants]
    order = compute_final_order(plan, end.history, numbers[::-1], [numbers])
    (final,) = (table for table in end.history if table.slot.startswith("2:W2"))
    assert (order[0],) == (final.a if final.winner is Side.A else final.b)
    assert set(order[:4]) == {1, 2, 3, 4}
    assert order[4:] == numbers[:3:-1]


def test_entries_that_did_not_qualify_keep_their_order() -> None:
    plan = parse_stage_plan([{"format": "swiss", "rounds": 2}, {"format": "knockout", "takes": "top", "count": 4}])
    end = play_event(plan, 8, seed=1)
    before = [EntryId(number) for number in (1, 2, 3, 4, 7, 5, 8, 6)]
    order = compute_final_order(plan, end.history, sorted(before), [before])
    assert set(order[:4]) == {1, 2, 3, 4}
    assert order[4:] == [7, 5, 8, 6]


def test_equal_pairs_rank_by_opponents_and_people_by_difference() -> None:
    entries = [EntryId(number) for number in (1, 2, 3, 4)]
    for by_opponents, order in ((True, [1, 2, 4, 3]), (False, [4, 1, 2, 3])):
        standing = RunningStandings(entries, counts_opponents=by_opponents)
        for a, b, margin in ((1, 2, 3), (4, 3, 9), (2, 3, 1)):
            standing.record_match(PlayedPairing(round=1, a=(EntryId(a),), b=(EntryId(b),), winner=Side.A), margin)
        assert standing.get_order() == order
