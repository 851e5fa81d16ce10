"""What phones in the hall notice while something long is written: brought in, forgotten, worked out.

A real server on a night; each phone keeps one connection open and marks a hand every now and then, as in a
brisk hall: first with nothing else going on, then while each kind of long write is done in a process of its
own, as the worker or a command does it. On SQLite, or with `--database` on PostgreSQL (an empty one).
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

from bench.hall import Hall, hall
from bench.hall.writing import AFTER, KINDS, WANTED
from operations.data_dir import PROJECT

PATIENCE = 60.0  # seconds that a phone waits for its answer


def main(argv: list[str]) -> dict[str, Any]:
    """Milliseconds until a mark was acknowledged, without and with the others; what was not; and how long
    each kind took, and held the writer at most."""
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
        hall(tables=options.tables) as here,
    ):
        folder = Path(name)
        _write(here, "prepare", folder)
        for prepared, kinds_for in WANTED.items():
            if kinds_for & set(options.kinds):
                _write(here, prepared, folder)
        with here.served() as port, phones(port, here.tables, options.pause) as marked:
            time.sleep(2 * options.pause)  # the first requests load what the others use
            idle = marked.during(lambda: time.sleep(options.idle))
            kinds: dict[str, dict[str, float | None]] = {}
            beside: list[float] = []
            done: set[str] = set()
            for kind in sorted(options.kinds, key=list(KINDS).index):
                for before in AFTER.get(kind, ()):
                    if before not in done:
                        _write(here, before, folder)
                done |= {kind, *AFTER.get(kind, ())}
                times = marked.during(lambda: _write(here, kind, folder))  # noqa: B023 - called at once
                beside += times
                kinds[kind] = {
                    "p99_ms": _p99(times),
                    "worst_ms": _ms(max(times, default=0)),
                    "held_ms": _longest_hold(folder / kind, 0),
                    "held_cpu_ms": _longest_hold(folder / kind, 1),
                }
                print(kind, json.dumps(kinds[kind]), flush=True)
    return {
        "hands": len(idle) + len(beside),
        "idle_p99_ms": _p99(idle),
        "import_p99_ms": _p99(beside),
        "errors": len(marked.errors),
        "kinds": kinds,
    }


class Marked:
    """The seconds that each mark took, and what was answered to those that were refused or not at all."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.errors: list[str] = []
        self.is_over = threading.Event()

    def during(self, deed: Any) -> list[float]:
        begun = len(self.times)
        deed()
        return self.times[begun:]


@contextmanager
def phones(port: int, tables: list[dict[str, Any]], pause: float) -> Iterator[Marked]:
    """While the context lasts, a phone at each table marks hand after hand."""
    marked = Marked()
    threads = [threading.Thread(target=_phone, args=(port, table, pause, marked)) for table in tables]
    for thread in threads:
        thread.start()
    try:
        yield marked
    finally:
        marked.is_over.set()
        for thread in threads:
            thread.join()


def _phone(port: int, table: dict[str, Any], pause: float, marked: Marked) -> None:
    chance = Random(table["number"])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    number = 1
    while not marked.is_over.wait(pause * chance.uniform(0.5, 1.5)):
        hand = {"side": "A", "contract": "6", "tricks": 7}
        body = {"match": table["match"], "entry_key": str(uuid4()), "number": number, "hand": hand}
        begun = time.perf_counter()
        try:
            address, kind = f"/api/tables/{table['code']}/hands", {"Content-Type": "application/json"}
            connection.request("POST", address, json.dumps(body), kind)
            answer = connection.getresponse()
            answer.read()
        except OSError as error:
            marked.errors.append(str(error))
            connection.close()
            continue
        if answer.status == 201:
            marked.times.append(time.perf_counter() - begun)
            number += 1
        else:
            marked.errors.append(str(answer.status))


def _write(here: Hall, kind: str, folder: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "bench.hall.writing", kind, str(folder)],
        cwd=PROJECT,
        env={**here.environment, "CHARLEMAGNE_HOLDS": str(folder / kind)},
        check=True,
        stdout=subprocess.DEVNULL,
    )


def _longest_hold(file: Path, place: int) -> float | None:
    """Milliseconds, at that place of a line; None on PostgreSQL, whose writers do not wait for each other."""
    if not file.exists():
        return None
    return max(float(line.split()[place]) for line in file.read_text(encoding="utf-8").splitlines())


def _p99(times: list[float]) -> float:
    return _ms(statistics.quantiles(times, n=100)[98]) if len(times) > 1 else 0.0


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)
