"""What a bye should be worth where people play one by one: how often the winner had one, by dice.

Fair is the share of people who had a bye. Rounds are drawn as in an event, and played hand by hand as the
format planner does; ranks are those of the engine.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from functools import cache
from random import Random
from statistics import fmean
from typing import Any

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.stages import draw_stage, stage_plan
from engine.planning.hands import Length, length_of, normal, played_match
from engine.ranking import Average, Bye, Outcome, OutcomeKind, RankingRules, Result, rank
from engine.results import GAINED, with_how_far
from rules import MatchFormat, Side

FIELDS = ((22, 7), (14, 5), (13, 6), (9, 6), (10, 4))
"""People and rounds."""

FORMATS = ("rotation", "swiss_individual", "by_rank", "progressive_individual")


def main(argv: list[str]) -> dict[str, Any]:
    """By format, field and worth of a bye: in how many of 100 events the winner had a bye."""
    parser = argparse.ArgumentParser(prog="bench byes")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS)
    parser.add_argument("--games", type=int, default=1, help="games that win a match")
    parser.add_argument("--spread", type=float, default=1.0, help="of skill; 0: all are equally good")
    options = parser.parse_args(argv)
    return {
        f"{key}, {people} people, {rounds} rounds": _shares(key, people, rounds, options)
        for key in options.formats
        for people, rounds in FIELDS
    }


def _shares(key: str, people: int, rounds: int, options: argparse.Namespace) -> dict[str, float]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for worth in Bye:
        for number in range(options.runs):
            drawn_by = Bye.DRAW if key == "rotation" else worth  # a rotation asks for no score
            results = _played_out(key, people, rounds, drawn_by, number, options.games, options.spread)
            had = {entry for entry, those in results.items() if any(not each.opponents for each in those)}
            found["fair"].append(len(had) / people)
            for points in (0, Average.OWN):
                rules = RankingRules(bye=worth, bye_points=points)
                rules = with_how_far(rules, stage_plan([{"format": key}]))
                rows = rank(
                    {entry: int(entry) for entry in results}, results, rules, games_to_win=options.games
                )
                found[f"{worth}, {'own points' if points else 'no points'}"].append(rows[0].entry in had)
    return {name: round(100 * fmean(values), 1) for name, values in found.items()}


@cache
def _played_out(
    key: str, people: int, rounds: int, worth: Bye, number: int, games_to_win: int, spread: float
) -> dict[EntryId, list[Result]]:
    chance = Random(f"7/{number}")
    settings = {"settings": {"rounds": rounds}} if key == "rotation" else {}
    plan = stage_plan([{"format": key, "rounds": rounds, **settings}])
    length = length_of("canadian", MatchFormat(games_to_win=1))
    entries = [EntryId(entry) for entry in range(1, people + 1)]
    skill = {entry: spread * normal(chance) for entry in entries}
    results: dict[EntryId, list[Result]] = {entry: [] for entry in entries}
    rules, history = RankingRules(bye=worth), list[PlayedPairing]()
    for now in range(1, rounds + 1):
        score = {entry: sum(GAINED[rules.outcome_of(each)] for each in results[entry]) for entry in entries}
        order = sorted(entries, key=lambda entry: (-score[entry], entry))
        drawn = draw_stage(
            plan,
            DrawInput(
                round=now,
                entrants=tuple(Entrant(id=entry, number=entry, score=score[entry]) for entry in order),
                history=tuple(history),
                seed=int(2**32 * chance.random()),
            ),
        )
        for bye in drawn.byes:
            results[bye.entry].append(Result(round=now, outcome=Outcome.WON, kind=OutcomeKind.BYE))
            history.append(PlayedPairing(round=now, a=(bye.entry,), slot=bye.slot))
        for table in drawn.tables:
            sides = {Side.A: table.a, Side.B: table.b}
            strength = {side: sum(skill[each] for each in those) for side, those in sides.items()}
            difference = (strength[Side.A] - strength[Side.B]) / len(table.a) ** 0.5
            games, margin = _match(length, difference, games_to_win, chance)
            winner = max(Side, key=games.__getitem__)
            for side, those in sides.items():
                for entry in those:
                    results[entry].append(
                        Result(
                            round=now,
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
                    round=now, a=table.a, b=table.b, table=table.number, slot=table.slot, winner=winner
                )
            )
    return results


def _match(
    length: Length, difference: float, games_to_win: int, chance: Random
) -> tuple[dict[Side, int], int]:
    """The games of both sides, and the margin in points of A."""
    games, margin = {Side.A: 0, Side.B: 0}, 0
    while max(games.values()) < games_to_win:
        played = played_match(
            length, difference=difference, hand_minutes=1.0, chance=chance, needs_winner=True
        )
        games[Side.A if played.winner is Side.A else Side.B] += 1
        margin += played.margin
    return games, margin
