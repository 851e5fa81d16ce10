"""How well the chances of winning fit: predicted before every hand of games played by machine, card by card.

Brier score: the mean square of chance and result; a coin has 0.25. A tenth has the chances from, say, 20 to
30 %: how far the share of wins in it is from their mean. Matches by turns of all rulesets, each by games and
by eight hands.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from statistics import fmean
from typing import Any

from engine.chances import chance_of
from rules import RULESETS, DecidedBy, MatchFormat, MatchState, Ruleset, SensiblePlayer, Side, simulated_match


def main(argv: list[str]) -> dict[str, Any]:
    """Games, Brier score, and the largest distance of a tenth, in points of percent."""
    parser = argparse.ArgumentParser(prog="bench chances")
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--seed", default="chances")
    options = parser.parse_args(argv)
    told: list[tuple[float, float]] = []
    ways = [(ruleset, form) for ruleset in RULESETS.values() for form in _formats(ruleset)]
    for number in range(options.games):
        ruleset, form = ways[number % len(ways)]
        players = (SensiblePlayer(), SensiblePlayer())
        told += _told(simulated_match(ruleset, form, players, seed=f"{options.seed}/{number}"))
    tenths: dict[int, list[tuple[float, float]]] = {}
    for chance, result in told:
        tenths.setdefault(min(9, int(10 * chance)), []).append((chance, result))
    distances = {}
    for tenth, those in sorted(tenths.items()):
        predicted, won = (fmean(each) for each in zip(*those, strict=True))
        distances[tenth] = 100 * abs(predicted - won)
        print(f"{10 * tenth:2}-{10 * tenth + 10} %: {len(those)} predicted {predicted:.3f}, won {won:.3f}")
    return {
        "games": options.games,
        "brier": round(fmean((chance - result) ** 2 for chance, result in told), 4),
        "worst_tenth": round(max(distances.values()), 1),
    }


def _formats(ruleset: Ruleset) -> tuple[MatchFormat, MatchFormat]:
    return (
        MatchFormat(games_to_win=ruleset.games_to_win),
        MatchFormat(hands=8, decided_by=DecidedBy.POINTS),
    )


def _told(match: MatchState) -> Iterator[tuple[float, float]]:
    """Yield the chance of A before each hand, where it is known, and its result; a draw is half a win."""
    result = 0.5 if match.winner is None else float(match.winner is Side.A)
    state = MatchState(ruleset=match.ruleset, match_format=match.match_format, dealer=match.lines[0].dealer)
    for line in match.lines:
        chance = chance_of(state)
        if chance is not None:
            yield chance.a + chance.drawn / 2, result
        state = state.after(line.number, line.record)
