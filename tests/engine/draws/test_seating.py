"""Table numbers and sides of a draw."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import DrawInput, Entrant, EntryId, LockedTable
from engine.draws.history import History
from engine.draws.seating import choose_sides, number_tables
from rules import Side

from .events import build_pairing

SECTIONS = {"hall": (1, 2), "stage": (5, 6)}


def build_entrant(number: int, **needs: Any) -> Entrant:
    return Entrant(id=EntryId(number), number=number, **needs)


def number_tables_in(*tables: tuple[Entrant, Entrant], locked: tuple[int, ...] = (), **hall: Any) -> list[int]:
    locked_tables = tuple(LockedTable(number=number, a=(), b=()) for number in locked)
    return number_tables(tables, DrawInput(round=1, entrants=(), locked=locked_tables, **hall))


def test_tables_are_numbered_from_the_top_around_locked_ones() -> None:
    tables = [
        (build_entrant(1), build_entrant(2)),
        (build_entrant(3), build_entrant(4)),
        (build_entrant(5), build_entrant(6)),
    ]
    assert number_tables_in(*tables) == [1, 2, 3]
    assert number_tables_in(*tables, locked=(1, 3)) == [2, 4, 5]


def test_entry_with_a_fixed_table_keeps_it_despite_its_rank() -> None:
    assert number_tables_in((build_entrant(1), build_entrant(2)), (build_entrant(3), build_entrant(4, table=1))) == [
        2,
        1,
    ]


def test_better_ranked_entry_gets_a_contested_fixed_table() -> None:
    assert number_tables_in(
        (build_entrant(1, table=3), build_entrant(2)), (build_entrant(3, table=3), build_entrant(4))
    ) == [3, 1]


def test_section_uses_its_own_table_range() -> None:
    stage = (build_entrant(1, section="stage"), build_entrant(2, section="stage"))
    hall = (build_entrant(3, section="hall"), build_entrant(4, section="hall"))
    others = (build_entrant(5), build_entrant(6))
    assert number_tables_in(stage, others, hall, others, section_tables=SECTIONS) == [5, 3, 1, 4]


def test_oversized_section_continues_at_free_tables() -> None:
    hall = (build_entrant(1, section="hall"), build_entrant(2, section="hall"))
    assert number_tables_in(hall, hall, hall, section_tables=SECTIONS) == [1, 2, 3]


def test_invalid_table_range_is_ignored() -> None:
    hall, stage = (
        (build_entrant(1, section="hall"), build_entrant(2)),
        (build_entrant(3, section="stage"), build_entrant(4)),
    )
    assert number_tables_in(hall, stage, section_tables={"hall": (-3, 1), "stage": (9, 5)}) == [1, 2]


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.none() | st.integers(1, 9), st.sampled_from([None, "hall", "stage", "balcony"]))),
    st.sets(st.integers(1, 12)),
)
def test_table_numbers_are_unique_and_never_locked(
    needs: list[tuple[int | None, str | None]], locked: set[int]
) -> None:
    tables = [
        (build_entrant(2 * n, table=table, section=section), build_entrant(2 * n + 1))
        for n, (table, section) in enumerate(needs)
    ]
    given_numbers = number_tables_in(*tables, locked=tuple(locked), section_tables=SECTIONS)
    assert len(set(given_numbers)) == len(tables)
    assert not set(given_numbers) & locked
    assert all(number >= 1 for number in given_numbers)


@pytest.mark.parametrize("swapped", [False, True])
def test_side_choice_follows_fixed_sides_then_balance(swapped: bool) -> None:
    def sits_on_a(one: Entrant, other: Entrant, *history: Any) -> int:
        both = (other, one) if swapped else (one, other)
        return choose_sides(*both, history=History(history), chance=Random(1))[0][0]

    assert sits_on_a(build_entrant(1), build_entrant(2, side=Side.A)) == 2
    assert sits_on_a(build_entrant(1, side=Side.B), build_entrant(2)) == 2
    assert sits_on_a(build_entrant(1), build_entrant(2), build_pairing(1, 1, 3)) == 2
    assert sits_on_a(build_entrant(1, side=Side.A), build_entrant(2), build_pairing(1, 1, 3)) == 1
