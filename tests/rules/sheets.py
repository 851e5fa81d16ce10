"""Short builders for the records of a match, and settings of property tests."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from errors import Refusal
from rules import GameTotals, MatchFormat, MatchState, PlayedHand, Record, Ruleset, Seat, Side, fold
from tests.long_runs import choose_count

A, B = Side.A, Side.B
ONE_GAME = MatchFormat(games_to_win=1)
TWO_GAMES = MatchFormat(games_to_win=2)

property_settings = settings(
    max_examples=choose_count(30, long=300), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
"""Settings of property tests: number of random cases, and no time limit on slow machines."""


def make_hand(side: Side, contract: str, tricks: int | None = None, **details: Any) -> PlayedHand:
    return PlayedHand(side=side, contract=contract, made=True, tricks=tricks, **details)


def fail_hand(side: Side, contract: str, tricks: int | None = None, **details: Any) -> PlayedHand:
    return PlayedHand(side=side, contract=contract, made=False, tricks=tricks, **details)


def build_totals(a: int, b: int) -> GameTotals:
    return GameTotals(points=(a, b))


def match_of(
    ruleset: Ruleset, *records: Record, match_format: MatchFormat = ONE_GAME, first_dealer: int = 0
) -> MatchState:
    """Fold these records, numbered from 1, into a match."""
    return fold(ruleset, match_format, enumerate(records, start=1), first_dealer=Seat(first_dealer))


def list_results(match: MatchState) -> list[tuple[tuple[int, int], Side | None, str | None]]:
    """Return the totals of each finished game, its winner and how it was won."""
    return [(game.points, game.winner, game.by and game.by.value) for game in match.games]


def get_refusal(call: Callable[..., object], *args: Any) -> tuple[str, str | None]:
    """Return the code and field of the refusal that the call raises."""
    with pytest.raises(Refusal) as caught:
        call(*args)
    return caught.value.code, caught.value.field
