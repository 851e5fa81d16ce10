"""Pools: dealt in a snake, club-mates apart where it costs nothing, a round robin in each."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, Bond, DrawInput, Entrant, EntryId, PlayedPairing, draw
from engine.draws.formats.pools import label, pools_of
from errors import Refusal

from .events import event, field, pairs, played


def clubs(*names: str) -> tuple[Entrant, ...]:
    """Entries 1, 2, 3… of these clubs."""
    return tuple(
        Entrant(id=EntryId(number), number=number, bonds=frozenset({Bond("club", name)}))
        for number, name in enumerate(names, start=1)
    )


def test_entries_are_dealt_in_a_snake() -> None:
    assert pools_of(field(*range(1, 11), pools=3)) == {"A": (1, 6, 7), "B": (2, 5, 8), "C": (3, 4, 9, 10)}


def test_by_size_there_are_as_many_pools_as_it_takes() -> None:
    sizes = [len(pool) for pool in pools_of(field(*range(10), pool_size=4)).values()]
    assert sizes == [3, 3, 4]


@pytest.mark.parametrize(("entries", "pools"), [(0, 1), (1, 1), (3, 1), (4, 2), (5, 2)])
def test_nobody_is_alone_in_a_pool_if_there_is_company(entries: int, pools: int) -> None:
    assert len(pools_of(field(*range(entries), pools=9))) == pools


def test_labels_go_on_after_z() -> None:
    assert [label(place) for place in (0, 25, 26, 51, 52, 702)] == ["A", "Z", "AA", "AZ", "BA", "AAA"]


def test_club_mates_change_places_within_their_tier() -> None:
    before = DrawInput(round=1, entrants=clubs("Amos", "Baie", "Chibo", "Chibo"), settings={"pools": 2})
    assert pools_of(before) == {"A": (1, 4), "B": (2, 3)}
    before = replace(before, entrants=clubs("Amos", "Baie", "Baie", "Chibo"))
    assert pools_of(before) == {"A": (1, 3), "B": (2, 4)}


@given(st.lists(st.sampled_from("ABC"), min_size=2, max_size=20), st.integers(1, 5))
def test_each_tier_has_one_in_each_pool_whatever_the_clubs(names: list[str], count: int) -> None:
    before = DrawInput(round=1, entrants=clubs(*names), settings={"pools": count})
    pools = pools_of(before)
    assert sorted(entry for pool in pools.values() for entry in pool) == [*range(1, len(names) + 1)]
    for start in range(1, len(names) + 1 - len(pools), len(pools)):
        tier = set(range(start, start + len(pools)))
        assert all(len(tier & {*pool}) == 1 for pool in pools.values())


def test_in_each_pool_everybody_meets_everybody_and_nobody_else() -> None:
    rounds = event("pools", 11, 5, seed=1, pools=3)
    met = Counter(pair for _, drawn in rounds for pair in pairs(drawn))
    pools = pools_of(rounds[0][0]).values()
    assert met == Counter(frozenset((a, b)) for pool in pools for a in pool for b in pool if a < b)
    assert FORMATS["pools"].rounds(11, {"pools": 3}) == 3


def test_tables_and_reasons_name_the_pool() -> None:
    drawn = draw("pools", field(*range(8), pools=2))
    assert [(table.slot, table.reasons[0].details["pool"]) for table in drawn.tables] == [
        ("A", "A"),
        ("A", "A"),
        ("B", "B"),
        ("B", "B"),
    ]


def test_a_pool_that_is_through_has_neither_tables_nor_byes() -> None:
    (_, last) = event("pools", 7, 5, seed=1, pools=2)[4]
    assert (last.tables, last.byes) == ((), ())
    assert len(event("pools", 7, 3, seed=1, pools=2)[2][1].byes) == 1


def test_a_late_entry_joins_the_smallest_pool_and_moves_nobody() -> None:
    early = field(*range(9), pool_size=5)
    history = tuple(played(draw("pools", early)))
    late = (*early.entrants, *field(9, 10).entrants)
    pools = pools_of(replace(early, round=2, history=history, entrants=late))
    assert pools_of(early) == {"A": (0, 3, 4, 7, 8), "B": (1, 2, 5, 6)}
    assert pools == {"A": (0, 3, 4, 7, 8, 10), "B": (1, 2, 5, 6, 9)}


def test_a_slot_of_another_stage_is_no_pool() -> None:
    earlier = (PlayedPairing(round=1, a=(EntryId(0),), b=(EntryId(1),), slot="W1.1"),)
    assert pools_of(field(*range(4), pools=2, history=earlier)) == pools_of(field(*range(4), pools=2))


@pytest.mark.parametrize(
    ("settings", "code", "name"),
    [
        ({"pools": 0}, "number_too_small", "pools"),
        ({"pools": "two"}, "not_a_number", "pools"),
        ({"pool_size": 1}, "number_too_small", "pool_size"),
        ({"pools": 2, "pool_size": 4}, "settings_exclude", "pool_size"),
        ({"legs": 0}, "no_such_choice", "legs"),
        ({"size": 4}, "no_such_setting", "size"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, object], code: str, name: str) -> None:
    with pytest.raises(Refusal) as refused:
        pools_of(DrawInput(round=1, entrants=(), settings=settings))
    assert (refused.value.code, refused.value.field) == (code, name)
