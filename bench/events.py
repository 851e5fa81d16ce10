"""Run a whole event by script: enter, draw, publish, play and close round after round.

Each table is played by entering the totals of its score sheet, through the services that the desk uses. The
event is in its own process and data folder (or on DATABASE_URL).
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, TypeVar
from uuid import uuid4

import django

PROJECT = Path(__file__).resolve().parent.parent
Result = TypeVar("Result")


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``people``, ``rounds``, ``peak_mb``, and for each step its seconds, ``slowest`` and ``in_all``."""
    parser = argparse.ArgumentParser(prog="bench events")
    parser.add_argument("--entries", type=int, default=2000, help="pairs: twice as many people")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="charlemagne-bench-") as folder:
        result = subprocess.run(
            [
                sys.executable,
                "-m",
                "bench.events",
                *map(str, (options.entries, options.rounds, options.seed)),
            ],
            cwd=PROJECT,
            env={**os.environ, "CHARLEMAGNE_DATA": folder, "DJANGO_SETTINGS_MODULE": "config.settings"},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    figures: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return figures


class Clock:
    """Seconds spent by step."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = defaultdict(list)

    def time(self, step: str, call: Callable[[], Result]) -> Result:
        started = perf_counter()
        result = call()
        self.spent[step].append(perf_counter() - started)
        return result


def play(entries: int, rounds: int, seed: int) -> dict[str, Any]:
    """Play the event from its first entry to its end."""
    from clubs.services.clubs import create_club
    from rules import CANADIAN, MatchFormat
    from scoring.services.marks import record_hand
    from tournaments.entries.services.entries import add_entries
    from tournaments.events.services.creation import create_event
    from tournaments.events.services.lifecycle import end_event, start_event
    from tournaments.models import Event, Table
    from tournaments.rounds.services.rounds import close_round, draw_round, publish_round
    from tournaments.standings.services import refresh_standings

    chance, clock = Random(seed), Clock()
    event: Event = create_event(
        club=create_club(name="Bench"),
        name="Bench",
        held_on=datetime.date(2026, 11, 20),
        ruleset=CANADIAN,
        match_format=MatchFormat(games_to_win=1),
        table_count=max(1, entries // 2),
        stages=[{"format": "swiss"}],
    )
    names = {number: (f"Anne Roy {number}", f"Luc Roy {number}") for number in range(1, entries + 1)}
    clock.time("enter", lambda: add_entries(event_id=event.pk, entries=names))
    clock.time("start", lambda: start_event(event_id=event.pk))
    for number in range(1, rounds + 1):
        clock.time("draw", lambda: draw_round(event_id=event.pk, seed=number))  # noqa: B023
        clock.time("publish", lambda: publish_round(event_id=event.pk, number=number))  # noqa: B023
        tables = Table.objects.filter(round__event=event, round__number=number)
        for match in tables.values_list("match", flat=True):
            hand = {"kind": "totals", "points_a": "32", "points_b": str(chance.randrange(32))}
            if chance.random() < 0.5:
                hand |= {"points_a": hand["points_b"], "points_b": "32"}
            assert match is not None
            clock.time(
                "type a sheet",
                lambda: record_hand(match_id=match, entry_key=uuid4(), number=1, hand=hand),  # noqa: B023
            )
        clock.time("refresh", lambda: refresh_standings(event_id=event.pk))
        clock.time("close", lambda: close_round(event_id=event.pk, number=number))  # noqa: B023
    clock.time("end", lambda: end_event(event_id=event.pk))
    return {
        "people": 2 * entries,
        "rounds": rounds,
        **{
            step: {"slowest": round(max(times), 3), "in_all": round(sum(times), 2)}
            for step, times in clock.spent.items()
        },
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


if __name__ == "__main__":
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    print(json.dumps(play(*map(int, sys.argv[1:]))))
