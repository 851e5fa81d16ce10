"""Interclub draws: Scheveningen for two clubs, a round robin of clubs for more."""

import json
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import Bond, Draw, DrawInput, Entrant, EntryId, LockedTable, PlayedPairing, ReasonCode, draw
from errors import Refusal
from rules import Side

from .events import list_byes, list_pairs, play_round

PUBLISHED_TABLES = json.loads(Path("tests/vectors/draws/scheveningen.json").read_text(encoding="utf-8"))["tables"]


def build_clubs(*sizes: int, **settings: str | int) -> DrawInput:
    """Build clubs A, B, C… of these sizes with entries 101, 102… and 201, 202…, numbered club by club."""
    ids = [(club, 100 * club + place) for club, size in enumerate(sizes, 1) for place in range(1, size + 1)]
    return DrawInput(
        round=1,
        settings=settings,
        entrants=tuple(
            Entrant(id=EntryId(entry), number=number, bonds=frozenset({Bond("club", chr(64 + club))}))
            for number, (club, entry) in enumerate(ids, 1)
        ),
    )


def draw_all_rounds(before: DrawInput, rounds: int) -> list[Draw]:
    history: list[PlayedPairing] = []
    drawn = []
    for number in range(1, rounds + 1):
        drawn.append(draw("interclub", replace(before, round=number, history=tuple(history))))
        history += play_round(drawn[-1])
    return drawn


def count_meetings(drawn: list[Draw]) -> Counter[frozenset[int]]:
    return Counter(pair for one in drawn for pair in list_pairs(one))


def count_side_balance(drawn: list[Draw]) -> Counter[int]:
    found: Counter[int] = Counter()
    for table in (table for one in drawn for table in one.tables):
        found.update({table.a[0]: 1})
        found.subtract({table.b[0]: 1})
    return found


# Two clubs


@pytest.mark.parametrize("boards", PUBLISHED_TABLES, ids="Scheveningen on {} boards".format)
def test_scheveningen_pairings_match_the_published_tables(boards: str) -> None:
    drawn = draw_all_rounds(build_clubs(int(boards), int(boards)), int(boards))
    for made, printed in zip(drawn, PUBLISHED_TABLES[boards], strict=True):
        assert list_pairs(made) == {
            frozenset((100 if name[0] == "A" else 200) + int(name[1:]) for name in pair.split("-"))
            for pair in printed.split()
        }


@pytest.mark.slow
@given(st.integers(1, 9), st.integers(1, 9))
def test_every_entry_meets_the_other_club_once_on_balanced_sides(one: int, other: int) -> None:
    drawn = draw_all_rounds(build_clubs(one, other), max(one, other) + 1)
    expected = {frozenset({101 + a, 201 + b}) for a in range(one) for b in range(other)}
    assert count_meetings(drawn) == dict.fromkeys(expected, 1)
    assert (drawn[-1].tables, drawn[-1].byes) == ((), ())
    if one == other:
        assert set(map(abs, count_side_balance(drawn).values())) <= {one % 2}


def test_byes_rotate_within_the_larger_club() -> None:
    had = Counter(entry for drawn in draw_all_rounds(build_clubs(5, 3), 5) for entry in list_byes(drawn))
    assert had == {101: 2, 102: 2, 103: 2, 104: 2, 105: 2}


def test_a_missed_meeting_is_made_up_later() -> None:
    before = build_clubs(3, 3)
    first = replace(before.entrants[0], absent=frozenset({2}))
    drawn = draw_all_rounds(replace(before, entrants=(first, *before.entrants[1:])), 4)
    assert list_pairs(drawn[3]) == {frozenset({101, 202})}
    assert len(count_meetings(drawn)) == 9


# More clubs


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_every_two_clubs_meet_once_board_by_board(count: int) -> None:
    drawn = draw_all_rounds(build_clubs(*[3] * count), count - 1 + count % 2)
    expected = {
        frozenset({100 * one + place, 100 * other + place})
        for one, other in combinations(range(1, count + 1), 2)
        for place in (1, 2, 3)
    }
    assert count_meetings(drawn) == dict.fromkeys(expected, 1)
    assert set(map(abs, count_side_balance(drawn).values())) <= {0, 1}


def test_table_reason_names_the_clubs_that_meet() -> None:
    drawn = draw("interclub", build_clubs(2, 2, 2, 2))
    assert Counter(table.reasons[0].details["clubs"] for table in drawn.tables) == {
        ("A", "D"): 2,
        ("B", "C"): 2,
    }


def test_unequal_club_sizes_rotate_byes_in_the_larger_club() -> None:
    had: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for drawn in draw_all_rounds(build_clubs(4, 3, 3, 3), 3):
        had[0].update(list_byes(drawn))
    assert had[0] == {104: 1, 103: 1, 102: 1}


def test_everyone_setting_schedules_every_meeting_between_clubs() -> None:
    drawn = draw_all_rounds(build_clubs(2, 3, 2, meet="everyone"), 9)
    expected = {
        frozenset({100 * one + a, 100 * other + b})
        for (one, size), (other, others) in combinations([(1, 2), (2, 3), (3, 2)], 2)
        for a in range(1, size + 1)
        for b in range(1, others + 1)
    }
    assert count_meetings(drawn) == dict.fromkeys(expected, 1)


def test_club_with_an_absence_moves_up_its_boards() -> None:
    before = build_clubs(3, 3, 3, 3)
    away = replace(before.entrants[0], absent=frozenset({1}))
    drawn = draw("interclub", replace(before, entrants=(away, *before.entrants[1:])))
    assert {frozenset({102, 401}), frozenset({103, 402})} <= list_pairs(drawn)
    assert list_byes(drawn) == [403]


def test_opponents_of_an_absent_club_get_a_bye_with_the_reason() -> None:
    before = build_clubs(2, 2, 2, 2)
    away = tuple(replace(e, absent=frozenset({1})) if e.id < 200 else e for e in before.entrants)
    drawn = draw("interclub", replace(before, entrants=away))
    assert {(bye.entry, bye.reasons[0].code, bye.reasons[0].details["club"]) for bye in drawn.byes} == {
        (401, ReasonCode.OPPONENT_MISSING, "A"),
        (402, ReasonCode.OPPONENT_MISSING, "A"),
    }


def test_locked_table_does_not_change_which_clubs_meet_next() -> None:
    before = build_clubs(3, 3, 3, 3)
    locked = (LockedTable(number=1, a=(EntryId(101),), b=(EntryId(201),)),)
    first = draw("interclub", replace(before, locked=locked))
    second = draw("interclub", replace(before, round=2, history=tuple(play_round(first))))
    assert {table.reasons[0].details["clubs"] for table in second.tables} == {("D", "C"), ("A", "B")}


def test_entries_that_met_at_a_locked_table_do_not_meet_again() -> None:
    before = build_clubs(3, 3, 3, 3)
    locked = (LockedTable(number=1, a=(EntryId(101),), b=(EntryId(301),)),)
    first = draw("interclub", replace(before, locked=locked))
    second = draw("interclub", replace(before, round=2, history=tuple(play_round(first))))
    third = draw("interclub", replace(before, round=3, history=tuple(play_round(first) + play_round(second))))
    assert {frozenset({102, 301}), frozenset({101, 302}), frozenset({103, 303})} <= list_pairs(third)


def test_entries_without_a_club_form_one_club() -> None:
    before = build_clubs(2, 2)
    without = tuple(replace(e, bonds=frozenset()) if e.id < 200 else e for e in before.entrants)
    assert len(count_meetings(draw_all_rounds(replace(before, entrants=without), 2))) == 4


def test_entry_bound_to_side_b_sits_there() -> None:
    before = build_clubs(1, 1, 1, 1)
    entrants = (replace(before.entrants[0], side=Side.B), *before.entrants[1:])
    drawn = draw("interclub", replace(before, entrants=entrants))
    assert [(table.a, table.b) for table in drawn.tables] == [((401,), (101,)), ((201,), (301,))]


@pytest.mark.parametrize("sizes", [(), (1,), (5,)])
def test_single_club_has_no_tables(sizes: tuple[int, ...]) -> None:
    assert draw("interclub", build_clubs(*sizes)).tables == ()


def test_interclub_draw_rejects_an_invalid_setting() -> None:
    with pytest.raises(Refusal) as refused:
        draw("interclub", build_clubs(2, 2, meet="never"))
    assert (refused.value.code, refused.value.field) == ("no_such_choice", "meet")
