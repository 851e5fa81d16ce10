"""Metrics of one web process, written to a file that `up` reads."""

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
WRITE_INTERVAL = 5.0
"""Seconds between two writings."""


def get_metrics_folder(data: Path) -> Path:
    return data / "metrics"


def start_metrics_writer(iter_samples: Callable[[], Iterable[Sample]]) -> None:
    """Write the metrics in a background thread as long as this process lives, if they are wanted."""

    def write() -> None:
        while True:
            with suppress(OSError):  # a full disk is reported elsewhere
                write_samples(Path(settings.DATA_DIR), [*iter_samples(), *iter_pool_samples()])
            time.sleep(WRITE_INTERVAL)

    if os.environ.get(VARIABLE):
        threading.Thread(target=write, daemon=True, name="metrics").start()


def write_samples(data: Path, samples: Iterable[Sample]) -> None:
    """Write the metrics of this process, completely or not at all."""
    get_metrics_folder(data).mkdir(exist_ok=True)
    path = get_metrics_folder(data) / f"{os.getpid()}.json"
    temporary_file = path.with_suffix(".new")
    temporary_file.write_text(json.dumps(list(samples)), encoding="utf-8")
    temporary_file.replace(path)


def read_samples(data: Path, pid: int) -> list[Sample]:
    """Return the latest metrics of that process; none if it has not written any yet."""
    try:
        rows = json.loads((get_metrics_folder(data) / f"{pid}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    return [Sample(*row) for row in rows]


def iter_pool_samples() -> Iterator[Sample]:
    """Yield the metrics of this process's pool of PostgreSQL connections."""
    if connection.vendor != "postgresql":
        return
    stats = connection.pool.get_stats()  # type: ignore[attr-defined]
    open_now, idle = stats.get("pool_size", 0), stats.get("pool_available", 0)
    states = {"idle": idle, "busy": open_now - idle, "awaited": stats.get("requests_waiting", 0)}
    for state, count in states.items():
        yield Sample("charlemagne_database_pool", {"state": state}, count)
