"""Simulated matches agree with the rules: the same hands, folded, give the same end."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hands import HAND_COUNTS, HANDS
from engine.planning.hands import build_length, compute_likelihood, simulate_outcome
from rules import (
    RULESETS,
    MatchCriterion,
    MatchFormat,
    PassedOutHand,
    PlayedHand,
    Record,
    Ruleset,
    Side,
    TimeCall,
    fold,
)
from tests.rules.sheets import property_settings

FORMATS = [
    MatchFormat(games_to_win=1),
    MatchFormat(games_to_win=2),
    MatchFormat(hands=8),
    MatchFormat(hands=12, decided_by=MatchCriterion.POINTS),
    MatchFormat(hands=12, decided_by=MatchCriterion.POINTS, charlemagne_points=10),
    MatchFormat(minutes=30, decided_by=MatchCriterion.POINTS),
    MatchFormat(games_to_win=2, hands=10),
]


def record(ruleset: Ruleset, face: int, side: Side) -> Record:
    """Return a hand that gives this number of points to a side; for −1, one that wins the game."""
    if face == 0:
        return PassedOutHand()
    for contract in ruleset.playable:
        if face == -1 and contract.ends_game:
            return PlayedHand(side=side, contract=contract.key, made=True)
        if not contract.ends_game and contract.made == face:
            return PlayedHand(side=side, contract=contract.key, made=True)
        if not contract.ends_game and contract.failed == face:
            return PlayedHand(side=side.other, contract=contract.key, made=False)
    raise LookupError(face)


@property_settings
@given(
    st.sampled_from(sorted(RULESETS)),
    st.sampled_from(FORMATS),
    st.floats(-3, 3),
    st.integers(0, 10**6),
)
def test_simulated_match_agrees_with_the_folded_hands(
    key: str, match_format: MatchFormat, difference: float, seed: int
) -> None:
    ruleset, length = RULESETS[key], build_length(key, match_format)
    outcome = simulate_outcome(length, difference=difference, hand_minutes=4, chance=Random(seed))

    lots, records = Random(seed), []
    for _ in range(outcome.hands):
        lots.random()
        face = length.moves[int(HANDS * lots.random())]
        side = Side.A if lots.random() < compute_likelihood(difference) else Side.B
        records.append(record(ruleset, face, side))
    if match_format.minutes is not None:
        records.append(TimeCall())
    match = fold(ruleset, match_format, enumerate(records, start=1))

    assert match.is_over
    assert not any(line.is_surplus for line in match.lines)
    assert match.winner == outcome.winner
    assert match.points[0] - match.points[1] == outcome.margin


def test_every_builtin_ruleset_has_fitted_hand_counts() -> None:
    assert set(HAND_COUNTS) == set(RULESETS)
    for counts in HAND_COUNTS.values():
        assert sum(made + failed for _, made, failed in counts.results) + counts.passed == HANDS


def test_equal_sides_have_equal_chances_and_better_ones_more() -> None:
    assert compute_likelihood(0) == 0.5
    assert compute_likelihood(1) == pytest.approx(1 - compute_likelihood(-1))
    assert 0.55 < compute_likelihood(1) < compute_likelihood(2) < compute_likelihood(9) < 1


def test_match_that_needs_a_winner_gets_extra_hands() -> None:
    length = build_length("maine", MatchFormat(hands=2, decided_by=MatchCriterion.POINTS))
    ends = [
        (
            simulate_outcome(length, difference=0, hand_minutes=4, chance=Random(seed)),
            simulate_outcome(length, difference=0, hand_minutes=4, chance=Random(seed), needs_winner=True),
        )
        for seed in range(50)
    ]
    assert any(once.winner is None for once, _ in ends)
    for once, decided in ends:
        assert decided.winner is not None
        assert decided.hands > 2 if once.winner is None else decided == once


def test_simulated_hand_takes_the_given_minutes_on_average() -> None:
    length = build_length("maine", MatchFormat(hands=8))
    ends = [simulate_outcome(length, difference=0, hand_minutes=4, chance=Random(seed)).minutes for seed in range(300)]
    assert sum(ends) / len(ends) == pytest.approx(32, abs=1)
