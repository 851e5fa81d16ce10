"""Rounds of a bracket: each has a match, and no entry waits for an opponent who is known."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import FORMATS, DrawInput, EntryId, PlayedPairing, ReasonCode, draw
from rules import Side
from tests.rules.sheets import property_settings

from .bracket_events import Event, favourite_wins, fields_with_absentees, play, play_next_round, random_result, start
from .test_brackets_changed import BRACKETS


@pytest.mark.long
@pytest.mark.parametrize("key", BRACKETS)
@given(fields_with_absentees(), st.integers())
@property_settings
def test_every_round_has_a_match_until_the_bracket_is_over(key: str, before: DrawInput, seed: int) -> None:
    event = play(key, before, random_result(seed), rounds=16)
    has_tables = [bool(drawn.tables) for drawn in event.draws]
    assert has_tables == sorted(has_tables, reverse=True)
    assert not any(drawn.byes for drawn in event.draws if not drawn.tables)
    places = FORMATS[key].places(event.draw_input)
    assert places.final == places.best


@pytest.mark.slow
@pytest.mark.parametrize("key", BRACKETS)
@given(st.integers(2, 40), st.integers())
@property_settings
def test_waiting_entries_wait_for_different_matches(key: str, entrants: int, seed: int) -> None:
    """The reason of each bye names the match that the entry waits for."""
    event = play(key, start(entrants), random_result(seed), rounds=16)
    for drawn in event.draws:
        awaited = [reason.details["slot"] for bye in drawn.byes for reason in bye.reasons]
        assert len(awaited) == len(set(awaited))


@pytest.mark.long
@pytest.mark.parametrize("entrants", range(2, 41))
@pytest.mark.parametrize("key", BRACKETS)
def test_bracket_takes_no_more_rounds_than_announced(key: str, entrants: int) -> None:
    event = play(key, start(entrants), favourite_wins, rounds=16)
    rounds = FORMATS[key].rounds(entrants, {})
    assert rounds is not None
    assert sum(bool(drawn.tables) for drawn in event.draws) <= rounds


def test_entries_with_byes_who_must_meet_play_in_the_first_round() -> None:
    drawn = draw("knockout", start(5))
    assert {table.slot for table in drawn.tables} == {"W1-2", "W2-2"}
    assert [bye.entry for bye in drawn.byes] == [1]


def test_double_elimination_winners_do_not_wait_for_losers() -> None:
    event = play("double_elimination", start(8), rounds=2)
    drawn = draw("double_elimination", event.draw_input)
    assert {table.slot for table in drawn.tables} == {"W3-1", "L2-1", "L2-2"}


def test_entry_with_two_walkovers_plays_in_the_same_round() -> None:
    event = play("knockout", start(8), rounds=1)
    left = tuple(
        replace(entrant, leaves_after=1) if entrant.id in (3, 4) else entrant for entrant in event.draw_input.entrants
    )
    event.draw_input = replace(event.draw_input, entrants=left)
    drawn = play_next_round(event, "knockout", favourite_wins)
    assert [(table.slot, {*table.a, *table.b}) for table in drawn.tables] == [("W3-1", {1, 2})]
    assert FORMATS["knockout"].places(event.draw_input).final == {1: 1, 2: 2, 3: 3, 4: 3, 5: 5, 6: 5, 7: 5, 8: 5}


def test_absent_finalist_loses_without_a_round() -> None:
    event = play("knockout", start(4), rounds=1)
    away = replace(event.draw_input.entrants[0], leaves_after=1)
    event.draw_input = replace(event.draw_input, entrants=(away, *event.draw_input.entrants[1:]))
    assert not draw("knockout", event.draw_input).tables
    assert FORMATS["knockout"].places(event.draw_input).final == {2: 1, 1: 2, 3: 3, 4: 3}


def test_unseated_match_is_still_to_be_played() -> None:
    """A round published by hand without the match, though both entries were present."""
    beat = PlayedPairing(round=1, a=(EntryId(2),), b=(EntryId(3),), slot="W1-2", winner=Side.A)
    drawn = draw("knockout", replace(start(4), round=2, history=(beat,)))
    assert {table.slot: {*table.a, *table.b} for table in drawn.tables} == {"W1-1": {1, 4}}
    assert [reason.code for bye in drawn.byes for reason in bye.reasons] == [ReasonCode.WAITS]


def test_older_version_plays_each_match_in_a_fixed_round() -> None:
    event = Event(replace(start(8), version=6))
    for _ in range(2):
        play_next_round(event, "double_elimination", favourite_wins)
    older = draw("double_elimination", event.draw_input)
    assert {table.slot for table in older.tables} == {"L2-1", "L2-2"}
    assert sorted(bye.entry for bye in older.byes) == [1, 2]
