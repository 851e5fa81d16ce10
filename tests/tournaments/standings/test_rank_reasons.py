"""Reasons for a rank: the deciding figures, after the criteria on which both rows are level."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import override

from engine.draws.stages import parse_stage_plan
from engine.ranking import (
    NO_PLACE,
    UNPLAYED_KINDS,
    Bye,
    CriterionComparison,
    Outcome,
    OutcomeKind,
    RankingRules,
    Result,
    ranking_rules_from_json,
)
from engine.ranking.ranking_rules import OwnAverage
from tournaments.standings.presenters.reasons import CountedRound, RankComparison, explain_rank
from tournaments.standings.reason_labels import compare_ranks, ranking_sentences, round_outcome


def get_sentence(*figures: tuple[str, int | None, int | None], is_ahead: bool = True, have_met: bool = False) -> str:
    """Return the sentence that compares a row with Ann's by these criteria, the last of which decides."""
    steps = [
        CriterionComparison(metric=metric, value=value, neighbour_value=other, is_deciding=number == len(figures))
        for number, (metric, value, other) in enumerate(figures, start=1)
    ]
    with override("en"):
        return compare_ranks(
            RankComparison(names="Ann", rank=2, is_ahead=is_ahead, have_met=have_met, steps=tuple(steps))
        )


@pytest.mark.parametrize(
    ("figures", "is_ahead", "expected"),
    [
        (
            [("match_wins", 3, 3), ("difference", 38, 12)],
            True,
            "Level with Ann on matches won; ahead on difference, +38 to +12.",
        ),
        (
            [("match_wins", 3, 3), ("games_won", 5, 5), ("difference", -4, 12)],
            False,
            "Level with Ann on matches won and games won; behind on difference, −4 to +12.",
        ),
        (
            [("match_wins", 3, 3), ("games_won", 5, 5), ("difference", 0, 0), ("points_for", 90, 80)],
            True,
            "Level with Ann on 3 criteria; ahead on points for, 90 to 80.",
        ),
        ([("half_wins", 5, 6)], False, "Behind Ann on wins and half wins, 2½ to 3."),
        ([("head_to_head", None, None), ("difference", 9, 8)], True, "Ahead of Ann on difference, +9 to +8."),
        ([("bracket", 1, NO_PLACE)], True, "Ahead of Ann on “Bracket place”."),
        ([("match_wins", 3, 3), ("lots", 9, 8)], True, "Level with Ann on everything else; drawn by lot."),
    ],
)
def test_rank_is_explained_by_the_deciding_figures(
    figures: list[tuple[str, int | None, int | None]], is_ahead: bool, expected: str
) -> None:
    assert get_sentence(*figures, is_ahead=is_ahead) == expected


def test_internal_metrics_are_not_compared() -> None:
    rows: Any = [
        {"entry": 1, "rank": 1, "stage": 1, "pool_place": NO_PLACE, "match_wins": 3},
        {"entry": 2, "rank": 2, "stage": 3, "pool_place": NO_PLACE, "match_wins": 4},
        {"entry": 3, "rank": 3, "stage": 3, "pool_place": NO_PLACE, "match_wins": 2},
    ]
    counted: Any = {}
    why = explain_rank(rows, 1, counted, {1: "Ann", 3: "Bob"}, ("stage", "pool_place", "match_wins"))
    assert why.above is not None
    assert why.below is not None
    assert (why.above.decisive, why.above.figures) == ("stage", ())
    assert [step.metric for step in why.below.figures] == ["match_wins"]


@pytest.mark.parametrize("kind", UNPLAYED_KINDS)
@pytest.mark.parametrize("value", Bye)
def test_every_value_of_an_unplayed_round_is_explained(kind: str, value: Bye) -> None:
    rules = ranking_rules_from_json({kind: value.value})
    plan = parse_stage_plan([{"format": "round_robin"}, {"format": "swiss"}])
    counted = rules.count_result(
        Result(round=1, outcome=Outcome.WON, kind=OutcomeKind(kind)), games_to_win=1, own_average=OwnAverage(share=1)
    )
    shown = CountedRound(
        round=1,
        outcome=counted.outcome,
        kind=counted.kind,
        opponents=(),
        partners=(),
        games=None,
        points=None,
        is_dropped=False,
        share=counted.share,
    )
    with override("en"):
        assert any(describes_value(sentence, value) for sentence in ranking_sentences(rules, plan))
        assert describes_value(round_outcome(shown), value)


def describes_value(text: str, value: Bye) -> bool:
    """Return whether a text says what a round is worth."""
    words = {
        Bye.WIN: ("win", "won"),
        Bye.DRAW: ("half a win", "a draw"),
        Bye.NOTHING: ("loss", "lost", "no credit", "no match", "not count", "no win"),
        Bye.AVERAGE: ("average", "of a win"),
    }
    return any(word in text for word in words[value])


@pytest.mark.parametrize(
    ("carried", "expected"),
    [
        ("all", "The results of all stages count."),
        ("none", "Stage 2 counts only its own results."),
        ("among", "Stage 2 counts its own results and earlier ones among its entries."),
    ],
)
def test_rules_state_which_earlier_results_a_stage_counts(carried: str, expected: str) -> None:
    plan = parse_stage_plan([{"format": "swiss", "rounds": 2}, {"format": "random", "carried": carried}])
    with override("en"):
        sentences = ranking_sentences(RankingRules(), plan)
    assert [sentence for sentence in sentences if "tage" in sentence] == [expected]
