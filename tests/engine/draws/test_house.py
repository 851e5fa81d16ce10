"""House players complete a table where others would sit out."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import DrawInput, Entrant, EntryId, LockedTable, PlayedPairing
from engine.draws.stages import Stage, draw_stage
from engine.draws.values import Draw

from .events import byes, played

HOUSE = EntryId(100)


def field_of(size: int, *, house: int = 1) -> DrawInput:
    people = [Entrant(id=EntryId(number), number=number) for number in range(1, size + 1)]
    helpers = [
        Entrant(id=EntryId(99 + number), number=size + number, is_house=True)
        for number in range(1, house + 1)
    ]
    return DrawInput(round=1, entrants=(*people, *helpers), seed=1)


def seated(drawn: Draw) -> set[int]:
    return {entry for table in drawn.tables for entry in (*table.a, *table.b)}


@pytest.mark.parametrize("format_key", ["swiss", "random", "interclub_all", "progressive", "round_robin"])
@given(size=st.integers(2, 15))
def test_pairs_of_the_house_play_only_where_a_pair_would_sit_out(format_key: str, size: int) -> None:
    before, history = field_of(size), list[PlayedPairing]()
    for number in (1, 2, 3):
        drawn = draw_stage((Stage(format=format_key),), replace(before, round=number, history=tuple(history)))
        assert HOUSE not in byes(drawn)
        if drawn.tables:
            assert (HOUSE in seated(drawn)) == (size % 2 == 1)
            assert byes(drawn) == []
        history += played(drawn)


@pytest.mark.parametrize(("size", "house", "plays"), [(7, 1, 1), (6, 1, 0), (6, 2, 2), (6, 3, 2), (8, 2, 0)])
def test_people_of_the_house_play_only_where_they_fill_the_tables(size: int, house: int, plays: int) -> None:
    drawn = draw_stage((Stage(format="swiss_individual"),), field_of(size, house=house))
    assert sum(entry >= HOUSE for entry in seated(drawn)) == plays


def test_brackets_have_no_house_players() -> None:
    drawn = draw_stage((Stage(format="knockout"),), field_of(5))
    assert HOUSE not in seated(drawn) | set(byes(drawn))


def test_sections_each_need_their_own() -> None:
    before = field_of(6, house=2)
    sections = ("A", "A", "A", "B", "B", "B", "A", "B")
    entrants = tuple(replace(one, section=name) for one, name in zip(before.entrants, sections, strict=True))
    drawn = draw_stage((Stage(format="swiss"),), replace(before, entrants=entrants))
    assert byes(drawn) == []
    assert len(drawn.tables) == 4


def test_at_a_locked_table_they_stay() -> None:
    locked = (LockedTable(number=3, a=(EntryId(1),), b=(HOUSE,)),)
    drawn = draw_stage((Stage(format="swiss"),), replace(field_of(5), locked=locked))
    assert HOUSE in seated(drawn)
    assert byes(drawn) == []
