"""Brackets that the director changes: tables set or exchanged by hand, also between slots far apart."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, Draw, DrawInput, DrawnTable, EntryId, LockedTable, PlayedPairing, draw
from errors import Refusal
from rules import Side
from tests.rules.sheets import law

from .bracket_events import everybody_there_has_a_place, fields_with_absentees, start

BRACKETS = sorted(key for key, known in FORMATS.items() if known.is_bracket)


def beat(winner: int, loser: int, slot: str = "", played_round: int = 1) -> PlayedPairing:
    return PlayedPairing(
        round=played_round, a=(EntryId(winner),), b=(EntryId(loser),), slot=slot, winner=Side.A
    )


def walkover(entry: int, slot: str, played_round: int = 1) -> PlayedPairing:
    return PlayedPairing(round=played_round, a=(EntryId(entry),), slot=slot)


def after(entrants: int, *history: PlayedPairing) -> DrawInput:
    return replace(start(entrants), round=2, history=history)


def slots(drawn: Draw) -> dict[str, set[int]]:
    return {table.slot: {*table.a, *table.b} for table in drawn.tables}


def twice(drawn: Draw) -> set[int]:
    """Return who is in more than one place."""
    places = Counter(entry for table in drawn.tables for entry in (*table.a, *table.b))
    places.update(bye.entry for bye in drawn.byes)
    return {entry for entry, count in places.items() if count > 1}


def test_who_is_exchanged_by_hand_for_the_winner_of_a_bye_has_that_bye_in_return() -> None:
    drawn = draw("knockout", after(3, beat(1, 2, "W1-2")))
    assert slots(drawn) == {"W2-1": {1, 3}}


def test_two_who_won_in_slots_not_theirs_do_not_go_on_from_their_own_too() -> None:
    drawn = draw("knockout", after(8, beat(4, 1, "W1-1"), beat(5, 7, "W1-3"), beat(3, 6, "W1-4"), beat(2, 8)))
    assert slots(drawn) == {"W2-1": {2, 4}, "W2-2": {3, 5}}


def test_who_gave_way_has_the_walkover_of_the_other_against_them() -> None:
    drawn = draw("knockout", after(4, beat(1, 3, "W1-2")))
    assert slots(drawn) == {"W2-1": {1, 4}}
    assert FORMATS["knockout"].places(after(4, beat(1, 3, "W1-2"))).final == {2: 3, 3: 3}


def test_who_sat_out_was_there_to_be_met_by_those_who_played_outside_of_the_bracket() -> None:
    drawn = draw("knockout", after(4, beat(1, 2), walkover(3, ""), walkover(4, "")))
    assert slots(drawn) == {"W2-1": {3, 4}}


def test_who_gave_way_goes_on_among_the_losers_for_the_other() -> None:
    history = (beat(1, 3, "W1-2"), walkover(4, "W1-1"))
    drawn = draw("double_elimination", after(4, *history))
    assert slots(drawn) == {"W2-1": {1, 4}, "L1-1": {2, 3}}


def test_somebody_brought_in_who_was_out_gives_up_the_place_of_their_defeat() -> None:
    first = [beat(1, 8, "W1-1"), beat(4, 5, "W1-2"), beat(2, 7, "W1-3"), beat(3, 6, "W1-4")]
    second = [beat(1, 4, "W2-1", 2), beat(7, 3, "W2-2", 2)]
    before = replace(after(8, *first, *second), round=3)
    assert slots(draw("knockout", before)) == {"W3-1": {1, 7}}
    assert FORMATS["knockout"].places(before).final == {2: 5, 3: 3, 4: 3, 5: 5, 6: 5, 8: 5}


def test_a_late_entry_put_in_by_hand_has_the_place_of_who_gave_way() -> None:
    before = after(4, beat(1, 4, "W1-1"), beat(9, 3, "W1-2"))
    late = replace(before.entrants[0], id=EntryId(9), number=5, arrives=2)
    before = replace(before, entrants=(*before.entrants, late))
    assert slots(draw("knockout", before)) == {"W2-1": {1, 9}}
    assert FORMATS["knockout"].places(before).final == {3: 3, 4: 3}


def exchanged(tables: Sequence[DrawnTable], data: st.DataObject) -> list[DrawnTable]:
    """Some of the players on side B in each other's seats."""
    sides = data.draw(st.permutations([table.b for table in tables]))
    return [replace(table, b=side) for table, side in zip(tables, sides, strict=True)]


@pytest.mark.slow
@given(st.sampled_from(BRACKETS), fields_with_absentees(most=14), st.data())
@law
def test_whatever_the_director_changes_everybody_is_in_one_place_and_has_one_in_the_end(
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
        assert not twice(drawn)
        tables = exchanged(drawn.tables, data) if number < 7 else drawn.tables
        played = [
            beat(min(*table.a, *table.b), max(*table.a, *table.b), table.slot, number) for table in tables
        ]
        byes = [walkover(bye.entry, bye.slot, number) for bye in drawn.byes]
        before = replace(before, round=number + 1, history=(*before.history, *played, *byes))
    assert everybody_there_has_a_place(before, FORMATS[key].places(before).final)


SLOTS = ["", "W1-1", "W1-2", "W2-1", "W3-1", "L1-1", "L2-1", "L3-1", "F1", "F2", "P3.2-1"]


@st.composite
def out_of_turn(draw_from: st.DrawFn) -> DrawInput:
    """After any tables in any slots, as when the list of entries was changed after they were played."""
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
@law
@given(out_of_turn())
def test_whatever_slots_were_played_a_bracket_is_drawn_with_nobody_in_two_places_or_refused(
    format_key: str, before: DrawInput
) -> None:
    try:
        drawn = draw(format_key, before)
    except Refusal:
        return
    places = Counter(entry for table in drawn.tables for entry in (*table.a, *table.b))
    places.update(bye.entry for bye in drawn.byes)
    assert set(places.values()) <= {1}
