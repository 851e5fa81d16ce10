"""The places of a bracket that is still played: the best that everybody in it can still have."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.draws import FORMATS, EntryId
from engine.draws.stages import stages_reached
from engine.draws.stages.plans import stage_plan

from .bracket_events import Result, by_chance, favourites, play, start

ANY, WITHOUT_BYES = (2, 3, 5, 8, 11), (2, 4, 8)
"""How many entrants. With byes it is known only later how many stay in bracket A of a consolation."""
COURSES = [
    (format_key, settings, entrants)
    for format_key, settings, fields in (
        ("knockout", {"places": "winner"}, ANY),
        ("knockout", {"places": "third"}, ANY),
        ("knockout", {"places": "all"}, ANY),
        ("double_elimination", {}, ANY),
        ("double_elimination", {"second_final": False}, ANY),
        ("consolation", {}, WITHOUT_BYES),
        ("consolation", {"feed_in": 3}, WITHOUT_BYES),
    )
    for entrants in fields
]


def wins_always(winner: int, seed: int) -> Result:
    """Return whoever else meets, wins by chance."""
    chance = by_chance(seed)
    return lambda one, other: one == winner or (other != winner and chance(one, other))


def best_places(format_key: str, entrants: int, *, rounds: int, **settings: Any) -> Mapping[EntryId, int]:
    """After so many rounds, each won by the better seed."""
    event = play(format_key, start(entrants, **settings), favourites, rounds=rounds)
    return FORMATS[format_key].places(event.after).best


def test_who_lost_a_semifinal_is_third_at_best_where_third_place_is_played() -> None:
    assert best_places("knockout", 4, rounds=1, places="third") == {1: 1, 2: 1, 3: 3, 4: 3}


def test_standings_of_an_older_program_had_them_with_those_who_can_be_first() -> None:
    event = play("knockout", start(4, places="third"), favourites, rounds=1)
    plan = stage_plan([{"format": "knockout", "settings": {"places": "third"}}])
    for version, place in ((4, 1), (5, 3)):
        reached = stages_reached(plan, replace(event.after, version=version), [])
        assert reached[EntryId(3)].place == place


def test_who_plays_on_in_bracket_b_stands_behind_all_of_bracket_a() -> None:
    places = best_places("consolation", 8, rounds=1)
    assert [places[EntryId(entry)] for entry in range(1, 9)] == [1, 1, 1, 1, 5, 5, 5, 5]


def test_who_has_lost_once_of_two_times_can_still_be_first() -> None:
    assert set(best_places("double_elimination", 4, rounds=1).values()) == {1}


@pytest.mark.slow
@pytest.mark.parametrize(("format_key", "settings", "entrants"), COURSES)
def test_who_wins_all_that_is_left_has_the_best_place_and_nobody_a_better_one(
    format_key: str, settings: dict[str, Any], entrants: int
) -> None:
    places = FORMATS[format_key].places
    for seed in range(4):
        event = play(format_key, start(entrants, **settings), by_chance(seed), rounds=seed)
        best = places(event.after).best
        assert best.keys() == {entrant.id for entrant in event.after.entrants}
        for winner in best:
            ended = places(play(format_key, event.after, wins_always(winner, seed)).after).final
            assert ended[winner] == best[winner]
            assert all(ended[entry] >= best[entry] for entry in best)
