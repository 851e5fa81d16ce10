"""Measure random deals per second, from shuffle to last card, beside engines of similar games.

Rates are per second of processor time, which a busy machine distorts less. Rulesets and peers are measured in
turn; the result is the median of the rounds. A decision is a call, a card drawn or a card played.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from itertools import count
from pathlib import Path

from bench.peers.random_deals import ENGINES, DealPlayer, measure_rates
from rules import RULESETS, HeuristicPlayer, Player, RandomPlayer, Ruleset, Seat, simulate_course

PEERS = Path(__file__).parent / "peers" / "random_deals.py"


def main(argv: list[str]) -> dict[str, float]:
    """Return deals and decisions per second by ruleset and peer, and our mean decisions ÷ each peer's.

    The keys are ``NAME_deals_per_second``, ``NAME_decisions_per_second`` and ``decisions_to_PEER``. Players choose
    at random; under ``RULESET_sensible`` they use rules of thumb, and only deals are reported.
    """
    parser = argparse.ArgumentParser(prog="bench deals")
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peer-python", help="a Python with open_spiel or rlcard installed")
    options = parser.parse_args(argv)

    rates_by_name: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for _ in range(options.rounds):
        for key, ruleset in RULESETS.items():
            for name, player in ((key, RandomPlayer()), (f"{key}_sensible", HeuristicPlayer())):
                rates_by_name[name].append(measure_rates(_build_deal_player(ruleset, player), seconds=options.seconds))
        for name, rate in _measure_peers(options.peer_python, options.seconds).items():
            rates_by_name[name].append(rate)
    for name in ENGINES:
        if name not in rates_by_name:
            print(f"{name} was not measured: give --peer-python, one that has it", file=sys.stderr)
    return _build_figures(rates_by_name)


def _build_deal_player(ruleset: Ruleset, player: Player) -> DealPlayer:
    """Return a function that plays the next deal; a deal that is passed out is followed by another."""
    seeds = count()
    players = [player] * ruleset.seats

    def play_deal() -> int:
        decisions = 0
        while True:
            course = simulate_course(ruleset, players, dealer=Seat(0), seed=f"bench {next(seeds)}")
            decisions += len(course.calls or ()) + len(course.plays) + (0 if ruleset.batch else 16)
            if course.plays:
                return decisions

    return play_deal


def _measure_peers(python: str | None, seconds: float) -> dict[str, tuple[float, float]]:
    if python is None:
        return {}
    answer = subprocess.run([python, PEERS, str(seconds)], check=True, capture_output=True, text=True)
    return {name: (deals, decisions) for name, (deals, decisions) in json.loads(answer.stdout).items()}


def _build_figures(rates_by_name: dict[str, list[tuple[float, float]]]) -> dict[str, float]:
    deals = {name: statistics.median(rate[0] for rate in rounds) for name, rounds in rates_by_name.items()}
    decisions = {name: statistics.median(rate[1] for rate in rounds) for name, rounds in rates_by_name.items()}
    ours = statistics.mean(decisions[key] for key in RULESETS)
    figures = {f"{name}_deals_per_second": float(round(rate)) for name, rate in deals.items()}
    figures |= {
        f"{name}_decisions_per_second": float(round(decisions[name]))
        for name in (*RULESETS, *ENGINES)
        if name in decisions
    }
    return figures | {f"decisions_to_{name}": round(ours / decisions[name], 3) for name in ENGINES if name in decisions}
