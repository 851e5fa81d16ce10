"""Interclub draws with all clubs at once: every entry plays each round, against other clubs."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import Draw, DrawInput, Entrant, EntryId, LockedTable, PlayedPairing, ReasonCode, draw
from engine.draws.pairing_cost.comparison import is_optimal

from .events import list_byes, list_pairs, play_round
from .test_interclub import build_clubs

SIZES = st.lists(st.integers(1, 6), min_size=1, max_size=5)


def draw_all_rounds(before: DrawInput, rounds: int) -> list[Draw]:
    history: list[PlayedPairing] = []
    drawn = []
    for number in range(1, rounds + 1):
        drawn.append(draw("interclub_all", replace(before, round=number, seed=number, history=tuple(history))))
        history += play_round(drawn[-1])
    return drawn


def count_club_tables(drawn: Draw) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(entry // 100 for entry in pair)) for pair in list_pairs(drawn))


def test_three_clubs_of_four_meet_in_a_triangle_each_round() -> None:
    drawn = draw_all_rounds(build_clubs(4, 4, 4), 6)
    assert all(count_club_tables(each) == {(1, 2): 2, (1, 3): 2, (2, 3): 2} for each in drawn)
    assert max(Counter(pair for each in drawn for pair in list_pairs(each)).values()) == 1


def test_unequal_clubs_leave_no_entry_out() -> None:
    assert count_club_tables(draw("interclub_all", build_clubs(4, 5, 3))) == {(1, 2): 3, (1, 3): 1, (2, 3): 2}


@pytest.mark.slow
@given(SIZES, st.integers(0, 9))
def test_only_surplus_entries_meet_their_own_club(sizes: list[int], seed: int) -> None:
    drawn = draw("interclub_all", replace(build_clubs(*sizes), seed=seed))
    surplus = max(0, (2 * max(sizes) - sum(sizes)) // 2)
    assert sum(one == other for one, other in count_club_tables(drawn).elements()) == surplus
    assert len(list_byes(drawn)) == sum(sizes) % 2
    assert [table.number for table in drawn.tables] == list(range(1, sum(sizes) // 2 + 1))


@pytest.mark.slow
@given(SIZES)
def test_byes_rotate_within_the_clubs_that_can_spare_one(sizes: list[int]) -> None:
    had: Counter[int] = Counter()
    for drawn in draw_all_rounds(build_clubs(*sizes), 5):
        had.update(list_byes(drawn))
        missed: defaultdict[int, set[int]] = defaultdict(set)
        for entry in (entrant.id for entrant in build_clubs(*sizes).entrants):
            missed[entry // 100].add(had[entry])
        assert all(max(rounds) - min(rounds) <= 1 for rounds in missed.values())


@pytest.mark.parametrize("sizes", [(4, 4, 4), (3, 3, 3, 3), (4, 4, 4, 4, 4)])
def test_each_entry_meets_other_clubs_equally_often(sizes: Sequence[int]) -> None:
    before = build_clubs(*sizes)
    met: Counter[tuple[int, int]] = Counter()
    for drawn in draw_all_rounds(before, 5):
        met.update((one, other // 100) for pair in list_pairs(drawn) for one, other in permutations(pair))
        for entrant in before.entrants:
            others = [met[entrant.id, club] for club in range(1, len(sizes) + 1) if club != entrant.id // 100]
            assert max(others) - min(others) <= 1


def test_entries_without_a_club_form_one_club() -> None:
    before = build_clubs(3, 3)
    without = tuple(replace(e, bonds=frozenset()) if e.id < 200 else e for e in before.entrants)
    assert count_club_tables(draw("interclub_all", replace(before, entrants=without))) == {(1, 2): 3}


def test_table_within_a_club_says_it_is_unavoidable() -> None:
    drawn = draw("interclub_all", build_clubs(4, 1, 1))
    codes = {frozenset(entry // 100 for entry in (*table.a, *table.b)): table.reasons[0].code for table in drawn.tables}
    assert codes[frozenset({1})] == ReasonCode.OWN_CLUB_UNAVOIDABLE
    assert codes[frozenset({1, 2})] == codes[frozenset({1, 3})] == ReasonCode.CLUBS_SPREAD


def test_opponents_from_a_withdrawn_club_still_count() -> None:
    before = build_clubs(1, 1, 1, 1, 2)
    history = (
        PlayedPairing(round=1, a=(EntryId(101),), b=(EntryId(501),)),
        PlayedPairing(round=1, a=(EntryId(201),), b=(EntryId(301),)),
        PlayedPairing(round=1, a=(EntryId(401),), b=(EntryId(502),)),
    )
    entrants = tuple(
        replace(entrant, leaves_after=1) if entrant.id in (501, 201) else entrant for entrant in before.entrants
    )
    second = draw("interclub_all", replace(before, round=2, entrants=entrants, history=history))
    assert list_pairs(second) == {frozenset({101, 401}), frozenset({301, 502})}


def test_locked_table_stays_and_the_draw_is_proved_optimal() -> None:
    locked = (LockedTable(number=2, a=(EntryId(101),), b=(EntryId(102),)),)
    before = replace(build_clubs(4, 3, 3), locked=locked)
    drawn = draw("interclub_all", before)
    assert frozenset({101, 102}) in list_pairs(drawn)
    assert drawn.certificate is not None
    assert is_optimal(before, "interclub_all", drawn.tables, drawn.certificate)


def test_a_late_entry_plays_at_once() -> None:
    before = build_clubs(2, 2, 2)
    late = Entrant(id=EntryId(203), number=7, arrives=2, bonds=before.entrants[2].bonds)
    first = draw("interclub_all", before)
    drawn = draw(
        "interclub_all",
        replace(before, round=2, entrants=(*before.entrants, late), history=tuple(play_round(first))),
    )
    assert 203 in {entry for pair in list_pairs(drawn) for entry in pair}
