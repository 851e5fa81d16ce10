"""Club against club: Scheveningen for two, a round robin of clubs for more."""

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

from .events import byes, pairs, played

PUBLISHED = json.loads(Path("tests/vectors/draws/scheveningen.json").read_text(encoding="utf-8"))["tables"]


def clubs(*sizes: int, **settings: str) -> DrawInput:
    """Clubs A, B, C… of these sizes: entries 101, 102… and 201, 202… and so on, numbered club after club."""
    ids = [(club, 100 * club + place) for club, size in enumerate(sizes, 1) for place in range(1, size + 1)]
    return DrawInput(
        round=1,
        settings=settings,
        entrants=tuple(
            Entrant(id=EntryId(entry), number=number, bonds=frozenset({Bond("club", chr(64 + club))}))
            for number, (club, entry) in enumerate(ids, 1)
        ),
    )


def whole(before: DrawInput, rounds: int) -> list[Draw]:
    history: list[PlayedPairing] = []
    drawn = []
    for number in range(1, rounds + 1):
        drawn.append(draw("interclub", replace(before, round=number, history=tuple(history))))
        history += played(drawn[-1])
    return drawn


def met(drawn: list[Draw]) -> Counter[frozenset[int]]:
    return Counter(pair for one in drawn for pair in pairs(one))


def lean(drawn: list[Draw]) -> Counter[int]:
    found: Counter[int] = Counter()
    for table in (table for one in drawn for table in one.tables):
        found.update({table.a[0]: 1})
        found.subtract({table.b[0]: 1})
    return found


# Two clubs


@pytest.mark.parametrize("boards", PUBLISHED, ids="Scheveningen on {} boards".format)
def test_who_meets_whom_is_as_published(boards: str) -> None:
    drawn = whole(clubs(int(boards), int(boards)), int(boards))
    for made, printed in zip(drawn, PUBLISHED[boards], strict=True):
        assert pairs(made) == {
            frozenset((100 if name[0] == "A" else 200) + int(name[1:]) for name in pair.split("-"))
            for pair in printed.split()
        }


@pytest.mark.slow
@given(st.integers(1, 9), st.integers(1, 9))
def test_everybody_meets_everybody_of_the_other_club_once_and_sides_are_even(one: int, other: int) -> None:
    drawn = whole(clubs(one, other), max(one, other) + 1)
    expected = {frozenset({101 + a, 201 + b}) for a in range(one) for b in range(other)}
    assert met(drawn) == dict.fromkeys(expected, 1)
    assert (drawn[-1].tables, drawn[-1].byes) == ((), ())
    if one == other:
        assert set(map(abs, lean(drawn).values())) <= {one % 2}


def test_in_the_larger_club_byes_go_round() -> None:
    had = Counter(entry for drawn in whole(clubs(5, 3), 5) for entry in byes(drawn))
    assert had == {101: 2, 102: 2, 103: 2, 104: 2, 105: 2}


def test_a_missed_meeting_is_made_up_later() -> None:
    before = clubs(3, 3)
    first = replace(before.entrants[0], absent=frozenset({2}))
    drawn = whole(replace(before, entrants=(first, *before.entrants[1:])), 4)
    assert pairs(drawn[3]) == {frozenset({101, 202})}
    assert len(met(drawn)) == 9


# More clubs


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_each_two_clubs_meet_once_with_their_entries_in_order(count: int) -> None:
    drawn = whole(clubs(*[3] * count), count - 1 + count % 2)
    expected = {
        frozenset({100 * one + place, 100 * other + place})
        for one, other in combinations(range(1, count + 1), 2)
        for place in (1, 2, 3)
    }
    assert met(drawn) == dict.fromkeys(expected, 1)
    assert set(map(abs, lean(drawn).values())) <= {0, 1}


def test_tables_say_which_clubs_meet() -> None:
    drawn = draw("interclub", clubs(2, 2, 2, 2))
    assert Counter(table.reasons[0].details["clubs"] for table in drawn.tables) == {
        ("A", "D"): 2,
        ("B", "C"): 2,
    }


def test_where_sizes_differ_byes_go_round_in_the_larger_club() -> None:
    had: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for drawn in whole(clubs(4, 3, 3, 3), 3):
        had[0].update(byes(drawn))
    assert had[0] == {104: 1, 103: 1, 102: 1}


def test_everybody_can_meet_everybody_of_every_other_club() -> None:
    drawn = whole(clubs(2, 3, 2, meet="everyone"), 9)
    expected = {
        frozenset({100 * one + a, 100 * other + b})
        for (one, size), (other, others) in combinations([(1, 2), (2, 3), (3, 2)], 2)
        for a in range(1, size + 1)
        for b in range(1, others + 1)
    }
    assert met(drawn) == dict.fromkeys(expected, 1)


def test_where_somebody_is_away_the_club_closes_up() -> None:
    before = clubs(3, 3, 3, 3)
    away = replace(before.entrants[0], absent=frozenset({1}))
    drawn = draw("interclub", replace(before, entrants=(away, *before.entrants[1:])))
    assert {frozenset({102, 401}), frozenset({103, 402})} <= pairs(drawn)
    assert byes(drawn) == [403]


def test_the_opponents_of_a_club_that_stays_away_are_told_so() -> None:
    before = clubs(2, 2, 2, 2)
    away = tuple(replace(e, absent=frozenset({1})) if e.id < 200 else e for e in before.entrants)
    drawn = draw("interclub", replace(before, entrants=away))
    assert {(bye.entry, bye.reasons[0].code, bye.reasons[0].details["club"]) for bye in drawn.byes} == {
        (401, ReasonCode.OPPONENT_MISSING, "A"),
        (402, ReasonCode.OPPONENT_MISSING, "A"),
    }


def test_one_table_of_the_directors_own_does_not_change_which_clubs_meet_next() -> None:
    before = clubs(3, 3, 3, 3)
    locked = (LockedTable(number=1, a=(EntryId(101),), b=(EntryId(201),)),)
    first = draw("interclub", replace(before, locked=locked))
    second = draw("interclub", replace(before, round=2, history=tuple(played(first))))
    assert {table.reasons[0].details["clubs"] for table in second.tables} == {("D", "C"), ("A", "B")}


def test_two_who_met_at_a_table_of_the_directors_own_are_not_put_together_when_their_clubs_meet() -> None:
    before = clubs(3, 3, 3, 3)
    locked = (LockedTable(number=1, a=(EntryId(101),), b=(EntryId(301),)),)
    first = draw("interclub", replace(before, locked=locked))
    second = draw("interclub", replace(before, round=2, history=tuple(played(first))))
    third = draw("interclub", replace(before, round=3, history=tuple(played(first) + played(second))))
    assert {frozenset({102, 301}), frozenset({101, 302}), frozenset({103, 303})} <= pairs(third)


def test_those_without_a_club_are_one_together() -> None:
    before = clubs(2, 2)
    without = tuple(replace(e, bonds=frozenset()) if e.id < 200 else e for e in before.entrants)
    assert len(met(whole(replace(before, entrants=without), 2))) == 4


def test_who_must_sit_on_side_b_does() -> None:
    before = clubs(1, 1, 1, 1)
    entrants = (replace(before.entrants[0], side=Side.B), *before.entrants[1:])
    drawn = draw("interclub", replace(before, entrants=entrants))
    assert [(table.a, table.b) for table in drawn.tables] == [((401,), (101,)), ((201,), (301,))]


@pytest.mark.parametrize("sizes", [(), (1,), (5,)])
def test_with_one_club_there_is_nothing_to_play(sizes: tuple[int, ...]) -> None:
    assert draw("interclub", clubs(*sizes)).tables == ()


def test_a_setting_that_is_none_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        draw("interclub", clubs(2, 2, meet="never"))
    assert (refused.value.code, refused.value.field) == ("no_such_choice", "meet")
