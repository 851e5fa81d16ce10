"""Consolation: the losers who drop into bracket B, and the round in which they drop."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import DrawInput, draw
from engine.draws.formats.consolation import build_consolation_bracket, get_consolation_places
from errors import Refusal
from rules import Side
from tests.rules.sheets import property_settings

from .bracket_events import fields_with_absentees, has_all_places, play, random_result, start


def filter_by_bracket(event_slots: dict[str, tuple[int, int]], letter: str) -> dict[str, tuple[int, int]]:
    return {slot: pair for slot, pair in event_slots.items() if slot.startswith(letter)}


def test_first_round_losers_play_their_own_bracket() -> None:
    event = play("consolation", start(8))
    assert filter_by_bracket(event.meetings, "L") == {"L1-1": (5, 8), "L1-2": (6, 7), "L2-1": (5, 6)}
    assert get_consolation_places(event.draw_input).final == {1: 1, 2: 2, 3: 3, 4: 3, 5: 5, 6: 6, 7: 7, 8: 7}


def test_both_brackets_of_eight_end_in_three_rounds() -> None:
    assert build_consolation_bracket(8).rounds == 3


def test_consolation_of_thirteen_ends_in_four_rounds() -> None:
    event = play("consolation", start(13))
    assert [len(drawn.tables) for drawn in event.draws[:5]] == [5, 5, 4, 2, 0]


def test_loser_right_after_a_bye_drops_too() -> None:
    event = play("consolation", start(5), lambda one, other: one > other)
    assert filter_by_bracket(event.meetings, "W") == {"W1-2": (4, 5), "W2-1": (1, 5), "W2-2": (2, 3), "W3-1": (3, 5)}
    assert filter_by_bracket(event.meetings, "L") == {"L1-1": (1, 4), "L2-1": (2, 4)}


def test_winner_right_after_a_bye_leaves_a_bye_in_bracket_b() -> None:
    event = play("consolation", start(5))
    assert filter_by_bracket(event.meetings, "L") == {"L2-1": (3, 5)}


def test_feed_in_of_two_rounds_drops_losers_and_crosses_them() -> None:
    event = play("consolation", start(8, feed_in=2))
    assert filter_by_bracket(event.meetings, "L") == {
        "L1-1": (5, 8),
        "L1-2": (6, 7),
        "L2-1": (3, 5),
        "L2-2": (4, 6),
        "L3-1": (3, 4),
    }
    assert get_consolation_places(event.draw_input).final == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5, 7: 7, 8: 7}


@pytest.mark.slow
@given(st.integers(3, 40), st.integers(1, 4), st.integers())
@property_settings
def test_first_match_loser_loses_again_or_wins_bracket_b(entrants: int, feed_in: int, seed: int) -> None:
    event = play("consolation", start(entrants, feed_in=feed_in), random_result(seed), rounds=14)
    lost_first = set()
    for entry in range(1, entrants + 1):
        first = next(table for table in event.history if table.b and entry in (*table.a, *table.b))
        if (first.a if first.winner is Side.A else first.b) != (entry,):
            lost_first.add(entry)
    losses = {entry: event.count_losses(entry) for entry in range(1, entrants + 1)}
    assert sum(losses[entry] < 2 for entry in lost_first) <= 1
    assert max(losses.values()) <= 2


@pytest.mark.slow
@given(st.integers(2, 40), st.integers())
@property_settings
def test_single_feed_in_never_repeats_a_meeting(entrants: int, seed: int) -> None:
    event = play("consolation", start(entrants), random_result(seed), rounds=14)
    meetings = list(event.meetings.values())
    assert len(set(meetings)) == len(meetings)


@pytest.mark.slow
@given(fields_with_absentees(), st.integers(1, 5), st.integers())
@property_settings
def test_both_brackets_give_every_entry_a_place(before: DrawInput, feed_in: int, seed: int) -> None:
    before = replace(before, settings={"feed_in": feed_in})
    event = play("consolation", before, random_result(seed), rounds=14)
    assert not event.draws[-1].tables
    assert not event.draws[-1].byes
    assert has_all_places(before, get_consolation_places(event.draw_input).final)


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"feed_in": 0}, "number_too_small"),
        ({"feed_in": "1"}, "not_a_number"),
        ({"from": 1}, "no_such_setting"),
    ],
)
def test_consolation_rejects_invalid_settings(settings: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal, match=code):
        draw("consolation", replace(start(4), settings=settings))
