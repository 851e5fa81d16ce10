"""Published matches that a later correction contradicts, because other entries should play in them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.charts import Contradiction, find_contradictions
from engine.draws import FORMATS, DrawInput, EntryId, LockedTable, PlayedPairing, draw
from rules import Side
from tests.engine.draws.bracket_events import Event, fields_with_absentees, play, random_result, start, underdog_wins
from tests.rules.sheets import property_settings

from .events import list_pairings

BRACKETS = ("knockout", "double_elimination", "consolation")


def reverse_winner(history: Sequence[PlayedPairing], slot: str) -> list[PlayedPairing]:
    """Return the history with the other side as winner of this slot."""
    return [
        replace(table, winner=table.winner.other) if table.slot == slot and table.winner is not None else table
        for table in history
    ]


def found(
    key: str, before: DrawInput, history: Sequence[PlayedPairing], published: Sequence[PlayedPairing] = ()
) -> dict[str, tuple[set[int], set[int]]]:
    """Return by slot the wrongly seated entries and the entries expected instead."""
    return {
        each.slot: (set(each.seated), set(each.expected))
        for each in find_contradictions(key, before.settings, before.entrants, history, published)
    }


def find_after_correction(
    key: str, entrants: int, slot: str, *, rounds: int, **settings: Any
) -> dict[str, tuple[set[int], set[int]]]:
    """Correct a slot after favourites won all rounds and the next round was published."""
    event = play(key, start(entrants, **settings), rounds=rounds)
    published = list_pairings(draw(key, event.draw_input))
    return found(key, event.draw_input, reverse_winner(event.history, slot), published)


@pytest.mark.parametrize("key", sorted(set(FORMATS) - set(BRACKETS)))
def test_format_without_a_bracket_has_no_contradictions(key: str) -> None:
    assert find_contradictions(key, {}, start(8).entrants, ()) == ()


def test_correction_contradicts_the_published_next_match() -> None:
    event = play("knockout", start(4), rounds=1)
    published = list_pairings(draw("knockout", event.draw_input))
    assert find_contradictions(
        "knockout", {}, event.draw_input.entrants, reverse_winner(event.history, "W1-2"), published
    ) == (Contradiction(round=2, table=1, slot="W2-1", seated=(EntryId(2),), expected=(EntryId(3),)),)


def test_winners_bracket_correction_changes_who_drops() -> None:
    assert find_after_correction("double_elimination", 8, "W1-1", rounds=1) == {
        "W2-1": ({1}, {8}),
        "L1-1": ({8}, {1}),
    }


def test_correction_reaches_entries_that_continue_in_different_rounds() -> None:
    assert find_after_correction("double_elimination", 8, "W2-1", rounds=3) == {
        "L2-2": ({4}, {1}),
        "W3-1": ({1}, {4}),
    }


def test_losers_bracket_correction_contradicts_its_next_round() -> None:
    assert find_after_correction("double_elimination", 8, "L1-1", rounds=3) == {"L2-1": ({5}, {8})}


def test_correction_contradicts_no_match_beyond_the_next() -> None:
    assert find_after_correction("knockout", 8, "W1-1", rounds=2) == {"W2-1": ({1}, {8})}


def test_correction_contradicts_the_third_place_match() -> None:
    assert find_after_correction("knockout", 4, "W1-1", rounds=1, places="third") == {
        "W2-1": ({1}, {4}),
        "P3.2-1": ({4}, {1}),
    }


def test_unneeded_second_final_expects_no_one() -> None:
    event = play("double_elimination", start(2))
    upset = [
        replace(table, winner=table.winner.other if table.winner is not None else None) if table.slot == "F1" else table
        for table in event.history
    ]
    before = replace(event.draw_input, round=3, history=tuple(upset))
    published = list_pairings(draw("double_elimination", before))
    assert [table.slot for table in published] == ["F2"]
    assert found("double_elimination", before, upset, published) == {}
    assert found("double_elimination", before, event.history, published) == {"F2": ({1, 2}, set())}


def test_correction_leaves_the_walkover_of_an_entry_that_should_have_dropped() -> None:
    assert find_after_correction("consolation", 5, "W2-1", rounds=3) == {"W3-1": ({1}, {4})}


def test_walkover_of_a_wrong_entry_is_a_contradiction() -> None:
    before = start(4, {2: {"leaves_after": 1}})
    event = play("knockout", before, rounds=1)
    walkover = PlayedPairing(round=2, slot="W2-1", a=(EntryId(1),))
    history = (*event.history, walkover)
    (only,) = find_contradictions("knockout", {}, before.entrants, reverse_winner(history, "W1-1"))
    assert only == Contradiction(round=2, table=None, slot="W2-1", seated=(EntryId(1),), expected=(EntryId(4),))


def test_walkover_in_the_second_final_is_no_contradiction() -> None:
    before = start(2, {2: {"leaves_after": 2}})
    event = play("double_elimination", before, underdog_wins, rounds=1)
    upset = PlayedPairing(round=2, table=1, slot="F1", a=(EntryId(1),), b=(EntryId(2),), winner=Side.A)
    walkover = PlayedPairing(round=3, slot="F2", a=(EntryId(1),))
    assert found("double_elimination", before, [*event.history, upset, walkover]) == {}


def test_removed_result_leaves_no_expected_entry() -> None:
    event = play("knockout", start(4), rounds=1)
    published = list_pairings(draw("knockout", event.draw_input))
    history = [replace(table, winner=None) if table.slot == "W1-2" else table for table in event.history]
    assert found("knockout", event.draw_input, history, published) == {"W2-1": ({2}, set())}


def test_manually_seated_entry_contradicts_nothing() -> None:
    locked = (LockedTable(number=1, a=(EntryId(1),), b=(EntryId(2),)),)
    event = Event(draw_input=replace(start(3), locked=locked))
    tables = [PlayedPairing(round=1, table=1, slot="W1-2", a=(EntryId(1),), b=(EntryId(2),), winner=Side.A)]
    before = replace(event.draw_input, round=2, locked=(), history=tuple(tables))
    published = list_pairings(draw("knockout", before))
    assert find_contradictions("knockout", {}, before.entrants, tables, published, manual_slots=["W1-2"]) == ()


@pytest.mark.slow
@given(st.sampled_from(BRACKETS), fields_with_absentees(most=20), st.integers(), st.integers(1, 12))
@property_settings
def test_unchanged_results_contradict_nothing(key: str, before: DrawInput, seed: int, rounds: int) -> None:
    event = play(key, before, random_result(seed), rounds=rounds)
    assert found(key, event.draw_input, event.history, list_pairings(draw(key, event.draw_input))) == {}


def find_next_slots(history: Sequence[PlayedPairing], table: PlayedPairing) -> list[str]:
    """Return the slot in which each entry of a table sat next."""
    later = sorted((other for other in history if other.round > table.round), key=lambda other: other.round)
    found = (
        next((other.slot for other in later if other.slot and entry in (*other.a, *other.b)), None)
        for entry in (*table.a, *table.b)
    )
    return [slot for slot in found if slot is not None]


@pytest.mark.slow
@given(
    st.sampled_from(["knockout", "double_elimination"]),
    st.integers(3, 24),
    st.integers(),
    st.integers(1, 10),
    st.data(),
)
@property_settings
def test_changed_result_contradicts_exactly_the_next_matches_of_both_entries(
    key: str, entrants: int, seed: int, rounds: int, data: st.DataObject
) -> None:
    event = play(key, start(entrants), random_result(seed), rounds=rounds)
    history = [*event.history, *list_pairings(draw(key, event.draw_input))]
    tables = [table for table in history if table.b and table.winner is not None]
    assume(tables)
    changed = data.draw(st.sampled_from(tables))
    now = found(key, event.draw_input, reverse_winner(history, changed.slot))
    following = set(find_next_slots(history, changed))
    assert following <= now.keys()
    assert now.keys() <= following | {"F2"}  # a changed first final may make the second one needed or unneeded
    for wrong, right in now.values():
        assert wrong
        assert wrong | right <= {*changed.a, *changed.b}


@pytest.mark.slow
@given(st.integers(2, 24), st.sampled_from([1, 2, 3]), st.integers(), st.integers(1, 8), st.data())
@property_settings
def test_changed_consolation_result_involves_only_the_two_entries(
    entrants: int, feed_in: int, seed: int, rounds: int, data: st.DataObject
) -> None:
    event = play("consolation", start(entrants, feed_in=feed_in), random_result(seed), rounds=rounds)
    history = [*event.history, *list_pairings(draw("consolation", event.draw_input))]
    tables = [table for table in history if table.b and table.winner is not None]
    changed = data.draw(st.sampled_from(tables))
    for wrong, right in found("consolation", event.draw_input, reverse_winner(history, changed.slot)).values():
        assert wrong | right <= {*changed.a, *changed.b}


@pytest.mark.slow
@given(st.sampled_from(BRACKETS), fields_with_absentees(most=20), st.integers(), st.data())
@property_settings
def test_draw_made_after_the_correction_has_no_contradictions(
    key: str, before: DrawInput, seed: int, data: st.DataObject
) -> None:
    event = play(key, before, random_result(seed), rounds=2)
    last = [table for table in event.history if table.round == 2 and table.b]
    assume(last)
    history = reverse_winner(event.history, data.draw(st.sampled_from(last)).slot)
    published = list_pairings(draw(key, replace(event.draw_input, history=tuple(history))))
    assert found(key, event.draw_input, history, published) == {}


@pytest.mark.slow
@given(st.sampled_from(BRACKETS), fields_with_absentees(most=14), st.integers(), st.data())
@property_settings
def test_manual_exchanges_by_the_director_contradict_nothing(
    key: str, before: DrawInput, seed: int, data: st.DataObject
) -> None:
    result, by_hand = random_result(seed), set()
    for number in range(1, 8):
        drawn = draw(key, before)
        sides = data.draw(st.permutations([table.b for table in drawn.tables]))
        by_hand |= {table.slot for table, side in zip(drawn.tables, sides, strict=True) if table.b != side}
        tables = [replace(table, b=side) for table, side in zip(drawn.tables, sides, strict=True)]
        history = [
            replace(table, winner=(Side.A if result(table.a[0], table.b[0]) else Side.B) if table.b else None)
            for table in list_pairings(replace(drawn, tables=tuple(tables)))
        ]
        before = replace(before, round=number + 1, history=(*before.history, *history))
    assert find_contradictions(key, {}, before.entrants, before.history, manual_slots=by_hand) == ()
