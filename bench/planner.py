"""Measure the planner: the time to simulate a plan, and the fit of its model of a match.

`--fit` lets programs play hands and prints the counts for `engine/hands.py`, beside whole games by cards and by
the model. `--formats` simulates one field in many formats, and measures how well each finds the best.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, pstdev
from time import process_time
from typing import Any

from engine.hands import HANDS, HandCounts
from engine.planning import PlanQuestion, Proposal, find_candidates, get_default_runs, simulate
from engine.planning.hands import build_length, compute_likelihood, simulate_outcome
from rules import (
    RULESETS,
    Card,
    HeuristicPlayer,
    MatchFormat,
    MatchState,
    Play,
    PlayedHand,
    Player,
    RandomPlayer,
    Ruleset,
    SeatView,
    Side,
    get_side,
    simulate_match,
)

ONE_GAME, TWO_GAMES = MatchFormat(games_to_win=1), MatchFormat(games_to_win=2)

FORMATS: Sequence[tuple[str, int]] = (
    ("swiss", 5),
    ("swiss", 7),
    ("swiss", 9),
    ("random", 5),
    ("random", 9),
    ("knockout", 5),
    ("double_elimination", 10),
    ("round_robin", 31),
)
"""Formats that docs/development/format-planner.md compares, with their rounds for 32 entries."""


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``seconds`` of one core for all proposals and ``each``; or the fit; or figures by format."""
    parser = argparse.ArgumentParser(prog="bench planner")
    parser.add_argument("--people", type=int, default=64)
    parser.add_argument("--partners", choices=("fixed", "drawn"), default="fixed")
    parser.add_argument("--minutes", type=int, default=300)
    parser.add_argument("--runs", type=int, help="of each proposal; the usual number if not given")
    parser.add_argument("--fit", action="store_true", help="play hands by machine, and count")
    parser.add_argument("--hands", type=int, default=3000, help="so many for each ruleset (--fit)")
    parser.add_argument("--formats", action="store_true", help="compare formats at 32 pairs")
    options = parser.parse_args(argv)
    if options.fit:
        return {key: _fit_model(ruleset, options.hands) for key, ruleset in RULESETS.items()}
    if options.formats:
        return _compare_formats(options.runs or 300)
    question = PlanQuestion(
        people=options.people,
        partners=options.partners,
        tables=options.people,
        minutes=options.minutes,
    )
    return _time_plan(question, options.runs)


def _time_plan(question: PlanQuestion, runs: int | None) -> dict[str, Any]:
    started = process_time()
    proposals = find_candidates(question)
    found: list[dict[str, Any]] = [{"seconds": round(process_time() - started, 2), "proposals": len(proposals)}]
    for proposal in proposals:
        before = process_time()
        forecast = simulate(
            proposal, question, runs=runs or get_default_runs(proposal, question), seed=1, progress=_ignore_progress
        )
        found.append(
            {
                "plan": f"{proposal.key} {proposal.rounds} {proposal.match_format}",
                "runs": forecast.runs,
                "median": forecast.median,
                "ninety": forecast.ninety,
                "strongest": round(forecast.strongest, 3),
                "kendall": round(forecast.kendall, 3),
                "seconds": round(process_time() - before, 2),
            }
        )
    return {"seconds": round(process_time() - started, 1), "each": found}


def _ignore_progress(done: int, total: int) -> None:
    """Ignore the progress, since no bar is shown."""


# Comparison of formats


def _compare_formats(runs: int) -> dict[str, Any]:
    """Return the share of wins of the strongest pair and Kendall's rank correlation, by format.

    The field is 32 pairs, in matches of two games to 21.
    """
    question = PlanQuestion(people=64, tables=32, minutes=2880, ruleset="maine")
    figures = {}
    for key, rounds in FORMATS:
        stage = {"format": key, **({"rounds": rounds} if key in ("swiss", "random") else {})}
        proposal = Proposal(key=key, stages=(stage,), match_format=TWO_GAMES, rounds=rounds)
        forecast = simulate(proposal, question, runs=runs, seed=1, progress=_ignore_progress)
        figures[f"{key} {rounds}"] = (round(forecast.strongest, 2), round(forecast.kendall, 2))
    return figures


# Fit of the model


def _fit_model(ruleset: Ruleset, hands: int) -> dict[str, Any]:
    """Return the counts of hands for the model, and the same figures by cards and by the model.

    ``hands_by_…`` is the mean and standard deviation of the hands in a game. ``won_by_…`` is the share of games won
    by a side that gains ``gained_by_the_better`` of the hands against careless players.
    """
    equal = _simulate_matches(ruleset, (HeuristicPlayer(), HeuristicPlayer()), hands)
    unequal = _simulate_matches(ruleset, (HeuristicPlayer(), _CarelessPlayer()), hands)
    gains = [line.gained for match in unequal for line in match.lines if any(line.gained)]
    gained = sum(a > b for a, b in gains) / len(gains)
    lengths = [len(match.lines) for match in equal]
    dice = [_roll_match(ruleset, difference=0, seed=seed) for seed in range(2000)]
    edge = next(d / 50 for d in range(10**4) if compute_likelihood(d / 50) >= gained)
    won = [_roll_match(ruleset, difference=edge, seed=seed)[1] for seed in range(2000)]
    return {
        "counts": repr(_build_hand_counts(equal)),
        "hands_by_cards": [round(fmean(lengths), 2), round(pstdev(lengths), 2)],
        "hands_by_dice": [round(fmean(n for n, _ in dice), 2), round(pstdev(n for n, _ in dice), 2)],
        "gained_by_the_better": round(gained, 3),
        "won_by_cards": round(fmean(match.winner is Side.A for match in unequal), 3),
        "won_by_dice": round(fmean(won), 3),
    }


@dataclass(frozen=True, slots=True)
class _CarelessPlayer(HeuristicPlayer):
    """Player that bids by rules of thumb, and plays one card in five at random."""

    def choose_card(self, view: SeatView, play: Play, *, seed: str) -> Card:
        nods = Random(f"{seed}/nods").random() < 0.2
        return (RandomPlayer if nods else HeuristicPlayer)().choose_card(view, play, seed=seed)


def _simulate_matches(ruleset: Ruleset, players: tuple[Player, Player], hands: int) -> list[MatchState]:
    matches: list[MatchState] = []
    while sum(len(match.lines) for match in matches) < hands:
        matches.append(simulate_match(ruleset, ONE_GAME, players, seed=f"fit/{ruleset.key}/{len(matches)}"))
    return matches


def _roll_match(ruleset: Ruleset, *, difference: float, seed: int) -> tuple[int, bool]:
    """Simulate a game, and return its number of hands and whether side A won."""
    outcome = simulate_outcome(
        build_length(ruleset.key, ONE_GAME), difference=difference, hand_minutes=4, chance=Random(seed)
    )
    return outcome.hands, outcome.winner is Side.A


def _build_hand_counts(matches: Sequence[MatchState]) -> HandCounts:
    """Scale the results to ``HANDS`` hands, rounded to that sum, and count those gained by the dealing side."""
    ruleset, results, dealers = matches[0].ruleset, Counter[tuple[str, bool]](), Counter[bool]()
    for line in (line for match in matches for line in match.lines):
        hand = line.record
        if not isinstance(hand, PlayedHand):
            results[_PASSED_OUT] += 1
            continue
        results[hand.contract, hand.made] += 1
        dealers[(hand.side is get_side(line.dealer)) is hand.made] += 1
    exact = {result: HANDS * times / results.total() for result, times in results.items()}
    rounded = {result: int(share) for result, share in exact.items()}
    for result in sorted(exact, key=lambda each: rounded[each] - exact[each])[: HANDS - sum(rounded.values())]:
        rounded[result] += 1
    return HandCounts(
        results=tuple(
            (contract.key, rounded.get((contract.key, True), 0), rounded.get((contract.key, False), 0))
            for contract in ruleset.playable
        ),
        passed=rounded.get(_PASSED_OUT, 0),
        dealers=round(HANDS * dealers[True] / dealers.total()),
    )


_PASSED_OUT = ("", False)
