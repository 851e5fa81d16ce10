"""Places in an unfinished bracket: the best place that each entry can still reach."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.draws import FORMATS, EntryId
from engine.draws.stages import get_stage_progress
from engine.draws.stages.plans import parse_stage_plan

from .bracket_events import Result, favourite_wins, play, random_result, start

ANY, WITHOUT_BYES = (2, 3, 5, 8, 11), (2, 4, 8)
"""Numbers of entrants. With byes, the size of bracket A of a consolation is known only later."""
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


def build_unbeaten_result(winner: int, seed: int) -> Result:
    """Return results in which one entry always wins and other matches are random."""
    chance = random_result(seed)
    return lambda one, other: one == winner or (other != winner and chance(one, other))


def get_best_places(format_key: str, entrants: int, *, rounds: int, **settings: Any) -> Mapping[EntryId, int]:
    """Return the best places after rounds that the better seeds won."""
    event = play(format_key, start(entrants, **settings), favourite_wins, rounds=rounds)
    return FORMATS[format_key].places(event.draw_input).best


def test_semifinal_loser_is_third_at_best_with_a_third_place_match() -> None:
    assert get_best_places("knockout", 4, rounds=1, places="third") == {1: 1, 2: 1, 3: 3, 4: 3}


def test_older_version_gives_semifinal_losers_a_better_best_place() -> None:
    event = play("knockout", start(4, places="third"), favourite_wins, rounds=1)
    plan = parse_stage_plan([{"format": "knockout", "settings": {"places": "third"}}])
    for version, place in ((4, 1), (5, 3)):
        reached = get_stage_progress(plan, replace(event.draw_input, version=version), [])
        assert reached[EntryId(3)].place == place


def test_bracket_b_entries_rank_behind_all_of_bracket_a() -> None:
    places = get_best_places("consolation", 8, rounds=1)
    assert [places[EntryId(entry)] for entry in range(1, 9)] == [1, 1, 1, 1, 5, 5, 5, 5]


def test_double_elimination_entry_can_still_win_after_one_loss() -> None:
    assert set(get_best_places("double_elimination", 4, rounds=1).values()) == {1}


@pytest.mark.long
@pytest.mark.parametrize(("format_key", "settings", "entrants"), COURSES)
def test_winning_every_remaining_match_reaches_the_best_place(
    format_key: str, settings: dict[str, Any], entrants: int
) -> None:
    places = FORMATS[format_key].places
    for seed in range(4):
        event = play(format_key, start(entrants, **settings), random_result(seed), rounds=seed)
        best = places(event.draw_input).best
        assert best.keys() == {entrant.id for entrant in event.draw_input.entrants}
        for winner in best:
            ended = places(play(format_key, event.draw_input, build_unbeaten_result(winner, seed)).draw_input).final
            assert ended[winner] == best[winner]
            assert all(ended[entry] >= best[entry] for entry in best)
