"""Property tests of prepared schedules, with late entries, withdrawals, absences and locked tables."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, Bond, Draw, DrawInput, Entrant, EntryId, LockedTable, ReasonCode, draw
from rules import Side

from .events import play_round

pytestmark = pytest.mark.slow

SETTINGS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "round_robin": ({}, {"legs": 2}),
    "pools": ({}, {"pools": 2}, {"pool_size": 3, "legs": 2}),
    "mitchell": ({}, {"stays": "first_half"}, {"stays": "odd_numbers", "rounds": 3}),
    "rotation": ({}, {"rounds": 5}, {"odd": "two_player_table"}),
    "interclub": ({}, {"meet": "everyone"}, {"meet": "by_order"}),
    "open_tables": ({},),
}
FORMATS_WITHOUT_REMATCHES = {"round_robin", "pools", "mitchell", "interclub"}
"""Formats that never repeat a meeting."""

rounds_of_play = st.integers(1, 12)
away = st.frozensets(rounds_of_play, max_size=2)


@st.composite
def entries(draw: st.DrawFn) -> tuple[Entrant, ...]:
    """Generate up to twelve entries; some come late, leave, miss a round, request a bye or have a fixed seat."""
    return tuple(
        Entrant(
            id=EntryId(number * 7),
            number=number,
            bonds=draw(st.sampled_from([frozenset(), frozenset({Bond("club", "A")}), frozenset({Bond("club", "B")})])),
            arrives=draw(st.sampled_from([1, 1, 1, 3])),
            leaves_after=draw(st.sampled_from([None, None, None, 2])),
            absent=draw(away),
            requested_byes=draw(st.sampled_from([frozenset(), frozenset({2})])),
            table=draw(st.sampled_from([None, None, None, 2])),
            side=draw(st.sampled_from([None, None, None, *Side])),
        )
        for number in range(1, draw(st.integers(0, 12)) + 1)
    )


@st.composite
def events(draw: st.DrawFn, key: str) -> list[tuple[DrawInput, Draw]]:
    """Generate a whole event in which the list of entries changes and the director locks tables."""
    everybody = draw(entries())
    settings, side = draw(st.sampled_from(SETTINGS[key])), FORMATS[key].side
    chance = Random(draw(st.integers(0, 1000)))
    entrant_count = draw(st.integers(0, len(everybody)))
    rounds: list[tuple[DrawInput, Draw]] = []
    for number in range(1, draw(rounds_of_play) + 1):
        entrant_count = min(len(everybody), entrant_count + (chance.random() < 1 / 4))
        field = everybody[chance.random() < 1 / 10 : entrant_count]
        here = [entrant.id for entrant in field if entrant.is_present(number)]
        locked: tuple[LockedTable, ...] = ()
        if chance.random() < 1 / 5 and len(here) >= 2 * side:
            seats = sorted(here, key=lambda _: chance.random())[: 2 * side]
            locked = (LockedTable(number=3, a=tuple(seats[:side]), b=tuple(seats[side:])),)
        before = DrawInput(
            round=number,
            entrants=tuple(sorted(field, key=lambda _: chance.random())),
            history=tuple(table for _, drawn in rounds for table in play_round(drawn)),
            locked=locked,
            settings=settings,
            seed=number,
        )
        rounds.append((before, FORMATS[key].draw(before)))
    return rounds


any_event = st.sampled_from(sorted(SETTINGS)).flatmap(lambda key: events(key).map(lambda event: (key, event)))


@given(any_event)
def test_entries_are_drawn_once_while_present_at_distinct_tables(
    found: tuple[str, list[tuple[DrawInput, Draw]]],
) -> None:
    for before, drawn in found[1]:
        called = [entry for table in drawn.tables for entry in (*table.a, *table.b)]
        called += [bye.entry for bye in drawn.byes]
        assert len(called) == len(set(called))
        assert set(called) <= {e.id for e in before.entrants if e.is_present(before.round)}
        numbers = [table.number for table in drawn.tables]
        assert len(numbers) == len(set(numbers))
        assert all(table.reasons for table in drawn.tables)
        assert all(bye.reasons for bye in drawn.byes)


@given(st.sampled_from(sorted(FORMATS_WITHOUT_REMATCHES)).flatmap(events))
def test_only_locked_tables_exceed_the_scheduled_meetings(
    found: list[tuple[DrawInput, Draw]],
) -> None:
    times: Counter[frozenset[int]] = Counter()
    for before, drawn in found:
        for table in drawn.tables:
            two = frozenset((*table.a, *table.b))
            times[two] += 1
            if table.reasons[0].code is not ReasonCode.LOCKED:
                assert times[two] <= before.settings.get("legs", 1)


@given(any_event, st.randoms(use_true_random=False))
def test_draw_does_not_depend_on_the_order_of_history_or_standings(
    found: tuple[str, list[tuple[DrawInput, Draw]]], chance: Random
) -> None:
    key, rounds = found
    before, drawn = rounds[-1]
    history, entrants = list(before.history), list(before.entrants)
    chance.shuffle(history)
    chance.shuffle(entrants)
    assert draw(key, replace(before, history=tuple(history), entrants=tuple(entrants))) == drawn


@given(any_event, st.integers(1, 10**6))
def test_renamed_entries_get_the_same_draw(found: tuple[str, list[tuple[DrawInput, Draw]]], step: int) -> None:
    def renamed(entries: tuple[EntryId, ...]) -> tuple[EntryId, ...]:
        return tuple(EntryId(-entry * step + 5) for entry in entries)

    key, rounds = found
    before, drawn = rounds[-1]
    again = draw(
        key,
        replace(
            before,
            entrants=tuple(replace(e, id=renamed((e.id,))[0]) for e in before.entrants),
            history=tuple(replace(p, a=renamed(p.a), b=renamed(p.b)) for p in before.history),
            locked=tuple(replace(t, a=renamed(t.a), b=renamed(t.b)) for t in before.locked),
        ),
    )
    assert [(t.number, t.a, t.b, t.slot) for t in again.tables] == [
        (t.number, renamed(t.a), renamed(t.b), t.slot) for t in drawn.tables
    ]
    assert [bye.entry for bye in again.byes] == [renamed((bye.entry,))[0] for bye in drawn.byes]


@pytest.mark.parametrize("key", sorted(SETTINGS))
@pytest.mark.parametrize("entries", [0, 1, 2, 3])
def test_the_smallest_fields_are_drawn(key: str, entries: int) -> None:
    entrants = tuple(Entrant(id=EntryId(number), number=number) for number in range(1, entries + 1))
    drawn = draw(key, DrawInput(round=1, entrants=entrants))
    assert len(drawn.tables) == (entries >= 2 and key not in {"rotation", "interclub"})
