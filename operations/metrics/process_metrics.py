"""Metrics of one web process, written to a file that `up` reads."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db import connection

from .exposition import Sample

VARIABLE = "CHARLEMAGNE_METRICS"
EVERY = 5.0
"""Seconds between two writings."""


def measures_folder(data: Path) -> Path:
    return data / "metrics"


def write_if_asked_for(counted: Callable[[], Iterable[Sample]]) -> None:
    """Write the metrics in a background thread as long as this process lives, if they are wanted."""

    def write() -> None:
        while True:
            with suppress(OSError):  # a full disk is reported elsewhere
                write_samples(Path(settings.DATA_DIR), [*counted(), *pool_samples()])
            time.sleep(EVERY)

    if os.environ.get(VARIABLE):
        threading.Thread(target=write, daemon=True, name="metrics").start()


def write_samples(data: Path, samples: Iterable[Sample]) -> None:
    """Write the metrics of this process, completely or not at all."""
    measures_folder(data).mkdir(exist_ok=True)
    path = measures_folder(data) / f"{os.getpid()}.json"
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(list(samples)), encoding="utf-8")
    beside.replace(path)


def read_samples(data: Path, pid: int) -> list[Sample]:
    """Return the latest metrics of that process; none if it has not written any yet."""
    try:
        written = json.loads((measures_folder(data) / f"{pid}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    return [Sample(*each) for each in written]


def pool_samples() -> Iterator[Sample]:
    """Yield the metrics of this process's pool of PostgreSQL connections."""
    if connection.vendor != "postgresql":
        return
    stats = connection.pool.get_stats()  # type: ignore[attr-defined]
    open_now, idle = stats.get("pool_size", 0), stats.get("pool_available", 0)
    states = {"idle": idle, "busy": open_now - idle, "awaited": stats.get("requests_waiting", 0)}
    for state, count in states.items():
        yield Sample("charlemagne_database_pool", {"state": state}, count)
