"""A fixed movement: half stays, the others go round, and nobody meets anybody twice."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, DrawInput, Entrant, EntryId, LockedTable, PlayedPairing, ReasonCode, draw
from errors import Refusal

from .events import byes, event, field, pairs, played

STAYS = ("even_numbers", "odd_numbers", "first_half")


def seats(drawn_round: int, before: DrawInput) -> list[str]:
    """Table by table who meets whom, as on a guide card."""
    drawn = draw("mitchell", replace(before, round=drawn_round))
    return [f"{table.number}: {table.a[0]} v {table.b[0]}" for table in drawn.tables]


def test_a_guide_card_for_eight_reads_like_this() -> None:
    before = field(*range(1, 9), stays="first_half")
    assert [seats(number, before) for number in (1, 2, 3, 4)] == [
        ["1: 1 v 5", "2: 2 v 6", "3: 3 v 7", "4: 4 v 8"],
        ["1: 1 v 8", "2: 2 v 5", "3: 3 v 6", "4: 4 v 7"],
        ["1: 1 v 7", "2: 2 v 8", "3: 3 v 5", "4: 4 v 6"],
        ["1: 1 v 6", "2: 2 v 7", "3: 3 v 8", "4: 4 v 5"],
    ]


@pytest.mark.slow
@given(st.integers(2, 24), st.sampled_from(STAYS))
def test_everybody_of_one_half_meets_everybody_of_the_other_once(count: int, stays: str) -> None:
    tables = (count + 1) // 2
    rounds = [drawn for _, drawn in event("mitchell", count, tables, seed=1, stays=stays)]
    met = Counter(pair for drawn in rounds for pair in pairs(drawn))
    assert FORMATS["mitchell"].rounds(count, {"stays": stays}) == tables
    assert set(met.values()) == {1}
    assert len(met) == tables * (count - tables)


@pytest.mark.slow
@given(st.integers(2, 24), st.sampled_from(STAYS))
def test_half_stays_at_its_table_and_the_others_move_on_by_one(count: int, stays: str) -> None:
    tables = (count + 1) // 2
    rounds = [drawn for _, drawn in event("mitchell", count, tables, seed=1, stays=stays)]
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


def test_with_an_odd_number_who_comes_to_the_last_table_sits_out() -> None:
    rounds = [drawn for _, drawn in event("mitchell", 7, 4, seed=1)]
    assert [byes(drawn) for drawn in rounds] == [[6], [4], [2], [0]]
    assert all(table.number != 4 for drawn in rounds for table in drawn.tables)


def test_a_late_entry_takes_the_free_place_and_the_movement_goes_on() -> None:
    early = field(*range(7))
    history = tuple(played(draw("mitchell", early)))
    without = draw("mitchell", replace(early, round=2, history=history))
    entered = draw("mitchell", replace(field(*range(8)), round=2, history=history))
    assert pairs(entered) == pairs(without) | {frozenset({4, 7})}
    assert byes(entered) == []


@pytest.mark.parametrize("count", [6, 8, 12])
def test_a_late_entry_that_adds_a_table_brings_no_repeats(count: int) -> None:
    history = played(draw("mitchell", field(*range(count))))
    for number in range(2, count // 2 + 2):
        entered = replace(field(*range(count + 1)), round=number, history=tuple(history))
        drawn = draw("mitchell", entered)
        assert len(drawn.tables) == count // 2
        history += played(drawn)
    assert max(Counter(frozenset((*t.a, *t.b)) for t in history if t.b).values()) == 1


def test_two_of_one_half_without_opponents_play_each_other() -> None:
    entrants = field(*range(8)).entrants
    away = tuple(replace(e, absent=frozenset({1})) if e.id in {1, 3} else e for e in entrants)
    drawn = draw("mitchell", DrawInput(round=1, entrants=away))
    assert frozenset({0, 2}) in pairs(drawn)
    assert drawn.byes == ()
    assert {t.reasons[0].code for t in drawn.tables} == {ReasonCode.SCHEDULED, ReasonCode.INSTEAD_OF_BYES}


def test_two_of_one_half_who_have_met_rather_sit_out_than_meet_again() -> None:
    entrants = field(*range(8)).entrants
    away = tuple(replace(e, absent=frozenset({1})) if e.id in {1, 3} else e for e in entrants)
    earlier = (PlayedPairing(round=0, a=(EntryId(0),), b=(EntryId(2),)),)
    assert byes(draw("mitchell", DrawInput(round=1, entrants=away, history=earlier))) == [0, 2]


def test_two_of_different_halves_do_not_meet_before_their_round() -> None:
    entrants = field(*range(8)).entrants
    away = tuple(replace(e, absent=frozenset({1})) if e.id in {1, 2} else e for e in entrants)
    drawn = draw("mitchell", DrawInput(round=1, entrants=away))
    assert pairs(drawn) == {frozenset({4, 5}), frozenset({6, 7})}
    assert sorted(byes(drawn)) == [0, 3]


def test_who_cannot_change_tables_stays() -> None:
    entrants = field(*range(8)).entrants
    seated = (replace(entrants[0], table=4), *entrants[1:])
    rounds = [draw("mitchell", DrawInput(round=number, entrants=seated)) for number in (1, 2, 3, 4)]
    assert {t.number for drawn in rounds for t in drawn.tables if 0 in (*t.a, *t.b)} == {4}


def test_and_so_does_the_other_half_but_the_one_who_begins_at_the_same_table() -> None:
    entrants = field(*range(8)).entrants
    seated = (replace(entrants[0], table=4), *entrants[1:])
    rounds = [draw("mitchell", DrawInput(round=number, entrants=seated)) for number in (1, 2, 3, 4)]
    at = {
        entry: {t.number for drawn in rounds for t in drawn.tables if entry in (*t.a, *t.b)}
        for entry in range(8)
    }
    assert {entry for entry, numbers in at.items() if len(numbers) == 1} == {0, 3, 5, 7}


def test_who_moves_all_the_same_keeps_its_table_if_it_cannot_change() -> None:
    entrants = field(*range(8)).entrants
    seated = (replace(entrants[0], table=4), replace(entrants[1], table=7), *entrants[2:])
    rounds = [draw("mitchell", DrawInput(round=number, entrants=seated)) for number in (2, 3, 4)]
    assert {t.number for drawn in rounds for t in drawn.tables if 0 in (*t.a, *t.b)} == {4}
    assert {t.number for drawn in rounds for t in drawn.tables if 1 in (*t.a, *t.b)} == {7}


def test_after_the_last_round_and_with_fewer_rounds_nothing_is_left() -> None:
    assert FORMATS["mitchell"].rounds(10, {"rounds": 3}) == 3
    (_, last) = event("mitchell", 10, 4, seed=1, rounds=3)[3]
    assert (last.tables, last.byes) == ((), ())


def test_a_locked_table_is_not_dealt_with_twice() -> None:
    locked = (LockedTable(number=1, a=(EntryId(0),), b=(EntryId(3),)),)
    drawn = draw("mitchell", replace(field(*range(8)), locked=locked))
    numbers = [table.number for table in drawn.tables]
    assert len(set(numbers)) == len(numbers) == 4
    assert frozenset({1, 2}) in pairs(drawn)


def test_history_of_strangers_does_not_end_the_movement() -> None:
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
def test_settings_that_cannot_be_are_refused(settings: dict[str, object], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        draw("mitchell", replace(field(0, 1), settings=settings))
    assert refused.value.code == code
