"""Round robin: the Berger tables printed by FIDE, and the effects of changes to the list of entries."""

import json
from collections import Counter
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, DrawInput, Entrant, EntryId, LockedTable, PlayedPairing, ReasonCode, draw
from engine.draws.formats.round_robin import build_berger_table
from errors import Refusal
from rules import Side

from .events import build_bye, build_field, build_pairing, list_byes, list_pairs, play_round, simulate_event

PUBLISHED_TABLES = json.loads(Path("tests/vectors/draws/berger.json").read_text(encoding="utf-8"))["tables"]


def build_starting_list(count: int, **of_first: object) -> tuple[Entrant, ...]:
    """Build entries 1, 2, 3… by number; the keyword arguments apply to number 1."""
    entrants = [Entrant(id=EntryId(number), number=number) for number in range(1, count + 1)]
    return (replace(entrants[0], **of_first), *entrants[1:])  # type: ignore[arg-type]


def play_event(before: DrawInput, rounds: int, *, late: Entrant | None = None, joins: int = 0) -> list[PlayedPairing]:
    history: list[PlayedPairing] = []
    for number in range(1, rounds + 1):
        entrants = (*before.entrants, late) if late is not None and number >= joins else before.entrants
        drawn = draw("round_robin", replace(before, round=number, entrants=entrants, history=tuple(history)))
        history += play_round(drawn)
    return history


def count_meetings(history: list[PlayedPairing]) -> Counter[frozenset[int]]:
    return Counter(frozenset((*table.a, *table.b)) for table in history if table.b)


# The schedule


@pytest.mark.parametrize("players", [*range(3, 17)], ids="FIDE C.05 Annex 1: {} players".format)
def test_berger_tables_match_those_printed_by_fide(players: int) -> None:
    even = players + players % 2
    printed = [[tuple(map(int, pair.split("-"))) for pair in line.split()] for line in PUBLISHED_TABLES[str(even)]]
    if players % 2 == 0:
        assert [[*pairs] for pairs in build_berger_table(players)] == printed
        return
    for made, line in zip(build_berger_table(players), printed, strict=True):
        assert [pair for pair in made if None not in pair] == [pair for pair in line if even not in pair]
        assert {one for one, other in made if other is None} == {n for p in line if even in p for n in p} - {even}


@given(st.integers(2, 40))
def test_every_entry_meets_each_other_once(count: int) -> None:
    rounds = build_berger_table(count)
    meetings = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    numbers = [*range(1, count + 1), *([None] if count % 2 else [])]
    assert meetings == Counter(map(frozenset, combinations(numbers, 2)))
    assert len(rounds) == len(numbers) - 1


@given(st.integers(2, 40))
def test_side_balance_differs_by_one_at_most(count: int) -> None:
    lean: Counter[int] = Counter()
    for one, other in chain.from_iterable(build_berger_table(count)):
        if other is not None:
            lean[one] += 1
            lean[other] -= 1
    assert all(abs(difference) <= (count % 2 == 0) for difference in lean.values())


def test_second_leg_swaps_the_sides() -> None:
    drawn = [after for _, after in simulate_event("round_robin", 6, 10, seed=1, legs=2)]
    for first, second in zip(drawn[:5], drawn[5:], strict=True):
        assert [(t.a, t.b) for t in second.tables] == [(t.b, t.a) for t in first.tables]


@pytest.mark.parametrize(
    ("count", "legs", "rounds"), [(0, 1, 0), (1, 1, 0), (2, 1, 1), (7, 1, 7), (8, 1, 7), (8, 2, 14)]
)
def test_round_count_follows_entries_and_legs(count: int, legs: int, rounds: int) -> None:
    assert FORMATS["round_robin"].rounds(count, {"legs": legs}) == rounds


def test_tables_and_byes_state_the_scheduled_round() -> None:
    drawn = draw("round_robin", DrawInput(round=2, entrants=build_starting_list(5)))
    reasons = [table.reasons[0] for table in drawn.tables] + [bye.reasons[0] for bye in drawn.byes]
    assert {(reason.code, reason.details["round"]) for reason in reasons} == {(ReasonCode.SCHEDULED, 2)}


def test_finished_round_robin_draws_nothing() -> None:
    history = play_event(DrawInput(round=1, entrants=build_starting_list(6)), 5)
    drawn = draw("round_robin", DrawInput(round=6, entrants=build_starting_list(6), history=tuple(history)))
    assert (drawn.tables, drawn.byes) == ((), ())


# Absences and late entries


def test_opponent_of_an_absent_entry_gets_a_bye_with_the_reason() -> None:
    drawn = draw("round_robin", DrawInput(round=1, entrants=build_starting_list(6, absent=frozenset({1}))))
    assert list_pairs(drawn) == {frozenset({2, 5}), frozenset({3, 4})}
    (bye,) = drawn.byes
    assert (bye.entry, bye.reasons[0].code, bye.reasons[0].details["entry"]) == (
        6,
        ReasonCode.OPPONENT_MISSING,
        1,
    )


def test_missed_meeting_is_made_up_after_the_last_round() -> None:
    entrants = build_starting_list(6, absent=frozenset({1}))
    history = play_event(DrawInput(round=1, entrants=entrants), 5)
    drawn = draw("round_robin", DrawInput(round=6, entrants=entrants, history=tuple(history)))
    assert list_pairs(drawn) == {frozenset({1, 6})}
    assert list_byes(drawn) == []
    assert drawn.tables[0].reasons[0].code is ReasonCode.YET_TO_MEET


def test_withdrawn_entry_is_not_waited_for() -> None:
    entrants = build_starting_list(6, leaves_after=2)
    history = play_event(DrawInput(round=1, entrants=entrants), 5)
    drawn = draw("round_robin", DrawInput(round=6, entrants=entrants, history=tuple(history)))
    assert (drawn.tables, drawn.byes) == ((), ())


@pytest.mark.slow
@pytest.mark.parametrize("count", range(4, 14))
def test_late_entry_meets_everyone_without_unneeded_rounds(count: int) -> None:
    before = DrawInput(round=1, entrants=build_starting_list(count))
    late = Entrant(id=EntryId(count + 1), number=count + 1)
    for joins in range(2, count):
        meetings = count_meetings(play_event(before, joins - 1 + count, late=late, joins=joins))
        assert len(meetings) == (count + 1) * count // 2
        assert set(meetings.values()) == {1}


@pytest.mark.parametrize("had_a_bye", [0, 1, 2, 3])
def test_entry_with_a_bye_gets_no_second_one_before_its_peers(
    had_a_bye: int,
) -> None:
    of_the_directors_own = (build_pairing(1, 0, 1), build_pairing(1, 2, 3), build_bye(1, 4), build_bye(0, had_a_bye))
    drawn = draw("round_robin", build_field(*range(5), history=of_the_directors_own))
    assert list_byes(drawn) not in ([had_a_bye], [4])


def test_late_entry_takes_the_place_of_the_bye() -> None:
    early = DrawInput(round=1, entrants=build_starting_list(7))
    history = tuple(play_round(draw("round_robin", early)))
    without = draw("round_robin", replace(early, round=2, history=history))
    entered = draw("round_robin", replace(early, round=2, history=history, entrants=build_starting_list(8)))
    assert list_pairs(entered) == list_pairs(without) | {frozenset({5, 8})}


# Locked tables and fixed seats


def test_locked_table_pairs_the_two_displaced_opponents() -> None:
    locked = (LockedTable(number=3, a=(EntryId(1),), b=(EntryId(2),)),)
    drawn = draw("round_robin", DrawInput(round=1, entrants=build_starting_list(6), locked=locked))
    assert list_pairs(drawn) == {frozenset({1, 2}), frozenset({5, 6}), frozenset({3, 4})}
    assert {table.number for table in drawn.tables} == {1, 2, 3}


def test_locked_table_causes_no_rematch_and_no_missing_meeting() -> None:
    entrants = build_starting_list(6)
    locked = (LockedTable(number=1, a=(EntryId(1),), b=(EntryId(2),)),)
    history: list[PlayedPairing] = []
    for number in range(1, 9):
        state = DrawInput(round=number, entrants=entrants, history=tuple(history))
        history += play_round(draw("round_robin", replace(state, locked=locked) if number == 1 else state))
    assert set(count_meetings(history).values()) == {1}
    assert len(count_meetings(history)) == 15


def test_entry_bound_to_side_b_sits_there() -> None:
    drawn = draw("round_robin", DrawInput(round=1, entrants=build_starting_list(4, side=Side.B)))
    assert [(table.a, table.b) for table in drawn.tables] == [((4,), (1,)), ((2,), (3,))]


def test_entry_with_a_fixed_table_gets_the_reason() -> None:
    drawn = draw("round_robin", DrawInput(round=1, entrants=build_starting_list(4, table=9)))
    assert [table.number for table in drawn.tables] == [1, 9]
    assert drawn.tables[1].reasons[-1].code is ReasonCode.FIXED_TABLE


def test_early_meeting_counts_for_the_pairing_and_not_the_round() -> None:
    out_of_turn = (build_pairing(1, 0, 1),)
    entrants = tuple(Entrant(id=EntryId(entry), number=entry + 1) for entry in range(4))
    drawn = draw("round_robin", DrawInput(round=2, entrants=entrants, history=out_of_turn))
    assert frozenset({0, 1}) not in list_pairs(drawn)


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"legs": 3}, "no_such_choice"),
        ({"legs": True}, "no_such_choice"),
        ({"rounds": 3}, "no_such_setting"),
    ],
)
def test_round_robin_rejects_invalid_settings(settings: dict[str, object], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        draw("round_robin", DrawInput(round=1, entrants=build_starting_list(4), settings=settings))
    assert (refused.value.code, refused.value.field) == (code, next(iter(settings)))
