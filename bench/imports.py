"""Measure how long phones wait while a long write runs: imports, erasures, recomputations.

Phones mark hands on a real server, each on its own open connection, at the pace of a brisk hall: first alone,
then while each kind of long write runs in its own process, as the worker or a command runs it. The database is
SQLite, or with `--database` an empty one of PostgreSQL.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

from bench.hall import Hall, open_hall
from bench.hall.writing import KINDS, KINDS_BY_PREPARATION, PREREQUISITES
from operations.data_dir import PROJECT

TIMEOUT_SECONDS = 60.0  # how long a phone waits for its answer


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``hands``, ``idle_p99_ms`` and ``import_p99_ms`` of a mark, ``errors``, and ``kinds``.

    By kind of write: ``p99_ms`` and ``worst_ms`` of the marks meanwhile, and ``held_ms`` and ``held_cpu_ms``, the
    longest hold of the write lock by the clock and by the processor (null on PostgreSQL).
    """
    parser = argparse.ArgumentParser(prog="bench imports")
    parser.add_argument("--tables", type=int, default=25, help="tables, each with one phone")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between two hands of a phone")
    parser.add_argument("--idle", type=float, default=20.0, help="seconds of marking alone")
    parser.add_argument("--database", default="", help="postgresql://…, instead of SQLite")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    options = parser.parse_args(argv)
    if options.database:
        os.environ["DATABASE_URL"] = options.database
    with (
        tempfile.TemporaryDirectory(prefix="charlemagne-bench-") as name,
        open_hall(tables=options.tables) as venue,
    ):
        folder = Path(name)
        _run_kind(venue, "prepare", folder)
        for preparation, kinds_served in KINDS_BY_PREPARATION.items():
            if kinds_served & set(options.kinds):
                _run_kind(venue, preparation, folder)
        with venue.serve() as port, run_phones(port, venue.tables, options.pause) as mark_times:
            time.sleep(2 * options.pause)  # the first requests load what the others use
            idle = mark_times.measure_during(lambda: time.sleep(options.idle))
            kinds: dict[str, dict[str, float | None]] = {}
            busy_times: list[float] = []
            finished_kinds: set[str] = set()
            for kind in sorted(options.kinds, key=list(KINDS).index):
                for prerequisite in PREREQUISITES.get(kind, ()):
                    if prerequisite not in finished_kinds:
                        _run_kind(venue, prerequisite, folder)
                finished_kinds |= {kind, *PREREQUISITES.get(kind, ())}
                times = mark_times.measure_during(lambda: _run_kind(venue, kind, folder))  # noqa: B023 - called at once
                busy_times += times
                kinds[kind] = {
                    "p99_ms": _get_p99(times),
                    "worst_ms": _to_ms(max(times, default=0)),
                    "held_ms": _get_longest_hold(folder / kind, 0),
                    "held_cpu_ms": _get_longest_hold(folder / kind, 1),
                }
                print(kind, json.dumps(kinds[kind]), flush=True)
    return {
        "hands": len(idle) + len(busy_times),
        "idle_p99_ms": _get_p99(idle),
        "import_p99_ms": _get_p99(busy_times),
        "errors": len(mark_times.errors),
        "kinds": kinds,
    }


class MarkTimes:
    """Seconds that each mark took, and the errors."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.errors: list[str] = []
        self.is_over = threading.Event()

    def measure_during(self, action: Any) -> list[float]:
        started = len(self.times)
        action()
        return self.times[started:]


@contextmanager
def run_phones(port: int, tables: list[dict[str, Any]], pause: float) -> Iterator[MarkTimes]:
    """Run a phone at each table, which marks hand after hand, while the block runs."""
    mark_times = MarkTimes()
    threads = [threading.Thread(target=_run_phone, args=(port, table, pause, mark_times)) for table in tables]
    for thread in threads:
        thread.start()
    try:
        yield mark_times
    finally:
        mark_times.is_over.set()
        for thread in threads:
            thread.join()


def _run_phone(port: int, table: dict[str, Any], pause: float, mark_times: MarkTimes) -> None:
    chance = Random(table["number"])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
    number = 1
    while not mark_times.is_over.wait(pause * chance.uniform(0.5, 1.5)):
        hand = {"side": "A", "contract": "6", "tricks": 7}
        body = {"match": table["match"], "entry_key": str(uuid4()), "number": number, "hand": hand}
        started = time.perf_counter()
        try:
            address, kind = f"/api/tables/{table['code']}/hands", {"Content-Type": "application/json"}
            connection.request("POST", address, json.dumps(body), kind)
            answer = connection.getresponse()
            answer.read()
        except OSError as error:
            mark_times.errors.append(str(error))
            connection.close()
            continue
        if answer.status == 201:
            mark_times.times.append(time.perf_counter() - started)
            number += 1
        else:
            mark_times.errors.append(str(answer.status))


def _run_kind(venue: Hall, kind: str, folder: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "bench.hall.writing", kind, str(folder)],
        cwd=PROJECT,
        env={**venue.environment, "CHARLEMAGNE_HOLDS": str(folder / kind)},
        check=True,
        stdout=subprocess.DEVNULL,
    )


def _get_longest_hold(file: Path, place: int) -> float | None:
    """Return the longest hold of the write lock in milliseconds, by the clock (0) or the processor (1).

    None on PostgreSQL, where writers do not wait for each other.
    """
    if not file.exists():
        return None
    return max(float(line.split()[place]) for line in file.read_text(encoding="utf-8").splitlines())


def _get_p99(times: list[float]) -> float:
    return _to_ms(statistics.quantiles(times, n=100)[98]) if len(times) > 1 else 0.0


def _to_ms(seconds: float) -> float:
    return round(1000 * seconds, 1)
