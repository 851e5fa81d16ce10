"""Measure pages and periodic tasks of a club among many clubs and years, beside the same club alone.

DATABASE_URL must name an empty PostgreSQL database, which is filled and left. Milliseconds depend on this machine;
rows and statements do not.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

import django

from operations.data_dir import PROJECT

CHECKED_NIGHTS = 200


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``hands``, ``differing``, and ``grown``, by page or task the figures alone and among all.

    A figure is ``[statements, rows read, ms]``; ``grown`` lists only pages and tasks that read over 1.5 times as many
    rows. ``differing`` lists the nights whose standings differ from a recount.
    """
    parser = argparse.ArgumentParser(prog="bench scale")
    parser.add_argument("--clubs", type=int, default=100)
    parser.add_argument("--copies", type=int, default=5, help="of each of four nights: five a year")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="charlemagne-bench-") as folder:
        result = subprocess.run(
            [sys.executable, "-m", "bench.scale", *map(str, (options.clubs, options.copies, options.seed))],
            cwd=PROJECT,
            env={
                **os.environ,
                "CHARLEMAGNE_DATA": folder,
                "CHARLEMAGNE_HOSTS": "testserver",
                "DJANGO_SETTINGS_MODULE": "config.settings",
            },
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    figures: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return figures


def measure(clubs: int, copies: int, seed: int) -> dict[str, Any]:
    from django.db import connection

    from bench.many_clubs import checks, club_copies, one_club, page_costs
    from operations.prepare_install import prepare_data_folder
    from scoring.models import Mark

    prepare_data_folder()
    hall = one_club.make(copies=copies, seed=seed)
    pages, owner = one_club.list_addresses(hall), hall.owner.pk
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    figures_alone = page_costs.read_all(owner, pages)
    for night in club_copies.copy_clubs(clubs - 1):
        print(f"{time.strftime('%H:%M:%S')} night {night}", file=sys.stderr)
    club_copies.continue_sequences()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    figures_among_all = page_costs.read_all(owner, pages)
    return {
        "hands": Mark.objects.count(),
        "differing": checks.find_differing_nights(CHECKED_NIGHTS, seed=seed),
        "grown": {
            name: [figures_alone[name], read]
            for name, read in figures_among_all.items()
            if read[1] > 1.5 * figures_alone[name][1] + 50
        },
    }


if __name__ == "__main__":
    django.setup()
    print(json.dumps(measure(*map(int, sys.argv[1:]))))
