"""Pools: dealt in a snake, with clubmates apart if that costs nothing, and a round robin in each."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, Bond, DrawInput, Entrant, EntryId, PlayedPairing, draw
from engine.draws.formats.pools import build_pools, get_pool_label
from errors import Refusal

from .events import build_field, list_pairs, play_round, simulate_event


def build_club_entrants(*names: str) -> tuple[Entrant, ...]:
    """Build entries 1, 2, 3… of these clubs."""
    return tuple(
        Entrant(id=EntryId(number), number=number, bonds=frozenset({Bond("club", name)}))
        for number, name in enumerate(names, start=1)
    )


def test_entries_are_distributed_in_a_snake() -> None:
    assert build_pools(build_field(*range(1, 11), pools=3)) == {"A": (1, 6, 7), "B": (2, 5, 8), "C": (3, 4, 9, 10)}


def test_pool_size_determines_the_number_of_pools() -> None:
    sizes = [len(pool) for pool in build_pools(build_field(*range(10), pool_size=4)).values()]
    assert sizes == [3, 3, 4]


@pytest.mark.parametrize(("entries", "pools"), [(0, 1), (1, 1), (3, 1), (4, 2), (5, 2)])
def test_no_entry_is_alone_in_a_pool(entries: int, pools: int) -> None:
    assert len(build_pools(build_field(*range(entries), pools=9))) == pools


def test_pool_labels_continue_after_z() -> None:
    assert [get_pool_label(place) for place in (0, 25, 26, 51, 52, 702)] == ["A", "Z", "AA", "AZ", "BA", "AAA"]


def test_clubmates_swap_places_within_their_tier() -> None:
    before = DrawInput(round=1, entrants=build_club_entrants("Amos", "Baie", "Chibo", "Chibo"), settings={"pools": 2})
    assert build_pools(before) == {"A": (1, 4), "B": (2, 3)}
    before = replace(before, entrants=build_club_entrants("Amos", "Baie", "Baie", "Chibo"))
    assert build_pools(before) == {"A": (1, 3), "B": (2, 4)}


@given(st.lists(st.sampled_from("ABC"), min_size=2, max_size=20), st.integers(1, 5))
def test_each_tier_has_one_entry_in_each_pool(names: list[str], count: int) -> None:
    before = DrawInput(round=1, entrants=build_club_entrants(*names), settings={"pools": count})
    pools = build_pools(before)
    assert sorted(entry for pool in pools.values() for entry in pool) == [*range(1, len(names) + 1)]
    for start in range(1, len(names) + 1 - len(pools), len(pools)):
        tier = set(range(start, start + len(pools)))
        assert all(len(tier & {*pool}) == 1 for pool in pools.values())


def test_pool_entries_meet_everyone_in_their_pool_only() -> None:
    rounds = simulate_event("pools", 11, 5, seed=1, pools=3)
    met = Counter(pair for _, drawn in rounds for pair in list_pairs(drawn))
    pools = build_pools(rounds[0][0]).values()
    assert met == Counter(frozenset((a, b)) for pool in pools for a in pool for b in pool if a < b)
    assert FORMATS["pools"].rounds(11, {"pools": 3}) == 3


def test_tables_and_reasons_name_the_pool() -> None:
    drawn = draw("pools", build_field(*range(8), pools=2))
    assert [(table.slot, table.reasons[0].details["pool"]) for table in drawn.tables] == [
        ("A", "A"),
        ("A", "A"),
        ("B", "B"),
        ("B", "B"),
    ]


def test_finished_pool_has_neither_tables_nor_byes() -> None:
    (_, last) = simulate_event("pools", 7, 5, seed=1, pools=2)[4]
    assert (last.tables, last.byes) == ((), ())
    assert len(simulate_event("pools", 7, 3, seed=1, pools=2)[2][1].byes) == 1


def test_late_entry_joins_the_smallest_pool_without_moving_others() -> None:
    early = build_field(*range(9), pool_size=5)
    history = tuple(play_round(draw("pools", early)))
    late = (*early.entrants, *build_field(9, 10).entrants)
    pools = build_pools(replace(early, round=2, history=history, entrants=late))
    assert build_pools(early) == {"A": (0, 3, 4, 7, 8), "B": (1, 2, 5, 6)}
    assert pools == {"A": (0, 3, 4, 7, 8, 10), "B": (1, 2, 5, 6, 9)}


def test_slot_of_another_stage_is_not_a_pool() -> None:
    earlier = (PlayedPairing(round=1, a=(EntryId(0),), b=(EntryId(1),), slot="W1.1"),)
    assert build_pools(build_field(*range(4), pools=2, history=earlier)) == build_pools(build_field(*range(4), pools=2))


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
def test_pools_reject_invalid_settings(settings: dict[str, object], code: str, name: str) -> None:
    with pytest.raises(Refusal) as refused:
        build_pools(DrawInput(round=1, entrants=(), settings=settings))
    assert (refused.value.code, refused.value.field) == (code, name)
