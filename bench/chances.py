"""Measure how accurate the chances of winning are before each hand, in games simulated card by card.

The Brier score is the mean squared error of the chance; a coin has 0.25. Predictions are also grouped in
tenths, such as 20 to 30 %, whose mean chance is compared with the share of wins. Matches use all rulesets in
turn, each by games and over eight hands.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from statistics import fmean
from typing import Any

from engine.chances import compute_chance
from rules import RULESETS, HeuristicPlayer, MatchCriterion, MatchFormat, MatchState, Ruleset, Side, simulate_match


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``games``, ``brier``, and ``worst_tenth``, the largest error of a tenth in percentage points."""
    parser = argparse.ArgumentParser(prog="bench chances")
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--seed", default="chances")
    options = parser.parse_args(argv)
    predictions: list[tuple[float, float]] = []
    ways = [(ruleset, form) for ruleset in RULESETS.values() for form in _list_match_formats(ruleset)]
    for number in range(options.games):
        ruleset, form = ways[number % len(ways)]
        players = (HeuristicPlayer(), HeuristicPlayer())
        predictions += _list_predictions(simulate_match(ruleset, form, players, seed=f"{options.seed}/{number}"))
    tenths: dict[int, list[tuple[float, float]]] = {}
    for chance, result in predictions:
        tenths.setdefault(min(9, int(10 * chance)), []).append((chance, result))
    distances = {}
    for tenth, pairs in sorted(tenths.items()):
        predicted, won = (fmean(each) for each in zip(*pairs, strict=True))
        distances[tenth] = 100 * abs(predicted - won)
        print(f"{10 * tenth:2}-{10 * tenth + 10} %: {len(pairs)} predicted {predicted:.3f}, won {won:.3f}")
    return {
        "games": options.games,
        "brier": round(fmean((chance - result) ** 2 for chance, result in predictions), 4),
        "worst_tenth": round(max(distances.values()), 1),
    }


def _list_match_formats(ruleset: Ruleset) -> tuple[MatchFormat, MatchFormat]:
    return (
        MatchFormat(games_to_win=ruleset.games_to_win),
        MatchFormat(hands=8, decided_by=MatchCriterion.POINTS),
    )


def _list_predictions(match: MatchState) -> Iterator[tuple[float, float]]:
    """Yield A's chance before each hand where it is known, and the result; a draw counts half a win."""
    result = 0.5 if match.winner is None else float(match.winner is Side.A)
    state = MatchState(ruleset=match.ruleset, match_format=match.match_format, dealer=match.lines[0].dealer)
    for line in match.lines:
        chance = compute_chance(state)
        if chance is not None:
            yield chance.a + chance.draw / 2, result
        state = state.add_record(line.number, line.record)
