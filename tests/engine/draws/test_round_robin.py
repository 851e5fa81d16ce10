"""Everybody meets everybody: the Berger tables as FIDE prints them, and what a change of the list does."""

import json
from collections import Counter
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, DrawInput, Entrant, EntryId, LockedTable, PlayedPairing, ReasonCode, draw
from engine.draws.formats.round_robin import berger_table
from errors import Refusal
from rules import Side

from .events import byes, event, field, met, pairs, played, sat_out

PUBLISHED = json.loads(Path("tests/vectors/draws/berger.json").read_text(encoding="utf-8"))["tables"]


def starting_list(count: int, **of_first: object) -> tuple[Entrant, ...]:
    """Entries 1, 2, 3… by number; what is said concerns number 1."""
    entrants = [Entrant(id=EntryId(number), number=number) for number in range(1, count + 1)]
    return (replace(entrants[0], **of_first), *entrants[1:])  # type: ignore[arg-type]


def whole_event(
    before: DrawInput, rounds: int, *, late: Entrant | None = None, joins: int = 0
) -> list[PlayedPairing]:
    history: list[PlayedPairing] = []
    for number in range(1, rounds + 1):
        entrants = (*before.entrants, late) if late is not None and number >= joins else before.entrants
        drawn = draw("round_robin", replace(before, round=number, entrants=entrants, history=tuple(history)))
        history += played(drawn)
    return history


def times_met(history: list[PlayedPairing]) -> Counter[frozenset[int]]:
    return Counter(frozenset((*table.a, *table.b)) for table in history if table.b)


# The tables


@pytest.mark.parametrize("players", [*range(3, 17)], ids="FIDE C.05 Annex 1: {} players".format)
def test_the_tables_are_those_that_fide_prints(players: int) -> None:
    even = players + players % 2
    printed = [[tuple(map(int, pair.split("-"))) for pair in line.split()] for line in PUBLISHED[str(even)]]
    if players % 2 == 0:
        assert [[*pairs] for pairs in berger_table(players)] == printed
        return
    for made, line in zip(berger_table(players), printed, strict=True):
        assert [pair for pair in made if None not in pair] == [pair for pair in line if even not in pair]
        assert {one for one, other in made if other is None} == {n for p in line if even in p for n in p} - {
            even
        }


@given(st.integers(2, 40))
def test_everybody_meets_everybody_once_and_sits_out_once_if_the_number_is_odd(count: int) -> None:
    rounds = berger_table(count)
    meetings = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    numbers = [*range(1, count + 1), *([None] if count % 2 else [])]
    assert meetings == Counter(map(frozenset, combinations(numbers, 2)))
    assert len(rounds) == len(numbers) - 1


@given(st.integers(2, 40))
def test_sides_differ_by_one_at_most_and_not_at_all_if_the_number_is_odd(count: int) -> None:
    lean: Counter[int] = Counter()
    for one, other in chain.from_iterable(berger_table(count)):
        if other is not None:
            lean[one] += 1
            lean[other] -= 1
    assert all(abs(difference) <= (count % 2 == 0) for difference in lean.values())


def test_in_the_second_leg_sides_change() -> None:
    drawn = [after for _, after in event("round_robin", 6, 10, seed=1, legs=2)]
    for first, second in zip(drawn[:5], drawn[5:], strict=True):
        assert [(t.a, t.b) for t in second.tables] == [(t.b, t.a) for t in first.tables]


@pytest.mark.parametrize(
    ("count", "legs", "rounds"), [(0, 1, 0), (1, 1, 0), (2, 1, 1), (7, 1, 7), (8, 1, 7), (8, 2, 14)]
)
def test_how_many_rounds_there_are(count: int, legs: int, rounds: int) -> None:
    assert FORMATS["round_robin"].rounds(count, {"legs": legs}) == rounds


def test_each_table_and_bye_says_of_which_round_it_is() -> None:
    drawn = draw("round_robin", DrawInput(round=2, entrants=starting_list(5)))
    told = [table.reasons[0] for table in drawn.tables] + [bye.reasons[0] for bye in drawn.byes]
    assert {(reason.code, reason.details["round"]) for reason in told} == {(ReasonCode.SCHEDULED, 2)}


def test_after_the_last_round_nothing_is_left() -> None:
    history = whole_event(DrawInput(round=1, entrants=starting_list(6)), 5)
    drawn = draw("round_robin", DrawInput(round=6, entrants=starting_list(6), history=tuple(history)))
    assert (drawn.tables, drawn.byes) == ((), ())


# Who is not there


def test_the_opponent_of_somebody_absent_sits_out_and_is_told_whom_it_missed() -> None:
    drawn = draw("round_robin", DrawInput(round=1, entrants=starting_list(6, absent=frozenset({1}))))
    assert pairs(drawn) == {frozenset({2, 5}), frozenset({3, 4})}
    (bye,) = drawn.byes
    assert (bye.entry, bye.reasons[0].code, bye.reasons[0].details["entry"]) == (
        6,
        ReasonCode.OPPONENT_MISSING,
        1,
    )


def test_a_meeting_missed_is_made_up_after_the_last_round_and_nobody_else_is_called() -> None:
    entrants = starting_list(6, absent=frozenset({1}))
    history = whole_event(DrawInput(round=1, entrants=entrants), 5)
    drawn = draw("round_robin", DrawInput(round=6, entrants=entrants, history=tuple(history)))
    assert pairs(drawn) == {frozenset({1, 6})}
    assert byes(drawn) == []
    assert drawn.tables[0].reasons[0].code is ReasonCode.YET_TO_MEET


def test_who_has_left_for_good_is_not_waited_for() -> None:
    entrants = starting_list(6, leaves_after=2)
    history = whole_event(DrawInput(round=1, entrants=entrants), 5)
    drawn = draw("round_robin", DrawInput(round=6, entrants=entrants, history=tuple(history)))
    assert (drawn.tables, drawn.byes) == ((), ())


@pytest.mark.parametrize("count", range(4, 14))
def test_a_late_entry_meets_everybody_and_costs_no_round_that_it_does_not_need(count: int) -> None:
    before = DrawInput(round=1, entrants=starting_list(count))
    late = Entrant(id=EntryId(count + 1), number=count + 1)
    for joins in range(2, count):
        meetings = times_met(whole_event(before, joins - 1 + count, late=late, joins=joins))
        assert len(meetings) == (count + 1) * count // 2
        assert set(meetings.values()) == {1}


@pytest.mark.parametrize("had_a_bye", [0, 1, 2, 3])
def test_of_those_with_as_many_meetings_before_them_who_has_had_a_bye_does_not_have_another(
    had_a_bye: int,
) -> None:
    of_the_directors_own = (met(1, 0, 1), met(1, 2, 3), sat_out(1, 4), sat_out(0, had_a_bye))
    drawn = draw("round_robin", field(*range(5), history=of_the_directors_own))
    assert byes(drawn) not in ([had_a_bye], [4])


def test_a_late_entry_into_an_odd_field_takes_the_place_of_the_bye_and_changes_nothing_else() -> None:
    early = DrawInput(round=1, entrants=starting_list(7))
    history = tuple(played(draw("round_robin", early)))
    without = draw("round_robin", replace(early, round=2, history=history))
    entered = draw("round_robin", replace(early, round=2, history=history, entrants=starting_list(8)))
    assert pairs(entered) == pairs(without) | {frozenset({5, 8})}


# The director's own tables


def test_a_locked_table_leaves_the_two_it_robbed_to_each_other() -> None:
    locked = (LockedTable(number=3, a=(EntryId(1),), b=(EntryId(2),)),)
    drawn = draw("round_robin", DrawInput(round=1, entrants=starting_list(6), locked=locked))
    assert pairs(drawn) == {frozenset({1, 2}), frozenset({5, 6}), frozenset({3, 4})}
    assert {table.number for table in drawn.tables} == {1, 2, 3}


def test_after_a_locked_table_nobody_meets_twice_and_everybody_meets_all_the_same() -> None:
    entrants = starting_list(6)
    locked = (LockedTable(number=1, a=(EntryId(1),), b=(EntryId(2),)),)
    history: list[PlayedPairing] = []
    for number in range(1, 9):
        state = DrawInput(round=number, entrants=entrants, history=tuple(history))
        history += played(draw("round_robin", replace(state, locked=locked) if number == 1 else state))
    assert set(times_met(history).values()) == {1}
    assert len(times_met(history)) == 15


def test_who_must_sit_on_side_b_does() -> None:
    drawn = draw("round_robin", DrawInput(round=1, entrants=starting_list(4, side=Side.B)))
    assert [(table.a, table.b) for table in drawn.tables] == [((4,), (1,)), ((2,), (3,))]


def test_who_always_sits_at_one_table_is_told_so() -> None:
    drawn = draw("round_robin", DrawInput(round=1, entrants=starting_list(4, table=9)))
    assert [table.number for table in drawn.tables] == [1, 9]
    assert drawn.tables[1].reasons[-1].code is ReasonCode.FIXED_TABLE


def test_meetings_in_rounds_of_their_own_count_for_the_pair_not_for_the_round() -> None:
    out_of_turn = (met(1, 0, 1),)
    entrants = tuple(Entrant(id=EntryId(entry), number=entry + 1) for entry in range(4))
    drawn = draw("round_robin", DrawInput(round=2, entrants=entrants, history=out_of_turn))
    assert frozenset({0, 1}) not in pairs(drawn)


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"legs": 3}, "no_such_choice"),
        ({"legs": True}, "no_such_choice"),
        ({"rounds": 3}, "no_such_setting"),
    ],
)
def test_settings_that_are_none_are_refused(settings: dict[str, object], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        draw("round_robin", DrawInput(round=1, entrants=starting_list(4), settings=settings))
    assert (refused.value.code, refused.value.field) == (code, next(iter(settings)))
