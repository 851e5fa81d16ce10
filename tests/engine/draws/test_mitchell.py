"""The Mitchell movement: one half stays, the other moves, and no meeting is repeated."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, DrawInput, Entrant, EntryId, LockedTable, PlayedPairing, ReasonCode, draw
from errors import Refusal

from .events import build_field, list_byes, list_pairs, play_round, simulate_event

STAYS = ("even_numbers", "odd_numbers", "first_half")


def format_seats(drawn_round: int, before: DrawInput) -> list[str]:
    """Return the meetings table by table, as on a guide card."""
    drawn = draw("mitchell", replace(before, round=drawn_round))
    return [f"{table.number}: {table.a[0]} v {table.b[0]}" for table in drawn.tables]


def test_eight_entry_movement_matches_the_guide_card() -> None:
    before = build_field(*range(1, 9), stays="first_half")
    assert [format_seats(number, before) for number in (1, 2, 3, 4)] == [
        ["1: 1 v 5", "2: 2 v 6", "3: 3 v 7", "4: 4 v 8"],
        ["1: 1 v 8", "2: 2 v 5", "3: 3 v 6", "4: 4 v 7"],
        ["1: 1 v 7", "2: 2 v 8", "3: 3 v 5", "4: 4 v 6"],
        ["1: 1 v 6", "2: 2 v 7", "3: 3 v 8", "4: 4 v 5"],
    ]


@pytest.mark.slow
@given(st.integers(2, 24), st.sampled_from(STAYS))
def test_every_entry_meets_the_other_half_once(count: int, stays: str) -> None:
    tables = (count + 1) // 2
    rounds = [drawn for _, drawn in simulate_event("mitchell", count, tables, seed=1, stays=stays)]
    met = Counter(pair for drawn in rounds for pair in list_pairs(drawn))
    assert FORMATS["mitchell"].rounds(count, {"stays": stays}) == tables
    assert set(met.values()) == {1}
    assert len(met) == tables * (count - tables)


@pytest.mark.slow
@given(st.integers(2, 24), st.sampled_from(STAYS))
def test_one_half_stays_and_the_other_moves_by_one_table(count: int, stays: str) -> None:
    tables = (count + 1) // 2
    rounds = [drawn for _, drawn in simulate_event("mitchell", count, tables, seed=1, stays=stays)]
    places: dict[int, list[tuple[int, int]]] = {}
    for drawn in rounds:
        for table in drawn.tables:
            places.setdefault(table.a[0], []).append((drawn.round, table.number))
            places.setdefault(table.b[0], []).append((drawn.round, table.number))
    stay = {entry for entry, found in places.items() if len({number for _, number in found}) == 1}
    assert len(stay) >= count // 2
    for entry, found in places.items():
        if len(found) > 1 and entry not in stay:
            assert len({(number - played_round) % tables for played_round, number in found}) == 1


def test_odd_entry_at_the_last_table_sits_out() -> None:
    rounds = [drawn for _, drawn in simulate_event("mitchell", 7, 4, seed=1)]
    assert [list_byes(drawn) for drawn in rounds] == [[6], [4], [2], [0]]
    assert all(table.number != 4 for drawn in rounds for table in drawn.tables)


def test_late_entry_takes_the_free_seat() -> None:
    early = build_field(*range(7))
    history = tuple(play_round(draw("mitchell", early)))
    without = draw("mitchell", replace(early, round=2, history=history))
    entered = draw("mitchell", replace(build_field(*range(8)), round=2, history=history))
    assert list_pairs(entered) == list_pairs(without) | {frozenset({4, 7})}
    assert list_byes(entered) == []


@pytest.mark.parametrize("count", [6, 8, 12])
def test_late_entry_that_adds_a_table_causes_no_repeats(count: int) -> None:
    history = play_round(draw("mitchell", build_field(*range(count))))
    for number in range(2, count // 2 + 2):
        entered = replace(build_field(*range(count + 1)), round=number, history=tuple(history))
        drawn = draw("mitchell", entered)
        assert len(drawn.tables) == count // 2
        history += play_round(drawn)
    assert max(Counter(frozenset((*t.a, *t.b)) for t in history if t.b).values()) == 1


def test_unopposed_entries_of_one_half_play_each_other() -> None:
    entrants = build_field(*range(8)).entrants
    away = tuple(replace(e, absent=frozenset({1})) if e.id in {1, 3} else e for e in entrants)
    drawn = draw("mitchell", DrawInput(round=1, entrants=away))
    assert frozenset({0, 2}) in list_pairs(drawn)
    assert drawn.byes == ()
    assert {t.reasons[0].code for t in drawn.tables} == {ReasonCode.SCHEDULED, ReasonCode.INSTEAD_OF_BYES}


def test_unopposed_entries_that_have_met_sit_out() -> None:
    entrants = build_field(*range(8)).entrants
    away = tuple(replace(e, absent=frozenset({1})) if e.id in {1, 3} else e for e in entrants)
    earlier = (PlayedPairing(round=0, a=(EntryId(0),), b=(EntryId(2),)),)
    assert list_byes(draw("mitchell", DrawInput(round=1, entrants=away, history=earlier))) == [0, 2]


def test_entries_of_different_halves_do_not_meet_before_their_round() -> None:
    entrants = build_field(*range(8)).entrants
    away = tuple(replace(e, absent=frozenset({1})) if e.id in {1, 2} else e for e in entrants)
    drawn = draw("mitchell", DrawInput(round=1, entrants=away))
    assert list_pairs(drawn) == {frozenset({4, 5}), frozenset({6, 7})}
    assert sorted(list_byes(drawn)) == [0, 3]


def test_entry_with_a_fixed_table_stays_there() -> None:
    entrants = build_field(*range(8)).entrants
    seated = (replace(entrants[0], table=4), *entrants[1:])
    rounds = [draw("mitchell", DrawInput(round=number, entrants=seated)) for number in (1, 2, 3, 4)]
    assert {t.number for drawn in rounds for t in drawn.tables if 0 in (*t.a, *t.b)} == {4}


def test_fixed_table_makes_the_other_half_stationary() -> None:
    entrants = build_field(*range(8)).entrants
    seated = (replace(entrants[0], table=4), *entrants[1:])
    rounds = [draw("mitchell", DrawInput(round=number, entrants=seated)) for number in (1, 2, 3, 4)]
    at = {entry: {t.number for drawn in rounds for t in drawn.tables if entry in (*t.a, *t.b)} for entry in range(8)}
    assert {entry for entry, numbers in at.items() if len(numbers) == 1} == {0, 3, 5, 7}


def test_moving_entry_with_a_fixed_table_keeps_its_table() -> None:
    entrants = build_field(*range(8)).entrants
    seated = (replace(entrants[0], table=4), replace(entrants[1], table=7), *entrants[2:])
    rounds = [draw("mitchell", DrawInput(round=number, entrants=seated)) for number in (2, 3, 4)]
    assert {t.number for drawn in rounds for t in drawn.tables if 0 in (*t.a, *t.b)} == {4}
    assert {t.number for drawn in rounds for t in drawn.tables if 1 in (*t.a, *t.b)} == {7}


def test_movement_is_empty_after_its_last_round() -> None:
    assert FORMATS["mitchell"].rounds(10, {"rounds": 3}) == 3
    (_, last) = simulate_event("mitchell", 10, 4, seed=1, rounds=3)[3]
    assert (last.tables, last.byes) == ((), ())


def test_locked_table_number_is_not_used_twice() -> None:
    locked = (LockedTable(number=1, a=(EntryId(0),), b=(EntryId(3),)),)
    drawn = draw("mitchell", replace(build_field(*range(8)), locked=locked))
    numbers = [table.number for table in drawn.tables]
    assert len(set(numbers)) == len(numbers) == 4
    assert frozenset({1, 2}) in list_pairs(drawn)


def test_unscheduled_meeting_in_history_does_not_end_the_movement() -> None:
    strangers = (PlayedPairing(round=1, a=(EntryId(0),), b=(EntryId(2),)),)
    entrants = tuple(Entrant(id=EntryId(entry), number=entry + 1) for entry in range(8))
    drawn = draw("mitchell", DrawInput(round=2, entrants=entrants, history=strangers))
    assert {table.reasons[0].code for table in drawn.tables} == {ReasonCode.SCHEDULED}


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"stays": "nobody"}, "no_such_choice"),
        ({"rounds": 0}, "number_too_small"),
        ({"tables": 2}, "no_such_setting"),
    ],
)
def test_mitchell_rejects_invalid_settings(settings: dict[str, object], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        draw("mitchell", replace(build_field(0, 1), settings=settings))
    assert refused.value.code == code
