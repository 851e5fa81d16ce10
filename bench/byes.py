"""Measure what a bye should be worth in individual events: how often the winner had a bye.

The fair figure is the share of people who had a bye. Rounds are drawn as in an event, hands are simulated
as in the format planner, and ranks come from the engine.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from functools import cache
from random import Random
from statistics import fmean
from typing import Any

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.stages import draw_stage, parse_stage_plan
from engine.planning.hands import MatchLength, build_length, draw_normal, simulate_outcome
from engine.ranking import Average, Bye, Outcome, OutcomeKind, RankingRules, Result, rank_entries
from engine.results import SCORE_GAINS, add_progress_metrics
from rules import MatchFormat, Side

FIELDS = ((22, 7), (14, 5), (13, 6), (9, 6), (10, 4))
"""Numbers of people and rounds."""

FORMATS = ("rotation", "swiss_individual", "by_rank", "progressive_individual")


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``fair`` and each worth of a bye, in percent, by format and field.

    ``fair`` is the share of people with a bye; the others are the share of events whose winner had a bye.
    """
    parser = argparse.ArgumentParser(prog="bench byes")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS)
    parser.add_argument("--games", type=int, default=1, help="games that win a match")
    parser.add_argument("--spread", type=float, default=1.0, help="of skill; 0: all are equally good")
    options = parser.parse_args(argv)
    return {
        f"{key}, {people} people, {rounds} rounds": _get_shares(key, people, rounds, options)
        for key in options.formats
        for people, rounds in FIELDS
    }


def _get_shares(key: str, people: int, rounds: int, options: argparse.Namespace) -> dict[str, float]:
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for bye in Bye:
        for number in range(options.runs):
            draw_bye = Bye.DRAW if key == "rotation" else bye  # the draw of a rotation uses no scores
            results = _simulate_event(key, people, rounds, draw_bye, number, options.games, options.spread)
            entries_with_bye = {
                entry for entry, entry_results in results.items() if any(not each.opponents for each in entry_results)
            }
            shares["fair"].append(len(entries_with_bye) / people)
            for points in (0, Average.OWN):
                rules = RankingRules(bye=bye, bye_points=points)
                rules = add_progress_metrics(rules, parse_stage_plan([{"format": key}]))
                rows = rank_entries(
                    {entry: int(entry) for entry in results}, results, rules, games_to_win=options.games
                )
                shares[f"{bye}, {'own points' if points else 'no points'}"].append(rows[0].entry in entries_with_bye)
    return {name: round(100 * fmean(values), 1) for name, values in shares.items()}


@cache
def _simulate_event(
    key: str, people: int, rounds: int, bye_score: Bye, number: int, games_to_win: int, spread: float
) -> dict[EntryId, list[Result]]:
    chance = Random(f"7/{number}")
    settings = {"settings": {"rounds": rounds}} if key == "rotation" else {}
    plan = parse_stage_plan([{"format": key, "rounds": rounds, **settings}])
    length = build_length("canadian", MatchFormat(games_to_win=1))
    entries = [EntryId(entry) for entry in range(1, people + 1)]
    skill = {entry: spread * draw_normal(chance) for entry in entries}
    results: dict[EntryId, list[Result]] = {entry: [] for entry in entries}
    rules, history = RankingRules(bye=bye_score), list[PlayedPairing]()
    for round_number in range(1, rounds + 1):
        score = {entry: sum(SCORE_GAINS[rules.get_outcome(each)] for each in results[entry]) for entry in entries}
        order = sorted(entries, key=lambda entry: (-score[entry], entry))
        draw = draw_stage(
            plan,
            DrawInput(
                round=round_number,
                entrants=tuple(Entrant(id=entry, number=entry, score=score[entry]) for entry in order),
                history=tuple(history),
                seed=int(2**32 * chance.random()),
            ),
        )
        for bye in draw.byes:
            results[bye.entry].append(Result(round=round_number, outcome=Outcome.WON, kind=OutcomeKind.BYE))
            history.append(PlayedPairing(round=round_number, a=(bye.entry,), slot=bye.slot))
        for table in draw.tables:
            sides = {Side.A: table.a, Side.B: table.b}
            strength = {side: sum(skill[each] for each in entries_of_side) for side, entries_of_side in sides.items()}
            difference = (strength[Side.A] - strength[Side.B]) / len(table.a) ** 0.5
            games, margin = _simulate_match(length, difference, games_to_win, chance)
            winner = max(Side, key=games.__getitem__)
            for side, entries_of_side in sides.items():
                for entry in entries_of_side:
                    results[entry].append(
                        Result(
                            round=round_number,
                            outcome=Outcome.WON if side is winner else Outcome.LOST,
                            opponents=sides[side.other],
                            games_won=games[side],
                            games_lost=games[side.other],
                            points_for=max(0, margin if side is Side.A else -margin),
                            points_against=max(0, -margin if side is Side.A else margin),
                        )
                    )
            history.append(
                PlayedPairing(
                    round=round_number, a=table.a, b=table.b, table=table.number, slot=table.slot, winner=winner
                )
            )
    return results


def _simulate_match(
    length: MatchLength, difference: float, games_to_win: int, chance: Random
) -> tuple[dict[Side, int], int]:
    """Return the games of both sides, and the margin of A in points."""
    games, margin = {Side.A: 0, Side.B: 0}, 0
    while max(games.values()) < games_to_win:
        played = simulate_outcome(length, difference=difference, hand_minutes=1.0, chance=chance, needs_winner=True)
        games[Side.A if played.winner is Side.A else Side.B] += 1
        margin += played.margin
    return games, margin
