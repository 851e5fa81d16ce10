"""Accelerated rounds: Baku acceleration (FIDE Handbook C.04.5.1), beside its definition."""

from dataclasses import replace
from math import ceil

import pytest

from bench.simulated.oracle import Objective, every_pairing
from engine.draws import Draw, DrawInput, EntryId, ReasonCode, draw
from engine.draws.pairing_cost.acceleration import with_head_start
from errors import Refusal

from .events import event, field, met, pairs


def ahead(size: int, rounds: int, played_round: int) -> int:
    """Return how many of so many entries have a head start, in order of the list, and by how much."""
    scores = [
        entrant.score
        for entrant in with_head_start(field(*range(size), played_round=played_round), rounds).entrants
    ]
    upper = [score for score in scores if score]
    assert scores == [*upper, *[0] * (size - len(upper))]
    assert len(set(upper)) <= 1
    return len(upper)


def head_starts(rounds: int, of: int) -> list[int]:
    fields = (field(0, 1, 2, 3, played_round=number) for number in range(1, of + 1))
    return [with_head_start(before, rounds).entrants[0].score for before in fields]


@pytest.mark.parametrize("size", [*range(1, 42), 161])
def test_the_upper_half_is_rounded_up_to_an_even_number(size: int) -> None:
    assert ahead(size, rounds=5, played_round=1) == min(size, 2 * ceil(size / 4))


def test_of_a_hundred_and_sixty_one_the_eighty_second_is_the_last_of_the_upper_half() -> None:
    assert ahead(161, rounds=5, played_round=1) == 82


def test_of_five_accelerated_rounds_three_give_a_win_and_two_half_a_win() -> None:
    assert head_starts(5, of=9) == [2, 2, 2, 1, 1, 0, 0, 0, 0]


def test_of_four_accelerated_rounds_two_give_a_win_and_two_half_a_win() -> None:
    assert head_starts(4, of=7) == [2, 2, 1, 1, 0, 0, 0]


def test_a_late_entry_does_not_move_the_border_of_the_halves() -> None:
    before = field(*range(9), played_round=2)
    late = [replace(entrant, arrives=2) if entrant.number == 9 else entrant for entrant in before.entrants]
    started = with_head_start(replace(before, entrants=tuple(late)), 4)
    assert [entrant.number for entrant in started.entrants if entrant.score] == [1, 2, 3, 4]


def test_in_a_first_round_each_half_meets_itself() -> None:
    drawn = draw("swiss", field(*range(16), accelerated_rounds=4))
    assert {frozenset(two) for two in ((0, 4), (1, 5), (8, 12), (11, 15))} <= pairs(drawn)
    assert all(len({entry < 8 for entry in two}) == 1 for two in pairs(drawn))


@pytest.mark.slow
@pytest.mark.parametrize("entries", [6, 7, 8])
def test_by_the_definition_none_is_better_as_long_as_it_lasts(entries: int) -> None:
    for seed in range(4):
        for before, drawn in event("swiss", entries, 5, seed=seed, accelerated_rounds=3):
            objective = Objective("swiss", _by_definition(before))
            cost = objective.cost(_pairing(drawn))
            assert cost == min(map(objective.cost, every_pairing(objective.entries)))


def _by_definition(before: DrawInput) -> DrawInput:
    """Three accelerated rounds of entries who all stay: two of a win, one of half a win."""
    upper = 2 * ceil(len(before.entrants) / 4)
    more = {1: 2, 2: 2, 3: 1}

    def worth(entry: EntryId, number: int) -> int:
        return more.get(number, 0) if entry < upper else 0

    return replace(
        before,
        settings={},
        entrants=tuple(
            replace(each, score=each.score + worth(each.id, before.round)) for each in before.entrants
        ),
        history=tuple(
            replace(
                t,
                scores=(t.scores[0] + worth(t.a[0], t.round), t.scores[1] + worth(t.b[0], t.round)),
            )
            if t.b
            else t
            for t in before.history
        ),
    )


def _pairing(drawn: Draw) -> list[tuple[EntryId, EntryId | None]]:
    tables: list[tuple[EntryId, EntryId | None]] = [(table.a[0], table.b[0]) for table in drawn.tables]
    return tables + [(bye.entry, None) for bye in drawn.byes]


def test_what_is_said_of_scores_says_that_they_have_a_head_start() -> None:
    drawn = draw("swiss", field(*range(8), accelerated_rounds=2))
    for table in drawn.tables:
        (reason,) = table.reasons
        assert (reason.code, reason.details["accelerated"]) == (ReasonCode.SCORE_GROUP, True)
    after = draw("swiss", field(*range(8), history=[met(2, 0, 1)], accelerated_rounds=2))
    assert not any("accelerated" in reason.details for table in after.tables for reason in table.reasons)


def test_the_rounds_are_a_number() -> None:
    with pytest.raises(Refusal) as refused:
        draw("swiss", field(0, 1, accelerated_rounds="half"))
    assert (refused.value.code, refused.value.field) == ("not_a_number", "accelerated_rounds")
