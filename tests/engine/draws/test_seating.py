"""Table and sides of a pairing."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import DrawInput, Entrant, EntryId, LockedTable
from engine.draws.history import History
from engine.draws.seating import choose_sides, number_tables
from rules import Side

from .events import met

SECTIONS = {"hall": (1, 2), "stage": (5, 6)}


def entrant(number: int, **needs: Any) -> Entrant:
    return Entrant(id=EntryId(number), number=number, **needs)


def numbers(*tables: tuple[Entrant, Entrant], locked: tuple[int, ...] = (), **hall: Any) -> list[int]:
    locked_tables = tuple(LockedTable(number=number, a=(), b=()) for number in locked)
    return number_tables(tables, DrawInput(round=1, entrants=(), locked=locked_tables, **hall))


def test_tables_are_numbered_from_the_top_and_pass_over_those_that_are_locked() -> None:
    tables = [(entrant(1), entrant(2)), (entrant(3), entrant(4)), (entrant(5), entrant(6))]
    assert numbers(*tables) == [1, 2, 3]
    assert numbers(*tables, locked=(1, 3)) == [2, 4, 5]


def test_who_cannot_sit_elsewhere_has_the_table_whatever_the_standing() -> None:
    assert numbers((entrant(1), entrant(2)), (entrant(3), entrant(4, table=1))) == [2, 1]


def test_of_two_who_need_one_table_the_better_has_it() -> None:
    assert numbers((entrant(1, table=3), entrant(2)), (entrant(3, table=3), entrant(4))) == [3, 1]


def test_a_section_keeps_to_its_tables_and_the_others_to_the_rest() -> None:
    stage = (entrant(1, section="stage"), entrant(2, section="stage"))
    hall = (entrant(3, section="hall"), entrant(4, section="hall"))
    others = (entrant(5), entrant(6))
    assert numbers(stage, others, hall, others, section_tables=SECTIONS) == [5, 3, 1, 4]


def test_a_section_that_is_too_large_goes_on_where_there_is_room() -> None:
    hall = (entrant(1, section="hall"), entrant(2, section="hall"))
    assert numbers(hall, hall, hall, section_tables=SECTIONS) == [1, 2, 3]


def test_a_range_of_tables_below_1_or_the_wrong_way_round_gives_none() -> None:
    hall, stage = (entrant(1, section="hall"), entrant(2)), (entrant(3, section="stage"), entrant(4))
    assert numbers(hall, stage, section_tables={"hall": (-3, 1), "stage": (9, 5)}) == [1, 2]


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.none() | st.integers(1, 9), st.sampled_from([None, "hall", "stage", "balcony"]))),
    st.sets(st.integers(1, 12)),
)
def test_no_number_is_given_twice_or_taken_from_a_locked_table(
    needs: list[tuple[int | None, str | None]], locked: set[int]
) -> None:
    tables = [
        (entrant(2 * n, table=table, section=section), entrant(2 * n + 1))
        for n, (table, section) in enumerate(needs)
    ]
    given_numbers = numbers(*tables, locked=tuple(locked), section_tables=SECTIONS)
    assert len(set(given_numbers)) == len(tables)
    assert not set(given_numbers) & locked
    assert all(number >= 1 for number in given_numbers)


@pytest.mark.parametrize("swapped", [False, True])
def test_who_must_sit_on_a_side_does_and_else_whoever_has_sat_there_less(swapped: bool) -> None:
    def sits_on_a(one: Entrant, other: Entrant, *history: Any) -> int:
        both = (other, one) if swapped else (one, other)
        return choose_sides(*both, history=History(history), chance=Random(1))[0][0]

    assert sits_on_a(entrant(1), entrant(2, side=Side.A)) == 2
    assert sits_on_a(entrant(1, side=Side.B), entrant(2)) == 2
    assert sits_on_a(entrant(1), entrant(2), met(1, 1, 3)) == 2
    assert sits_on_a(entrant(1, side=Side.A), entrant(2), met(1, 1, 3)) == 1
