"""Measure the standings of a large event: the computation alone, and the whole refresh in the database.

Results depend on skill and luck, entries with equal wins meet, and every metric ranks; in an odd field one entry
has a bye in each round. The refresh runs in its own process and data folder (or on DATABASE_URL). Best of five.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

import django

from engine.draws import EntryId
from engine.ranking import METRICS, Outcome, OutcomeKind, RankingRules, Result, rank_entries

PROJECT = Path(__file__).resolve().parent.parent
TIMES = 5
ALL_METRICS = tuple(dict.fromkeys(("match_points", "head_to_head", *METRICS)))
"""Every metric; head to head comes early, where it has the most ties to break."""


class Pairing(NamedTuple):
    """Two entries at a table, or one with a bye, by number, with the games and points of both."""

    entries: tuple[int, ...]
    games: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)


def main(argv: list[str]) -> dict[str, Any]:
    """Return seconds of the computation and of the refresh, with every metric and as usual.

    - ``seconds``, ``two_dropped_seconds``, ``usual_seconds``: the computation, also with two rounds dropped
    - ``refresh_seconds``, ``usual_refresh_seconds``, ``kept_kb``: the refresh, and the size of the stored rows
    - ``entries``, ``rounds``, ``metrics``: counts
    """
    parser = argparse.ArgumentParser(prog="bench standings")
    parser.add_argument("--entries", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)

    results = build_results(simulate_rounds(options.entries, options.rounds, seed=options.seed))
    numbers = {EntryId(number): number for number in range(1, options.entries + 1)}

    def time_rank(rules: RankingRules) -> float:
        return measure_best(lambda: rank_entries(numbers, results, rules, seed=options.seed, games_to_win=2))

    return {
        "entries": options.entries,
        "rounds": options.rounds,
        "metrics": len(ALL_METRICS),
        "seconds": time_rank(RankingRules(order=ALL_METRICS)),
        "two_dropped_seconds": time_rank(RankingRules(order=ALL_METRICS, dropped=2)),
        "usual_seconds": time_rank(RankingRules()),
        **_run_refresh(options),
    }


def measure_best(call: Callable[[], object]) -> float:
    """Return the seconds of the quickest call."""
    times = []
    for _ in range(TIMES):
        started = perf_counter()
        call()
        times.append(perf_counter() - started)
    return round(min(times), 4)


def simulate_rounds(entries: int, count: int, *, seed: int) -> list[list[Pairing]]:
    chance = Random(seed)
    skill = {number: chance.random() for number in range(1, entries + 1)}
    wins = dict.fromkeys(skill, 0)
    round_tables = []
    for _ in range(count):
        waiting = sorted(wins, key=lambda number: (-wins[number], chance.random()))
        tables = [Pairing(tuple(waiting[place : place + 2])) for place in range(0, entries, 2)]
        for place, (seated, *_) in enumerate(tables):
            if len(seated) == 2:
                side = int(skill[seated[0]] + chance.gauss(0, 0.3) < skill[seated[1]])
                lost, points = chance.randrange(2), (chance.randint(42, 80), chance.randint(5, 41))
                won = (2, lost) if side == 0 else (lost, 2)
                tables[place] = Pairing(seated, won, points if side == 0 else points[::-1])
                wins[seated[side]] += 1
        round_tables.append(tables)
    return round_tables


def build_results(round_tables: list[list[Pairing]]) -> dict[EntryId, list[Result]]:
    results: dict[EntryId, list[Result]] = defaultdict(list)
    for number, tables in enumerate(round_tables, start=1):
        for seated, games, points in tables:
            if len(seated) == 1:
                bye = Result(round=number, outcome=Outcome.WON, kind=OutcomeKind.BYE)
                results[EntryId(seated[0])].append(bye)
                continue
            for side, other in ((0, 1), (1, 0)):
                results[EntryId(seated[side])].append(
                    Result(
                        round=number,
                        outcome=Outcome.WON if games[side] > games[other] else Outcome.LOST,
                        opponents=(EntryId(seated[other]),),
                        games_won=games[side],
                        games_lost=games[other],
                        points_for=points[side],
                        points_against=points[other],
                        contracts_made=points[side] // 7,
                        charlemagnes=points[side] % 2,
                    )
                )
    return results


def _run_refresh(options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="charlemagne-bench-") as folder:
        result = subprocess.run(
            [
                sys.executable,
                "-m",
                "bench.standings",
                *map(str, (options.entries, options.rounds, options.seed)),
            ],
            cwd=PROJECT,
            env={**os.environ, "CHARLEMAGNE_DATA": folder, "DJANGO_SETTINGS_MODULE": "config.settings"},
            check=True,
            capture_output=True,
            text=True,
        )
    figures: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return figures


def refresh(entries: int, count: int, seed: int) -> dict[str, Any]:
    """Return seconds of a refresh with every metric and as usual, and the size of the stored rows in KiB."""
    from tournaments.models import Event
    from tournaments.standings.services import refresh_standings

    event = _create_event(simulate_rounds(entries, count, seed=seed), entries)
    figures: dict[str, Any] = {}
    for name, order in (("usual_refresh_seconds", RankingRules().order), ("refresh_seconds", ALL_METRICS)):
        Event.objects.filter(pk=event).update(ranking={"order": list(order)})
        figures[name] = measure_best(lambda: refresh_standings(event_id=event))
    rows = refresh_standings(event_id=event).rows
    return figures | {"kept_kb": len(json.dumps(rows)) // 1024}


def _create_event(round_tables: list[list[Pairing]], entries: int) -> int:
    """Create a night on which these rounds were played, and return its id."""
    from clubs.services.clubs import create_club
    from operations.prepare_install import prepare_data_folder
    from rules import CANADIAN, MatchFormat, Side
    from scoring.services.cards import issue_cards
    from tournaments.entries.services.entries import add_entries
    from tournaments.events.services.creation import create_event
    from tournaments.models import Round, Seating

    prepare_data_folder()
    club = create_club(name="Bench")
    event = create_event(
        club=club,
        name="Bench",
        held_on=datetime.date(2026, 11, 17),
        ruleset=CANADIAN,
        match_format=MatchFormat(games_to_win=2),
        table_count=max(1, entries // 2),
    )
    people = {number: (f"Anne {number}", f"Paul {number}") for number in range(1, entries + 1)}
    add_entries(event_id=event.pk, entries=people)
    ids = dict(event.entries.values_list("number", "pk"))
    cards = issue_cards(club=club, topic=event.topic, count=max(1, entries // 2))
    for number, tables in enumerate(round_tables, start=1):
        round_row = Round.objects.create(event=event, number=number, state="closed", draw_format="random", seed=number)
        pairings = [each for each in tables if len(each.entries) == 2]
        rows = _create_tables(round_row, pairings, cards)
        seatings = [
            Seating(round=round_row, entry_id=ids[entry], table=table, side=side)
            for table, each in zip(rows, pairings, strict=True)
            for side, entry in zip(Side, each.entries, strict=True)
        ]
        byes = [Seating(round=round_row, entry_id=ids[each.entries[0]]) for each in tables if len(each.entries) == 1]
        Seating.objects.bulk_create([*seatings, *byes])
    return int(event.pk)


def _create_tables(round_row: Any, pairings: list[Pairing], cards: list[Any]) -> list[Any]:
    from django.utils import timezone

    from scoring.models import Match
    from tournaments.models import Table

    matches = Match.objects.bulk_create(
        Match(
            card=card,
            terms=round_row.event.terms,
            round_number=round_row.number,
            opened_at=timezone.now(),
            is_over=True,
            summary={
                "games": [],
                "running": [0, 0],
                "games_won": list(each.games),
                "points": list(each.points),
                "winner": "A" if each.games[0] > each.games[1] else "B",
                "made": [points // 7 for points in each.points],
                "charlemagnes": [points % 2 for points in each.points],
                "next": 12,
            },
        )
        for card, each in zip(cards, pairings, strict=False)
    )
    return Table.objects.bulk_create(
        Table(round=round_row, number=place, match=match) for place, match in enumerate(matches, start=1)
    )


if __name__ == "__main__":
    django.setup()
    print(json.dumps(refresh(*map(int, sys.argv[1:4]))))
