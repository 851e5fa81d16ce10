"""Ranking rules: defaults, stored form and refusals."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import EntryId
from engine.ranking import (
    METRICS,
    USUAL_ORDER,
    Bye,
    RankingRules,
    ResultAdjustment,
    ranking_rules_from_json,
    ranking_rules_to_json,
)
from errors import Refusal

from .round_texts import rank_text


def test_default_rules_rank_by_wins_games_difference_and_points() -> None:
    usual = RankingRules()
    assert usual.order == USUAL_ORDER == ("match_wins", "games_won", "difference", "points_for")
    assert (usual.win, usual.draw, usual.loss, usual.bye, usual.dropped) == (2, 1, 0, Bye.WIN, 0)


def test_only_the_order_and_changed_rules_are_stored() -> None:
    assert ranking_rules_to_json(RankingRules(order=("difference",), dropped=2)) == {
        "order": ["difference"],
        "dropped": 2,
    }


def test_missing_rules_take_their_defaults() -> None:
    assert ranking_rules_from_json({}) == RankingRules()


@pytest.mark.parametrize(
    ("rules_json", "code", "field"),
    [
        ({"order": []}, "ranking_empty", "order"),
        ({"order": ["elegance"]}, "no_such_metric", "order"),
        ({"order": ["difference", "match_wins", "difference"]}, "metric_twice", "order"),
        ({"order": "difference"}, "not_a_list", "order"),
        ({"order": [1]}, "not_a_list", "order"),
        ({"win": 1, "draw": 2}, "match_points_disordered", "draw"),
        ({"loss": 2}, "match_points_disordered", "draw"),
        ({"loss": -1}, "number_too_small", "loss"),
        ({"cap": 0}, "number_too_small", "cap"),
        ({"dropped": -1}, "number_too_small", "dropped"),
        ({"dropped": "two"}, "not_a_number", "dropped"),
        ({"bye": "half"}, "no_such_choice", "bye"),
        ({"beauty": 1}, "no_such_setting", "beauty"),
        (["match_wins"], "not_an_object", None),
    ],
)
def test_invalid_rules_are_refused_at_their_field(rules_json: Any, code: str, field: str | None) -> None:
    with pytest.raises(Refusal) as caught:
        ranking_rules_from_json(rules_json)
    assert (caught.value.code, caught.value.field) == (code, field)


def test_adjustment_of_a_play_only_metric_is_refused() -> None:
    wish = ResultAdjustment(entry=EntryId(1), metric="charlemagnes", amount=1)
    with pytest.raises(Refusal, match="no_such_choice"):
        rank_text("1>2", adjustments=[wish])


match_points = st.lists(st.integers(0, 9), min_size=3, max_size=3).map(sorted)


@pytest.mark.slow
@given(
    st.lists(st.sampled_from(sorted(METRICS)), unique=True, min_size=1),
    match_points,
    st.sampled_from(Bye),
    st.integers(1, 99),
    st.integers(0, 9),
)
def test_rules_survive_a_json_round_trip(order: list[str], points: list[int], bye: Bye, cap: int, dropped: int) -> None:
    loss, draw, win = points
    rules = RankingRules(order=tuple(order), win=win, draw=draw, loss=loss, bye=bye, cap=cap, dropped=dropped)
    assert ranking_rules_from_json(json.loads(json.dumps(ranking_rules_to_json(rules)))) == rules
