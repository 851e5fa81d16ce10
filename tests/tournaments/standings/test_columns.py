"""Figures that the standings show beside a name."""

from typing import Any

import pytest

from engine.draws.stages import stage_plan
from engine.results import usual_rules, with_how_far
from tournaments.standings.presenters import tells_a_result
from tournaments.standings.presenters.table import brief_columns, metric_columns


def test_pools_show_the_place_and_what_everybody_has_in_all_and_not_per_match() -> None:
    plan = stage_plan([{"format": "pools"}])
    order = with_how_far(usual_rules(plan), plan).order
    assert order[:2] == ("pool_place", "win_rate")
    assert metric_columns(order, []) == (
        "pool_place", "match_wins", "games_won", "difference", "points_for",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("games", "shown"),
    [((1, 1), ("match_wins", "difference")), ((1, 0), ("match_wins", "games_won", "difference"))],
)
def test_a_phone_shows_games_where_they_decide_a_rank(games: tuple[int, int], shown: tuple[str, ...]) -> None:
    rows: Any = [
        {"match_wins": 1, "games_won": won, "difference": difference}
        for won, difference in zip(games, (0, 7), strict=True)
    ]
    assert brief_columns(("match_wins", "games_won", "difference", "points_for"), rows) == shown


def test_a_place_in_a_pool_is_no_result_yet() -> None:
    assert not tells_a_result((("pool_place", 1), ("match_wins", 0)))
    assert tells_a_result((("pool_place", 1), ("match_wins", 1)))
