"""House players complete a table if entries would otherwise sit out."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import DrawInput, Entrant, EntryId, LockedTable, PlayedPairing
from engine.draws.stages import Stage, draw_stage
from engine.draws.values import Draw

from .events import list_byes, play_round

HOUSE_ENTRY = EntryId(100)


def build_field(size: int, *, house_players: int = 1) -> DrawInput:
    people = [Entrant(id=EntryId(number), number=number) for number in range(1, size + 1)]
    helpers = [
        Entrant(id=EntryId(99 + number), number=size + number, is_house=True) for number in range(1, house_players + 1)
    ]
    return DrawInput(round=1, entrants=(*people, *helpers), seed=1)


def list_seated(drawn: Draw) -> set[int]:
    return {entry for table in drawn.tables for entry in (*table.a, *table.b)}


@pytest.mark.slow
@pytest.mark.parametrize("format_key", ["swiss", "random", "interclub_all", "progressive", "round_robin"])
@given(size=st.integers(2, 15))
def test_house_pair_plays_only_where_a_pair_would_sit_out(format_key: str, size: int) -> None:
    before, history = build_field(size), list[PlayedPairing]()
    for number in (1, 2, 3):
        drawn = draw_stage((Stage(format=format_key),), replace(before, round=number, history=tuple(history)))
        assert HOUSE_ENTRY not in list_byes(drawn)
        if drawn.tables:
            assert (HOUSE_ENTRY in list_seated(drawn)) == (size % 2 == 1)
            assert list_byes(drawn) == []
        history += play_round(drawn)


@pytest.mark.parametrize(("size", "house", "plays"), [(7, 1, 1), (6, 1, 0), (6, 2, 2), (6, 3, 2), (8, 2, 0)])
def test_house_players_play_only_to_fill_a_table(size: int, house: int, plays: int) -> None:
    drawn = draw_stage((Stage(format="swiss_individual"),), build_field(size, house_players=house))
    assert sum(entry >= HOUSE_ENTRY for entry in list_seated(drawn)) == plays


def test_bracket_has_no_house_players() -> None:
    drawn = draw_stage((Stage(format="knockout"),), build_field(5))
    assert HOUSE_ENTRY not in list_seated(drawn) | set(list_byes(drawn))


def test_each_section_uses_its_own_house_player() -> None:
    before = build_field(6, house_players=2)
    sections = ("A", "A", "A", "B", "B", "B", "A", "B")
    entrants = tuple(replace(one, section=name) for one, name in zip(before.entrants, sections, strict=True))
    drawn = draw_stage((Stage(format="swiss"),), replace(before, entrants=entrants))
    assert list_byes(drawn) == []
    assert len(drawn.tables) == 4


def test_house_player_at_a_locked_table_stays() -> None:
    locked = (LockedTable(number=3, a=(EntryId(1),), b=(HOUSE_ENTRY,)),)
    drawn = draw_stage((Stage(format="swiss"),), replace(build_field(5), locked=locked))
    assert HOUSE_ENTRY in list_seated(drawn)
    assert list_byes(drawn) == []
