"""A match by dice is a match by the rules: the same hands, folded, give the same end."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hands import HAND_COUNTS, HANDS
from engine.planning.hands import length_of, likelihood, played_match
from rules import (
    RULESETS,
    DecidedBy,
    MatchFormat,
    PassedOut,
    PlayedHand,
    Record,
    Ruleset,
    Side,
    TimeCalled,
    fold,
)
from tests.rules.sheets import law

FORMATS = [
    MatchFormat(games_to_win=1),
    MatchFormat(games_to_win=2),
    MatchFormat(hands=8),
    MatchFormat(hands=12, decided_by=DecidedBy.POINTS),
    MatchFormat(hands=12, decided_by=DecidedBy.POINTS, charlemagne_points=10),
    MatchFormat(minutes=30, decided_by=DecidedBy.POINTS),
    MatchFormat(games_to_win=2, hands=10),
]


def record(ruleset: Ruleset, face: int, side: Side) -> Record:
    """A hand that moves so many points to a side; −1: that ends the game for it."""
    if face == 0:
        return PassedOut()
    for contract in ruleset.playable:
        if face == -1 and contract.ends_game:
            return PlayedHand(side=side, contract=contract.key, made=True)
        if not contract.ends_game and contract.made == face:
            return PlayedHand(side=side, contract=contract.key, made=True)
        if not contract.ends_game and contract.failed == face:
            return PlayedHand(side=side.other, contract=contract.key, made=False)
    raise LookupError(face)


@law
@given(
    st.sampled_from(sorted(RULESETS)),
    st.sampled_from(FORMATS),
    st.floats(-3, 3),
    st.integers(0, 10**6),
)
def test_the_same_hands_give_the_same_winner_and_margin(
    key: str, match_format: MatchFormat, difference: float, seed: int
) -> None:
    ruleset, length = RULESETS[key], length_of(key, match_format)
    outcome = played_match(length, difference=difference, hand_minutes=4, chance=Random(seed))

    lots, records = Random(seed), []
    for _ in range(outcome.hands):
        lots.random()
        face = length.moves[int(HANDS * lots.random())]
        side = Side.A if lots.random() < likelihood(difference) else Side.B
        records.append(record(ruleset, face, side))
    if match_format.minutes is not None:
        records.append(TimeCalled())
    match = fold(ruleset, match_format, enumerate(records, start=1))

    assert match.is_over
    assert not any(line.is_surplus for line in match.lines)
    assert match.winner == outcome.winner
    assert match.points[0] - match.points[1] == outcome.margin


def test_every_built_in_ruleset_was_fitted() -> None:
    assert set(HAND_COUNTS) == set(RULESETS)
    for counts in HAND_COUNTS.values():
        assert sum(made + failed for _, made, failed in counts.results) + counts.passed == HANDS


def test_equal_sides_gain_as_many_hands_and_better_ones_more() -> None:
    assert likelihood(0) == 0.5
    assert likelihood(1) == pytest.approx(1 - likelihood(-1))
    assert 0.55 < likelihood(1) < likelihood(2) < likelihood(9) < 1


def test_where_somebody_has_to_win_hands_are_added() -> None:
    length = length_of("maine", MatchFormat(hands=2, decided_by=DecidedBy.POINTS))
    ends = [
        (
            played_match(length, difference=0, hand_minutes=4, chance=Random(seed)),
            played_match(length, difference=0, hand_minutes=4, chance=Random(seed), needs_winner=True),
        )
        for seed in range(50)
    ]
    assert any(once.winner is None for once, _ in ends)
    for once, decided in ends:
        assert decided.winner is not None
        assert decided.hands > 2 if once.winner is None else decided == once


def test_a_hand_takes_its_minutes_on_the_average() -> None:
    length = length_of("maine", MatchFormat(hands=8))
    ends = [
        played_match(length, difference=0, hand_minutes=4, chance=Random(seed)).minutes for seed in range(300)
    ]
    assert sum(ends) / len(ends) == pytest.approx(32, abs=1)
