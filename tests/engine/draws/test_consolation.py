"""Consolation: who drops into the B bracket, and when."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import DrawInput, draw
from engine.draws.formats.consolation import consolation_bracket, consolation_places
from errors import Refusal
from rules import Side
from tests.rules.sheets import law

from .bracket_events import by_chance, everybody_there_has_a_place, fields_with_absentees, play, start


def by_bracket(event_slots: dict[str, tuple[int, int]], letter: str) -> dict[str, tuple[int, int]]:
    return {slot: pair for slot, pair in event_slots.items() if slot.startswith(letter)}


def test_the_losers_of_the_first_round_play_a_bracket_of_their_own() -> None:
    event = play("consolation", start(8))
    assert by_bracket(event.meetings, "L") == {"L1-1": (5, 8), "L1-2": (6, 7), "L2-1": (5, 6)}
    assert consolation_places(event.after).final == {1: 1, 2: 2, 3: 3, 4: 3, 5: 5, 6: 6, 7: 7, 8: 7}


def test_both_brackets_of_eight_are_through_in_three_rounds() -> None:
    assert consolation_bracket(8).rounds == 3


def test_thirteen_are_through_in_four_rounds_if_the_favourites_win() -> None:
    event = play("consolation", start(13))
    assert [len(drawn.tables) for drawn in event.drawn[:5]] == [5, 5, 4, 2, 0]


def test_who_loses_right_after_a_bye_drops_too() -> None:
    event = play("consolation", start(5), lambda one, other: one > other)
    assert by_bracket(event.meetings, "W") == {"W1-2": (4, 5), "W2-1": (1, 5), "W2-2": (2, 3), "W3-1": (3, 5)}
    assert by_bracket(event.meetings, "L") == {"L1-1": (1, 4), "L2-1": (2, 4)}


def test_who_wins_right_after_a_bye_leaves_a_bye_in_the_second_bracket() -> None:
    event = play("consolation", start(5))
    assert by_bracket(event.meetings, "L") == {"L2-1": (3, 5)}


def test_losers_of_two_rounds_drop_if_wanted_and_cross_over() -> None:
    event = play("consolation", start(8, feed_in=2))
    assert by_bracket(event.meetings, "L") == {
        "L1-1": (5, 8),
        "L1-2": (6, 7),
        "L2-1": (3, 5),
        "L2-2": (4, 6),
        "L3-1": (3, 4),
    }
    assert consolation_places(event.after).final == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5, 7: 7, 8: 7}


@pytest.mark.slow
@given(st.integers(3, 40), st.integers(1, 4), st.integers())
@law
def test_who_loses_the_first_match_loses_again_or_wins_the_second_bracket(
    entrants: int, feed_in: int, seed: int
) -> None:
    event = play("consolation", start(entrants, feed_in=feed_in), by_chance(seed), rounds=14)
    lost_first = set()
    for entry in range(1, entrants + 1):
        first = next(table for table in event.history if table.b and entry in (*table.a, *table.b))
        if (first.a if first.winner is Side.A else first.b) != (entry,):
            lost_first.add(entry)
    losses = {entry: event.losses(entry) for entry in range(1, entrants + 1)}
    assert sum(losses[entry] < 2 for entry in lost_first) <= 1
    assert max(losses.values()) <= 2


@pytest.mark.slow
@given(st.integers(2, 40), st.integers())
@law
def test_nobody_meets_the_same_opponent_again_where_only_the_first_loss_is_consoled(
    entrants: int, seed: int
) -> None:
    event = play("consolation", start(entrants), by_chance(seed), rounds=14)
    meetings = list(event.meetings.values())
    assert len(set(meetings)) == len(meetings)


@pytest.mark.slow
@given(fields_with_absentees(), st.integers(1, 5), st.integers())
@law
def test_both_brackets_end_with_a_place_for_everybody(before: DrawInput, feed_in: int, seed: int) -> None:
    before = replace(before, settings={"feed_in": feed_in})
    event = play("consolation", before, by_chance(seed), rounds=14)
    assert not event.drawn[-1].tables
    assert not event.drawn[-1].byes
    assert everybody_there_has_a_place(before, consolation_places(event.after).final)


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"feed_in": 0}, "number_too_small"),
        ({"feed_in": "1"}, "not_a_number"),
        ({"from": 1}, "no_such_setting"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal, match=code):
        draw("consolation", replace(start(4), settings=settings))
