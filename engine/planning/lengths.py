"""Possible lengths of matches, and the minutes that a round of them takes."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from rules import MatchCriterion, MatchFormat

from .hands import build_length, draw_normal, draw_slowness, simulate_outcome
from .questions import PlanQuestion

GAMES = (MatchFormat(games_to_win=2), MatchFormat(games_to_win=1))
"""Matches to a number of games won: somebody always wins. Longest first."""

SET_LENGTHS = (
    MatchFormat(hands=16, decided_by=MatchCriterion.POINTS),
    MatchFormat(minutes=45, decided_by=MatchCriterion.POINTS),
    MatchFormat(hands=12, decided_by=MatchCriterion.POINTS),
    MatchFormat(minutes=30, decided_by=MatchCriterion.POINTS),
    MatchFormat(hands=8, decided_by=MatchCriterion.POINTS),
    MatchFormat(hands=6, decided_by=MatchCriterion.POINTS),
)
"""Matches of so many hands, or minutes: all tables end at about the same time, and points decide."""

CHANGEOVER = 5
"""Minutes from the last card of a round to the first of the next: results, the draw, finding a seat."""

_SAMPLE = 3000


def estimate_round_minutes(question: PlanQuestion, match_format: MatchFormat, tables: int) -> float:
    """Return the minutes until the slowest of so many tables has played its match: the median."""
    minutes = _simulate_match_minutes(question.ruleset, match_format, question.minutes_a_hand)
    return minutes[int(len(minutes) * 0.5 ** (1 / max(1, tables)))]


def estimate_minutes(question: PlanQuestion, match_format: MatchFormat, tables: Sequence[int]) -> float:
    """Return the minutes of rounds with so many tables each, with the changeovers between them."""
    played = sum(estimate_round_minutes(question, match_format, count) for count in tables)
    return played + CHANGEOVER * (len(tables) - 1)


@lru_cache(maxsize=256)
def _simulate_match_minutes(ruleset_key: str, match_format: MatchFormat, minutes_per_hand: int) -> tuple[float, ...]:
    """Return the lengths of simulated matches between random sides, ascending."""
    chance, length = Random("minutes"), build_length(ruleset_key, match_format)  # noqa: S311 - no secret
    return tuple(
        sorted(
            simulate_outcome(
                length,
                difference=draw_normal(chance) - draw_normal(chance),
                hand_minutes=minutes_per_hand * (draw_slowness(chance) + draw_slowness(chance)) / 2,
                chance=chance,
            ).minutes
            for _ in range(_SAMPLE)
        )
    )
