"""Figures that the standings show beside each name."""

from typing import Any

import pytest

from engine.draws.stages import parse_stage_plan
from engine.ranking import has_result
from engine.results import add_progress_metrics, get_default_rules
from tournaments.standings.presenters.table import list_brief_columns, list_metric_columns


def test_pool_columns_show_place_and_totals() -> None:
    plan = parse_stage_plan([{"format": "pools"}])
    order = add_progress_metrics(get_default_rules(plan), plan).order
    assert order[:3] == ("pool_place", "left_pool", "win_rate")
    assert list_metric_columns(order, []) == (
        "pool_place", "match_wins", "games_won", "difference", "points_for",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("games", "shown"),
    [((1, 1), ("match_wins", "difference")), ((1, 0), ("match_wins", "games_won", "difference"))],
)
def test_brief_columns_show_games_when_they_decide(games: tuple[int, int], shown: tuple[str, ...]) -> None:
    rows: Any = [
        {"match_wins": 1, "games_won": won, "difference": difference}
        for won, difference in zip(games, (0, 7), strict=True)
    ]
    assert list_brief_columns(("match_wins", "games_won", "difference", "points_for"), rows) == shown


def test_pool_place_is_not_a_result() -> None:
    assert not has_result((("pool_place", 1), ("match_wins", 0)))
    assert has_result((("pool_place", 1), ("match_wins", 1)))
