"""Rotation of individuals: new partners each round, from a known design or by two matchings."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, Draw, DrawInput, EntryId, LockedTable, PlayedPairing, ReasonCode, draw
from engine.draws.schedules.rotation_tables import Rotation, find_meet_once_rotation, find_whist_rotation
from errors import Refusal
from rules import Side

from .events import build_field, list_byes, play_round, simulate_event

KNOWN_SIZES = [people for people in range(4, 102) if find_whist_rotation(people)]


class Meetings:
    """Numbers of times that each two people were partners and opponents, independent of the code under test."""

    def __init__(self, tables: Iterable[tuple[Iterable[int], Iterable[int]]]) -> None:
        self.partners: Counter[frozenset[int]] = Counter()
        self.opponents: Counter[frozenset[int]] = Counter()
        for one, other in tables:
            self.partners.update(frozenset(side) for side in (one, other))
            self.opponents.update(map(frozenset, product(one, other)))

    @classmethod
    def from_rotation(cls, rotation: Rotation) -> "Meetings":
        return cls(
            ((a, b), (c, d)) for number in range(1, rotation.rounds + 1) for a, b, c, d in rotation.build_tables(number)
        )

    @classmethod
    def from_draws(cls, drawn: Iterable[Draw]) -> "Meetings":
        return cls((table.a, table.b) for draw in drawn for table in draw.tables)


def list_pairs(people: int) -> set[frozenset[int]]:
    return set(map(frozenset, combinations(range(people), 2)))


# Designs


def test_designs_are_known_up_to_41_people_and_for_some_primes() -> None:
    assert [*range(4, 42, 4)] == [people for people in KNOWN_SIZES if people % 4 == 0]
    assert [people for people in KNOWN_SIZES if people % 4 == 1] == [
        *(5, 9, 13, 17, 21, 25, 29, 33, 37, 41),
        *(53, 61, 73, 89, 97, 101),
    ]


@pytest.mark.parametrize("people", KNOWN_SIZES)
def test_whist_design_partners_everyone_once_and_opposes_everyone_twice(people: int) -> None:
    rotation = find_whist_rotation(people)
    assert rotation is not None
    meetings = Meetings.from_rotation(rotation)
    assert meetings.partners == dict.fromkeys(list_pairs(people), 1)
    assert meetings.opponents == dict.fromkeys(list_pairs(people), 2)
    assert rotation.rounds == people - (people % 4 == 0)


@pytest.mark.parametrize("people", KNOWN_SIZES)
def test_each_person_plays_once_a_round_with_at_most_one_bye(people: int) -> None:
    rotation = find_whist_rotation(people)
    assert rotation is not None
    idle: list[int] = []
    for number in range(1, rotation.rounds + 1):
        playing = [place for table in rotation.build_tables(number) for place in table]
        assert len(playing) == len(set(playing))
        idle += set(range(people)) - set(playing)
    assert sorted(idle) == (sorted(range(people)) if people % 4 else [])


@pytest.mark.parametrize(("people", "rounds"), [(16, 5), (28, 9)])
def test_short_design_brings_every_two_people_together_once(people: int, rounds: int) -> None:
    rotation = find_meet_once_rotation(people)
    assert rotation is not None
    meetings = Meetings.from_rotation(rotation)
    assert rotation.rounds == rounds
    assert meetings.partners + meetings.opponents == dict.fromkeys(list_pairs(people), 1)


# Draws with a design


@pytest.mark.parametrize("people", [4, 5, 8, 9, 12, 13, 20])
def test_event_without_withdrawals_follows_the_design(people: int) -> None:
    rounds = FORMATS["rotation"].rounds(people, {})
    assert rounds is not None
    drawn = [after for _, after in simulate_event("rotation", people, rounds, seed=3)]
    meetings = Meetings.from_draws(drawn)
    assert meetings.partners == dict.fromkeys(list_pairs(people), 1)
    assert meetings.opponents == dict.fromkeys(list_pairs(people), 2)
    assert {table.reasons[0].code for one in drawn for table in one.tables} == {ReasonCode.SCHEDULED}
    assert sorted(entry for one in drawn for entry in list_byes(one)) == ([*range(people)] if people % 4 else [])


@pytest.mark.parametrize(("people", "rounds"), [(16, 5), (28, 9), (16, 3)])
def test_short_event_of_16_or_28_never_repeats_a_meeting(people: int, rounds: int) -> None:
    meetings = Meetings.from_draws(
        after for _, after in simulate_event("rotation", people, rounds, seed=3, rounds=rounds)
    )
    assert set((meetings.partners + meetings.opponents).values()) == {1}


# Draws without a design


@pytest.mark.parametrize("people", [6, 7, 10, 11, 14, 15, 22, 30])
def test_short_event_without_a_design_never_repeats_partners(people: int) -> None:
    drawn = [after for _, after in simulate_event("rotation", people, (people - 1) // 3, seed=3)]
    assert set(Meetings.from_draws(drawn).partners.values()) == {1}
    assert FORMATS["rotation"].rounds(people, {}) is None


@pytest.mark.parametrize(("people", "rounds"), [(20, 6), (24, 8), (40, 10), (50, 10)])
def test_short_event_repeats_an_opponent_at_most_once(people: int, rounds: int) -> None:
    drawn = [after for _, after in simulate_event("rotation", people, rounds, seed=3, rounds=rounds)]
    assert max(Meetings.from_draws(drawn).opponents.values()) <= 2


@pytest.mark.slow
@given(st.integers(0, 15), st.sampled_from(["bye", "two_player_table"]), st.integers(1, 6))
def test_surplus_people_sit_out_in_turn(people: int, odd: str, rounds: int) -> None:
    sat: Counter[int] = Counter(dict.fromkeys(range(people), 0))
    for _, drawn in simulate_event("rotation", people, rounds, seed=3, odd=odd, rounds=rounds):
        small = [table for table in drawn.tables if len(table.a) == 1]
        over = people % 4
        assert len(small) == (odd == "two_player_table" and over >= 2)
        assert len(drawn.byes) == over - 2 * len(small)
        sat.update(list_byes(drawn))
    assert not sat or max(sat.values()) - min(sat.values()) <= 1


def test_two_player_table_rotates_among_all_people() -> None:
    at_two: Counter[int] = Counter()
    for _, drawn in simulate_event("rotation", 10, 5, seed=3, odd="two_player_table"):
        at_two.update(entry for t in drawn.tables if len(t.a) == 1 for entry in (*t.a, *t.b))
        assert [t.reasons[0].code for t in drawn.tables if len(t.a) == 1] == [ReasonCode.TWO_LEFT]
    assert at_two == dict.fromkeys(range(10), 1)


def test_withdrawal_does_not_cause_repeated_partners() -> None:
    entrants = build_field(*range(12)).entrants
    leaving = (replace(entrants[0], leaves_after=3), *entrants[1:])
    history: list[PlayedPairing] = []
    drawn: list[Draw] = []
    for number in range(1, 9):
        drawn.append(draw("rotation", DrawInput(round=number, entrants=leaving, history=tuple(history))))
        history += play_round(drawn[-1])
    assert set(Meetings.from_draws(drawn).partners.values()) == {1}
    codes = [{table.reasons[0].code for table in one.tables} for one in drawn]
    assert codes == [{ReasonCode.SCHEDULED}] * 3 + [{ReasonCode.BALANCED}] * 5


def test_people_at_a_locked_table_are_not_drawn_again() -> None:
    locked = (LockedTable(number=2, a=(EntryId(0), EntryId(1)), b=(EntryId(2), EntryId(3))),)
    drawn = draw("rotation", replace(build_field(*range(9)), locked=locked))
    assert sorted(entry for t in drawn.tables for entry in (*t.a, *t.b)) == sorted(
        set(range(9)) - set(list_byes(drawn))
    )
    assert len(drawn.tables) == 2


def test_people_with_different_fixed_tables_are_kept_apart() -> None:
    entrants = build_field(*range(10)).entrants
    needs = (replace(entrants[0], table=1), replace(entrants[1], table=2), *entrants[2:])
    for seed in range(20):
        drawn = draw("rotation", DrawInput(round=1, entrants=needs, seed=seed))
        for table in drawn.tables:
            assert table.number == 1 or 0 not in (*table.a, *table.b)
            assert table.number == 2 or 1 not in (*table.a, *table.b)


def test_person_bound_to_side_a_sits_there() -> None:
    entrants = build_field(*range(8)).entrants
    needs = (replace(entrants[0], side=Side.A), *entrants[1:])
    for number in range(1, 8):
        drawn = draw("rotation", DrawInput(round=number, entrants=needs))
        assert any(0 in table.a for table in drawn.tables)


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"odd": "three_player_table"}, "no_such_choice"),
        ({"rounds": 0}, "number_too_small"),
        ({"partners": 1}, "no_such_setting"),
    ],
)
def test_rotation_rejects_invalid_settings(settings: dict[str, object], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        FORMATS["rotation"].rounds(8, settings)
    assert refused.value.code == code
