"""Corrections that contradict published matches, which somebody no longer reaches."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.charts import Contradiction, contradictions
from engine.draws import FORMATS, DrawInput, EntryId, LockedTable, PlayedPairing, draw
from rules import Side
from tests.engine.draws.bracket_events import Event, by_chance, fields_with_absentees, play, start, upsets
from tests.rules.sheets import law

from .events import seated

BRACKETS = ("knockout", "double_elimination", "consolation")


def corrected(history: Sequence[PlayedPairing], slot: str) -> list[PlayedPairing]:
    """Return the same with the other side as winner of this slot."""
    return [
        replace(table, winner=table.winner.other)
        if table.slot == slot and table.winner is not None
        else table
        for table in history
    ]


def found(
    key: str, before: DrawInput, history: Sequence[PlayedPairing], published: Sequence[PlayedPairing] = ()
) -> dict[str, tuple[set[int], set[int]]]:
    """By slot, who sits there wrongly, and who should instead."""
    return {
        each.slot: (set(each.seated), set(each.expected))
        for each in contradictions(key, before.settings, before.entrants, history, published)
    }


def after_correction(
    key: str, entrants: int, slot: str, *, rounds: int, **settings: Any
) -> dict[str, tuple[set[int], set[int]]]:
    """Favourites have won so many rounds, the next one is published, and then this slot is corrected."""
    event = play(key, start(entrants, **settings), rounds=rounds)
    published = seated(draw(key, event.after))
    return found(key, event.after, corrected(event.history, slot), published)


@pytest.mark.parametrize("key", sorted(set(FORMATS) - set(BRACKETS)))
def test_a_format_that_is_no_bracket_has_none(key: str) -> None:
    assert contradictions(key, {}, start(8).entrants, ()) == ()


def test_the_published_next_match_has_somebody_who_should_not_be_there() -> None:
    event = play("knockout", start(4), rounds=1)
    published = seated(draw("knockout", event.after))
    assert contradictions(
        "knockout", {}, event.after.entrants, corrected(event.history, "W1-2"), published
    ) == (Contradiction(round=2, table=1, slot="W2-1", seated=(EntryId(2),), expected=(EntryId(3),)),)


def test_a_correction_in_the_winners_bracket_changes_who_drops() -> None:
    assert after_correction("double_elimination", 8, "W1-1", rounds=1) == {
        "W2-1": ({1}, {8}),
        "L1-1": ({8}, {1}),
    }


def test_it_is_found_where_the_two_play_on_in_different_rounds() -> None:
    assert after_correction("double_elimination", 8, "W2-1", rounds=3) == {
        "L2-2": ({4}, {1}),
        "W3-1": ({1}, {4}),
    }


def test_a_correction_in_the_losers_bracket_is_found_in_its_next_round() -> None:
    assert after_correction("double_elimination", 8, "L1-1", rounds=3) == {"L2-1": ({5}, {8})}


def test_what_follows_from_a_match_that_was_played_is_not_named() -> None:
    assert after_correction("knockout", 8, "W1-1", rounds=2) == {"W2-1": ({1}, {8})}


def test_the_match_for_third_place_has_the_wrong_one_too() -> None:
    assert after_correction("knockout", 4, "W1-1", rounds=1, places="third") == {
        "W2-1": ({1}, {4}),
        "P3.2-1": ({4}, {1}),
    }


def test_a_second_final_that_is_no_longer_needed_has_nobody_to_expect() -> None:
    event = play("double_elimination", start(2))
    upset = [
        replace(table, winner=table.winner.other if table.winner is not None else None)
        if table.slot == "F1"
        else table
        for table in event.history
    ]
    before = replace(event.after, round=3, history=tuple(upset))
    published = seated(draw("double_elimination", before))
    assert [table.slot for table in published] == ["F2"]
    assert found("double_elimination", before, upset, published) == {}
    assert found("double_elimination", before, event.history, published) == {"F2": ({1, 2}, set())}


def test_who_should_have_dropped_and_played_on_leaves_the_walkover_there_as_it_was() -> None:
    assert after_correction("consolation", 5, "W2-1", rounds=3) == {"W3-1": ({1}, {4})}


def test_a_walkover_of_somebody_who_should_not_have_been_there_is_named() -> None:
    before = start(4, {2: {"leaves_after": 1}})
    event = play("knockout", before, rounds=1)
    walkover = PlayedPairing(round=2, slot="W2-1", a=(EntryId(1),))
    history = (*event.history, walkover)
    (only,) = contradictions("knockout", {}, before.entrants, corrected(history, "W1-1"))
    assert only == Contradiction(
        round=2, table=None, slot="W2-1", seated=(EntryId(1),), expected=(EntryId(4),)
    )


def test_a_second_final_for_want_of_the_other_finalist_is_as_it_should_be() -> None:
    before = start(2, {2: {"leaves_after": 2}})
    event = play("double_elimination", before, upsets, rounds=1)
    upset = PlayedPairing(round=2, table=1, slot="F1", a=(EntryId(1),), b=(EntryId(2),), winner=Side.A)
    walkover = PlayedPairing(round=3, slot="F2", a=(EntryId(1),))
    assert found("double_elimination", before, [*event.history, upset, walkover]) == {}


def test_a_result_taken_back_leaves_nobody_known_to_expect() -> None:
    event = play("knockout", start(4), rounds=1)
    published = seated(draw("knockout", event.after))
    history = [replace(table, winner=None) if table.slot == "W1-2" else table for table in event.history]
    assert found("knockout", event.after, history, published) == {"W2-1": ({2}, set())}


def test_whom_the_director_has_seated_by_hand_contradicts_nothing() -> None:
    locked = (LockedTable(number=1, a=(EntryId(1),), b=(EntryId(2),)),)
    event = Event(after=replace(start(3), locked=locked))
    tables = [PlayedPairing(round=1, table=1, slot="W1-2", a=(EntryId(1),), b=(EntryId(2),), winner=Side.A)]
    before = replace(event.after, round=2, locked=(), history=tuple(tables))
    published = seated(draw("knockout", before))
    assert contradictions("knockout", {}, before.entrants, tables, published, by_hand=["W1-2"]) == ()


@pytest.mark.slow
@given(st.sampled_from(BRACKETS), fields_with_absentees(most=20), st.integers(), st.integers(1, 12))
@law
def test_while_no_result_is_changed_nothing_is_contradicted(
    key: str, before: DrawInput, seed: int, rounds: int
) -> None:
    event = play(key, before, by_chance(seed), rounds=rounds)
    assert found(key, event.after, event.history, seated(draw(key, event.after))) == {}


def next_slots(history: Sequence[PlayedPairing], table: PlayedPairing) -> list[str]:
    """The slots in which the two of a table sat next, each in theirs."""
    later = sorted((other for other in history if other.round > table.round), key=lambda other: other.round)
    found = (
        next((other.slot for other in later if other.slot and entry in (*other.a, *other.b)), None)
        for entry in (*table.a, *table.b)
    )
    return [slot for slot in found if slot is not None]


@given(
    st.sampled_from(["knockout", "double_elimination"]),
    st.integers(3, 24),
    st.integers(),
    st.integers(1, 10),
    st.data(),
)
@law
def test_one_changed_result_is_found_exactly_where_the_two_sat_next(
    key: str, entrants: int, seed: int, rounds: int, data: st.DataObject
) -> None:
    event = play(key, start(entrants), by_chance(seed), rounds=rounds)
    history = [*event.history, *seated(draw(key, event.after))]
    tables = [table for table in history if table.b and table.winner is not None]
    assume(tables)
    changed = data.draw(st.sampled_from(tables))
    now = found(key, event.after, corrected(history, changed.slot))
    following = set(next_slots(history, changed))
    assert following <= now.keys()
    assert now.keys() <= following | {"F2"}  # needed or not, whoever sat in the first final
    for wrong, right in now.values():
        assert wrong
        assert wrong | right <= {*changed.a, *changed.b}


@given(st.integers(2, 24), st.sampled_from([1, 2, 3]), st.integers(), st.integers(1, 8), st.data())
@law
def test_a_changed_result_of_a_consolation_names_nobody_but_the_two(
    entrants: int, feed_in: int, seed: int, rounds: int, data: st.DataObject
) -> None:
    event = play("consolation", start(entrants, feed_in=feed_in), by_chance(seed), rounds=rounds)
    history = [*event.history, *seated(draw("consolation", event.after))]
    tables = [table for table in history if table.b and table.winner is not None]
    changed = data.draw(st.sampled_from(tables))
    for wrong, right in found("consolation", event.after, corrected(history, changed.slot)).values():
        assert wrong | right <= {*changed.a, *changed.b}


@pytest.mark.slow
@given(st.sampled_from(BRACKETS), fields_with_absentees(most=20), st.integers(), st.data())
@law
def test_a_draw_made_after_the_correction_contradicts_nothing_more(
    key: str, before: DrawInput, seed: int, data: st.DataObject
) -> None:
    event = play(key, before, by_chance(seed), rounds=2)
    last = [table for table in event.history if table.round == 2 and table.b]
    assume(last)
    history = corrected(event.history, data.draw(st.sampled_from(last)).slot)
    published = seated(draw(key, replace(event.after, history=tuple(history))))
    assert found(key, event.after, history, published) == {}


@pytest.mark.slow
@given(st.sampled_from(BRACKETS), fields_with_absentees(most=14), st.integers(), st.data())
@law
def test_whatever_the_director_exchanges_by_hand_contradicts_nothing(
    key: str, before: DrawInput, seed: int, data: st.DataObject
) -> None:
    result, by_hand = by_chance(seed), set()
    for number in range(1, 8):
        drawn = draw(key, before)
        sides = data.draw(st.permutations([table.b for table in drawn.tables]))
        by_hand |= {table.slot for table, side in zip(drawn.tables, sides, strict=True) if table.b != side}
        tables = [replace(table, b=side) for table, side in zip(drawn.tables, sides, strict=True)]
        history = [
            replace(table, winner=(Side.A if result(table.a[0], table.b[0]) else Side.B) if table.b else None)
            for table in seated(replace(drawn, tables=tuple(tables)))
        ]
        before = replace(before, round=number + 1, history=(*before.history, *history))
    assert contradictions(key, {}, before.entrants, before.history, by_hand=by_hand) == ()
