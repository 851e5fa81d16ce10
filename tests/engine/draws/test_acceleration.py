"""Accelerated rounds: Baku acceleration (FIDE Handbook C.04.5.1), compared with its definition."""

from dataclasses import replace
from math import ceil

import pytest

from bench.simulated.oracle import Objective, iter_pairings
from engine.draws import Draw, DrawInput, EntryId, ReasonCode, draw
from engine.draws.pairing_cost.acceleration import add_head_start
from errors import Refusal

from .events import build_field, build_pairing, list_pairs, simulate_event


def count_head_starts(size: int, rounds: int, played_round: int) -> int:
    """Return how many entries have a head start; check that they are the first ones and have equal head starts."""
    scores = [
        entrant.score
        for entrant in add_head_start(build_field(*range(size), played_round=played_round), rounds).entrants
    ]
    upper = [score for score in scores if score]
    assert scores == [*upper, *[0] * (size - len(upper))]
    assert len(set(upper)) <= 1
    return len(upper)


def list_head_starts(rounds: int, of: int) -> list[int]:
    fields = (build_field(0, 1, 2, 3, played_round=number) for number in range(1, of + 1))
    return [add_head_start(before, rounds).entrants[0].score for before in fields]


@pytest.mark.parametrize("size", [*range(1, 42), 161])
def test_the_upper_half_is_rounded_up_to_an_even_number(size: int) -> None:
    assert count_head_starts(size, rounds=5, played_round=1) == min(size, 2 * ceil(size / 4))


def test_field_of_161_puts_82_entries_in_the_upper_half() -> None:
    assert count_head_starts(161, rounds=5, played_round=1) == 82


def test_five_accelerated_rounds_give_three_wins_then_two_half_wins() -> None:
    assert list_head_starts(5, of=9) == [2, 2, 2, 1, 1, 0, 0, 0, 0]


def test_four_accelerated_rounds_give_two_wins_then_two_half_wins() -> None:
    assert list_head_starts(4, of=7) == [2, 2, 1, 1, 0, 0, 0]


def test_late_entry_does_not_move_the_border_between_halves() -> None:
    before = build_field(*range(9), played_round=2)
    late = [replace(entrant, arrives=2) if entrant.number == 9 else entrant for entrant in before.entrants]
    started = add_head_start(replace(before, entrants=tuple(late)), 4)
    assert [entrant.number for entrant in started.entrants if entrant.score] == [1, 2, 3, 4]


def test_first_round_pairs_each_half_within_itself() -> None:
    drawn = draw("swiss", build_field(*range(16), accelerated_rounds=4))
    assert {frozenset(two) for two in ((0, 4), (1, 5), (8, 12), (11, 15))} <= list_pairs(drawn)
    assert all(len({entry < 8 for entry in two}) == 1 for two in list_pairs(drawn))


@pytest.mark.slow
@pytest.mark.parametrize("entries", [6, 7, 8])
def test_accelerated_pairing_has_the_least_cost_by_definition(entries: int) -> None:
    for seed in range(4):
        for before, drawn in simulate_event("swiss", entries, 5, seed=seed, accelerated_rounds=3):
            objective = Objective("swiss", _accelerate_by_definition(before))
            cost = objective.get_cost(_get_pairing(drawn))
            assert cost == min(map(objective.get_cost, iter_pairings(objective.entries)))


def _accelerate_by_definition(before: DrawInput) -> DrawInput:
    """Apply three accelerated rounds by definition: two of a win and one of half a win; no entry leaves."""
    upper = 2 * ceil(len(before.entrants) / 4)
    more = {1: 2, 2: 2, 3: 1}

    def get_bonus(entry: EntryId, number: int) -> int:
        return more.get(number, 0) if entry < upper else 0

    return replace(
        before,
        settings={},
        entrants=tuple(replace(each, score=each.score + get_bonus(each.id, before.round)) for each in before.entrants),
        history=tuple(
            replace(
                t,
                scores=(t.scores[0] + get_bonus(t.a[0], t.round), t.scores[1] + get_bonus(t.b[0], t.round)),
            )
            if t.b
            else t
            for t in before.history
        ),
    )


def _get_pairing(drawn: Draw) -> list[tuple[EntryId, EntryId | None]]:
    tables: list[tuple[EntryId, EntryId | None]] = [(table.a[0], table.b[0]) for table in drawn.tables]
    return tables + [(bye.entry, None) for bye in drawn.byes]


def test_score_reason_mentions_the_head_start_while_it_applies() -> None:
    drawn = draw("swiss", build_field(*range(8), accelerated_rounds=2))
    for table in drawn.tables:
        (reason,) = table.reasons
        assert (reason.code, reason.details["accelerated"]) == (ReasonCode.SCORE_GROUP, True)
    after = draw("swiss", build_field(*range(8), history=[build_pairing(2, 0, 1)], accelerated_rounds=2))
    assert not any("accelerated" in reason.details for table in after.tables for reason in table.reasons)


def test_accelerated_rounds_setting_must_be_a_number() -> None:
    with pytest.raises(Refusal) as refused:
        draw("swiss", build_field(0, 1, accelerated_rounds="half"))
    assert (refused.value.code, refused.value.field) == ("not_a_number", "accelerated_rounds")
