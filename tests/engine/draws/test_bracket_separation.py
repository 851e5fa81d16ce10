"""Separation in brackets: entries kept apart meet as late as any seeding allows."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import Bond, DrawInput, EntryId, ReasonCode, draw
from engine.draws.bonds import ALWAYS
from engine.draws.brackets.seed_separation import separate_seeds
from engine.draws.brackets.structure import Bracket, schedule_earliest
from engine.draws.formats.consolation import build_consolation_bracket
from engine.draws.formats.double_elimination import build_elimination_bracket
from engine.draws.formats.knockout import build_knockout_bracket
from engine.draws.stages import draw_stage, parse_stage_plan
from tests.rules.sheets import property_settings

from .bracket_events import Event, favourite_wins, play, play_next_round, record_round, start, underdog_wins
from .test_brackets_changed import BRACKETS

BRACKET_BUILDERS = {
    "knockout": build_knockout_bracket,
    "double_elimination": build_elimination_bracket,
    "consolation": build_consolation_bracket,
}
LINES = {2: [1, 2], 4: [1, 4, 2, 3], 8: [1, 8, 4, 5, 2, 7, 3, 6]}
"""The usual order of seeds, from the top line down."""
TIERS = ((1,), (2,), (3, 4), (5, 6, 7, 8))


def add_clubs(before: DrawInput, clubs: Sequence[str], kind: str = "club") -> DrawInput:
    """Give entry k the k-th club; an empty name means no club."""
    entrants = tuple(
        replace(entrant, bonds=frozenset({Bond(kind, club)} if club else ()))
        for entrant, club in zip(before.entrants, clubs, strict=True)
    )
    return replace(before, entrants=entrants)


def iter_seedings(entrants: int) -> Iterator[dict[int, int]]:
    """Yield each seeding that the tiers and byes allow, as the entry on each seed."""
    lines = next(lines for size, lines in LINES.items() if size >= entrants)
    byes = set(range(1, len(lines) - entrants + 1))
    groups = [
        [seed for seed in tier if seed <= entrants and (seed in byes) == has_bye]
        for tier in TIERS
        for has_bye in (True, False)
    ]
    for order in product(*map(permutations, groups)):
        yield dict(zip(chain(*groups), chain(*order), strict=True))


def find_first_meeting(held: Mapping[int, int], one: int, other: int) -> int:
    """Return the earliest round of the winners' bracket in which two entries can meet, from the lines alone."""
    lines = next(lines for size, lines in LINES.items() if size >= len(held))
    parts: list[tuple[int, frozenset[int]]] = [(0, frozenset({held[seed]} if seed in held else ())) for seed in lines]
    while len(parts) > 1:
        joined = []
        for (early, left), (late, right) in zip(parts[::2], parts[1::2], strict=True):
            is_match = bool(left and right)
            number = max(early, late) + is_match
            if is_match and {one, other} <= left | right:
                return number
            joined.append((number, left | right))
        parts = joined
    raise AssertionError("two of a bracket never meet")


def count_meetings(held: Mapping[int, int], clubs: Sequence[str]) -> tuple[int, ...]:
    """Return how many pairs of clubmates can first meet in rounds 1, 2 and 3."""
    mates = [two for two in combinations(held.values(), 2) if clubs[two[0] - 1] == clubs[two[1] - 1] != ""]
    found = Counter(find_first_meeting(held, *two) for two in mates)
    return found[1], found[2], found[3]


def build_seeding(bracket: Bracket, clubs: Sequence[str]) -> dict[int, int]:
    bonds = tuple(frozenset({Bond("club", club)} if club else ()) for club in clubs)
    order = separate_seeds(bracket, bonds).order
    return {place: seed + 1 for place, seed in enumerate(order, start=1)}


@pytest.mark.slow
@pytest.mark.parametrize("key", BRACKETS)
@given(st.lists(st.sampled_from(["", "a", "b", "c"]), min_size=2, max_size=8))
@property_settings
def test_no_other_seeding_keeps_clubs_apart_longer(key: str, clubs: list[str]) -> None:
    ours = build_seeding(schedule_earliest(BRACKET_BUILDERS[key](len(clubs))), clubs)
    assert ours in iter_seedings(len(clubs))
    assert count_meetings(ours, clubs) == min(count_meetings(held, clubs) for held in iter_seedings(len(clubs)))


@pytest.mark.long
@pytest.mark.parametrize("key", BRACKETS)
@pytest.mark.parametrize("pools", [3, 4, 5, 6, 7, 8, 11, 16, 24, 32])
def test_pool_mates_meet_in_the_final_at_the_earliest(key: str, pools: int) -> None:
    for seed in range(4):
        seconds = list(range(pools))
        Random(seed).shuffle(seconds)
        names = [f"{pool}" for pool in (*range(pools), *seconds)]
        bracket = schedule_earliest(BRACKET_BUILDERS[key](2 * pools))
        bonds = tuple(frozenset({Bond("pool", name)}) for name in names)
        found = separate_seeds(bracket, bonds)
        assert found.is_proved
        halves = _split_halves(found.order)
        assert all(len({names[seed] for seed in half}) == len(half) for half in halves)


def _split_halves(order: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the seeds of each half of the bracket."""
    lines = [1]
    while len(lines) < len(order):
        lines = [seed for one in lines for seed in (one, 2 * len(lines) + 1 - one)]
    middle = len(lines) // 2
    one, other = ([order[seed - 1] for seed in part if seed <= len(order)] for part in (lines[:middle], lines[middle:]))
    return one, other


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_seeding_of_sixty_four_entries_is_proved_optimal(seed: int) -> None:
    chance = Random(seed)
    names = [chance.choice("abcdefghij"[: 3 + seed]) for _ in range(64)]
    bonds = tuple(frozenset({Bond("club", name)}) for name in names)
    assert separate_seeds(build_knockout_bracket(64), bonds).is_proved


def test_pool_mate_of_a_bye_entry_does_not_wait_for_it() -> None:
    """Three pools of four, from which two each advance, with various results that decide the second place."""
    plan = parse_stage_plan(
        [
            {"format": "pools", "settings": {"pools": 3}},
            {"format": "knockout", "takes": "pool_top", "count": 2, "settings": {"separate": ["pool"]}},
        ]
    )
    for seed in range(8):
        event = Event(replace(start(12), seed=seed))
        order = [EntryId(number) for number in range(1, 13)]
        Random(seed).shuffle(order)
        pools: set[frozenset[int]] = set()
        for number in range(1, 6):
            drawn = draw_stage(plan, event.draw_input, [order, order])
            meetings = {frozenset((*table.a, *table.b)) for table in drawn.tables}
            assert number <= 3 or meetings.isdisjoint(pools)
            pools |= meetings
            record_round(event, drawn, underdog_wins if number == 4 else favourite_wins)


@pytest.mark.parametrize("key", BRACKETS)
def test_seeds_with_byes_meet_clubmates_in_the_final_at_the_earliest(key: str) -> None:
    event = Event(add_clubs(start(6, separate=["club"]), ["m", "a", "a", "m", "s", "c"]))
    for _ in range(2):
        drawn = play_next_round(event, key, favourite_wins)
        met = {frozenset((*table.a, *table.b)) for table in drawn.tables if table.slot.startswith("W")}
        assert met.isdisjoint({frozenset({1, 4}), frozenset({2, 3})})


def test_explicit_bond_takes_priority_over_clubs() -> None:
    before = add_clubs(start(4, separate=["club"]), ["x", "y", "x", "y"])
    named = {1, 4}
    entrants = tuple(
        replace(one, bonds=one.bonds | {Bond(ALWAYS, "1")}) if one.id in named else one for one in before.entrants
    )
    drawn = draw("knockout", replace(before, entrants=entrants))
    assert frozenset({1, 4}) not in {frozenset((*table.a, *table.b)) for table in drawn.tables}


def test_first_round_bond_allows_a_meeting_in_the_second_round() -> None:
    bonds = [frozenset[Bond]() for _ in range(8)]
    bonds[3] = bonds[4] = frozenset({Bond(ALWAYS, "1", 1)})
    assert separate_seeds(build_knockout_bracket(8), tuple(bonds)).order[:4] == (0, 1, 2, 3)


def test_seeding_of_a_started_bracket_ignores_later_club_changes() -> None:
    event = Event(add_clubs(start(11, separate=["club"]), ["a", "b", "c", "d", "a", "b", "c", "d", "", "", ""]))
    play_next_round(event, "knockout", favourite_wins)
    then = draw("knockout", event.draw_input)
    corrected = add_clubs(event.draw_input, ["a", "b", "b", "a", "c", "", "", "", "a", "", ""])
    now = draw("knockout", corrected)
    assert [(table.slot, {*table.a, *table.b}) for table in now.tables] == [
        (table.slot, {*table.a, *table.b}) for table in then.tables
    ]


def test_bracket_started_by_an_older_version_keeps_its_seeding() -> None:
    before = add_clubs(start(6, separate=["club"]), ["m", "a", "a", "m", "s", "c"])
    event = play("knockout", replace(before, version=6), rounds=1)
    now = draw("knockout", replace(event.draw_input, version=7))
    assert {table.slot: {*table.a, *table.b} for table in now.tables} == {"W2-1": {1, 4}, "W2-2": {2, 3}}


def test_table_reports_moved_seeds_and_unavoidable_meetings() -> None:
    moved = draw("knockout", add_clubs(start(4, separate=["club"]), ["a", "", "", "a"]))
    reasons = [reason for table in moved.tables for reason in table.reasons]
    places = {
        reason.details["entry"]: reason.details["place"] for reason in reasons if reason.code is ReasonCode.SEEDED_APART
    }
    assert places == {3: 4, 4: 3}
    unavoidable = draw("knockout", add_clubs(start(4, separate=["club"]), ["a", "a", "a", "a"]))
    for table in unavoidable.tables:
        assert ReasonCode.BOND_UNAVOIDABLE in {reason.code for reason in table.reasons}


def test_announced_meeting_is_reported_when_it_takes_place() -> None:
    event = play("knockout", add_clubs(start(4, separate=["club"]), ["a", "a", "", ""]), rounds=1)
    (final,) = draw("knockout", event.draw_input).tables
    assert ReasonCode.BOND_SHARED in {reason.code for reason in final.reasons}
