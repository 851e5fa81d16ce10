"""Brackets changed by the director: tables set or exchanged by hand, also between distant slots."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, Draw, DrawInput, DrawnTable, EntryId, LockedTable, PlayedPairing, draw
from errors import Refusal
from rules import Side
from tests.rules.sheets import property_settings

from .bracket_events import fields_with_absentees, has_all_places, start

BRACKETS = sorted(key for key, draw_format in FORMATS.items() if draw_format.is_bracket)


def build_win(winner: int, loser: int, slot: str = "", played_round: int = 1) -> PlayedPairing:
    return PlayedPairing(round=played_round, a=(EntryId(winner),), b=(EntryId(loser),), slot=slot, winner=Side.A)


def build_walkover(entry: int, slot: str, played_round: int = 1) -> PlayedPairing:
    return PlayedPairing(round=played_round, a=(EntryId(entry),), slot=slot)


def build_input_after(entrants: int, *history: PlayedPairing) -> DrawInput:
    return replace(start(entrants), round=2, history=history)


def list_slots(drawn: Draw) -> dict[str, set[int]]:
    return {table.slot: {*table.a, *table.b} for table in drawn.tables}


def find_duplicates(drawn: Draw) -> set[int]:
    """Return the entries that are in more than one place."""
    places = Counter(entry for table in drawn.tables for entry in (*table.a, *table.b))
    places.update(bye.entry for bye in drawn.byes)
    return {entry for entry, count in places.items() if count > 1}


def test_entry_exchanged_for_a_bye_winner_receives_that_bye() -> None:
    drawn = draw("knockout", build_input_after(3, build_win(1, 2, "W1-2")))
    assert list_slots(drawn) == {"W2-1": {1, 3}}


def test_winners_in_foreign_slots_do_not_also_advance_from_their_own() -> None:
    drawn = draw(
        "knockout",
        build_input_after(
            8, build_win(4, 1, "W1-1"), build_win(5, 7, "W1-3"), build_win(3, 6, "W1-4"), build_win(2, 8)
        ),
    )
    assert list_slots(drawn) == {"W2-1": {2, 4}, "W2-2": {3, 5}}


def test_replaced_entry_loses_by_walkover_in_the_other_slot() -> None:
    drawn = draw("knockout", build_input_after(4, build_win(1, 3, "W1-2")))
    assert list_slots(drawn) == {"W2-1": {1, 4}}
    assert FORMATS["knockout"].places(build_input_after(4, build_win(1, 3, "W1-2"))).final == {2: 3, 3: 3}


def test_entries_that_sat_out_meet_when_others_played_outside_the_bracket() -> None:
    drawn = draw("knockout", build_input_after(4, build_win(1, 2), build_walkover(3, ""), build_walkover(4, "")))
    assert list_slots(drawn) == {"W2-1": {3, 4}}


def test_replaced_entry_continues_in_the_losers_bracket() -> None:
    history = (build_win(1, 3, "W1-2"), build_walkover(4, "W1-1"))
    drawn = draw("double_elimination", build_input_after(4, *history))
    assert list_slots(drawn) == {"W2-1": {1, 4}, "L1-1": {2, 3}}


def test_eliminated_entry_brought_back_loses_its_earlier_place() -> None:
    first = [build_win(1, 8, "W1-1"), build_win(4, 5, "W1-2"), build_win(2, 7, "W1-3"), build_win(3, 6, "W1-4")]
    second = [build_win(1, 4, "W2-1", 2), build_win(7, 3, "W2-2", 2)]
    before = replace(build_input_after(8, *first, *second), round=3)
    assert list_slots(draw("knockout", before)) == {"W3-1": {1, 7}}
    assert FORMATS["knockout"].places(before).final == {2: 5, 3: 3, 4: 3, 5: 5, 6: 5, 8: 5}


def test_late_entry_seated_by_hand_takes_the_replaced_entrys_place() -> None:
    before = build_input_after(4, build_win(1, 4, "W1-1"), build_win(9, 3, "W1-2"))
    late = replace(before.entrants[0], id=EntryId(9), number=5, arrives=2)
    before = replace(before, entrants=(*before.entrants, late))
    assert list_slots(draw("knockout", before)) == {"W2-1": {1, 9}}
    assert FORMATS["knockout"].places(before).final == {3: 3, 4: 3}


def exchange_players(tables: Sequence[DrawnTable], data: st.DataObject) -> list[DrawnTable]:
    """Exchange the seats of players on side B at random."""
    sides = data.draw(st.permutations([table.b for table in tables]))
    return [replace(table, b=side) for table, side in zip(tables, sides, strict=True)]


@pytest.mark.slow
@given(st.sampled_from(BRACKETS), fields_with_absentees(most=14), st.data())
@property_settings
def test_manual_changes_leave_every_entry_with_one_final_place(
    key: str, before: DrawInput, data: st.DataObject
) -> None:
    for number in range(1, 15):
        here = [entrant.id for entrant in before.entrants if entrant.is_present(number)]
        order = data.draw(st.permutations(here)) if number < 7 else []
        locked = tuple(
            LockedTable(number=at + 1, a=(order[2 * at],), b=(order[2 * at + 1],))
            for at in range(data.draw(st.integers(0, min(2, len(order) // 2))))
        )
        drawn = draw(key, replace(before, locked=locked))
        assert not find_duplicates(drawn)
        tables = exchange_players(drawn.tables, data) if number < 7 else drawn.tables
        played = [build_win(min(*table.a, *table.b), max(*table.a, *table.b), table.slot, number) for table in tables]
        byes = [build_walkover(bye.entry, bye.slot, number) for bye in drawn.byes]
        before = replace(before, round=number + 1, history=(*before.history, *played, *byes))
    assert has_all_places(before, FORMATS[key].places(before).final)


SLOTS = ["", "W1-1", "W1-2", "W2-1", "W3-1", "L1-1", "L2-1", "L3-1", "F1", "F2", "P3.2-1"]


@st.composite
def disordered_inputs(draw_from: st.DrawFn) -> DrawInput:
    """Generate an input after random tables in random slots, as when the list of entries was changed later."""
    entrants = draw_from(st.integers(2, 13))
    entry = st.integers(0, entrants).map(EntryId)
    table = st.builds(
        PlayedPairing,
        round=st.integers(1, 5),
        a=st.tuples(entry),
        b=st.just(()) | st.tuples(entry),
        slot=st.sampled_from(SLOTS),
        winner=st.sampled_from([None, *Side]),
    ).filter(lambda played: played.a != played.b)
    history = draw_from(st.lists(table, max_size=12))
    return replace(start(entrants), round=draw_from(st.integers(1, 6)), history=tuple(history))


@pytest.mark.slow
@pytest.mark.parametrize("format_key", BRACKETS)
@property_settings
@given(disordered_inputs())
def test_disordered_bracket_seats_no_entry_twice(format_key: str, before: DrawInput) -> None:
    try:
        drawn = draw(format_key, before)
    except Refusal:
        return
    places = Counter(entry for table in drawn.tables for entry in (*table.a, *table.b))
    places.update(bye.entry for bye in drawn.byes)
    assert set(places.values()) <= {1}
