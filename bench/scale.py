"""Many clubs and many years in one database: what each page of a club and the worker's schedules take there,
beside the same club alone.

The database of DATABASE_URL is an empty one of PostgreSQL, which is filled and stays. Milliseconds are of
this machine; rows and statements are those of any.
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
    """By page and task, `[statements, rows read, ms]` of the club alone and among all, where more than half
    as many rows again are read; how many hands there are, and which nights are not as counted anew."""
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
