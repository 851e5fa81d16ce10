"""Kinds of work to be watched: each leaves a line in a file of the data folder for every time it ran."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path

from django.conf import settings

from jobs.registry import job

LEASE = timedelta(seconds=1)


def times_run(key: str) -> int:
    """How often the work of this key was done to its end."""
    trace = _trace(key)
    return len(trace.read_text(encoding="utf-8").splitlines()) if trace.exists() else 0


@job("note", lease=LEASE)
def note(key: str) -> None:
    with _trace(key).open("a", encoding="utf-8") as trace:
        trace.write("done\n")


@job("slow note", lease=LEASE)
def slow_note(key: str) -> None:
    time.sleep(0.1)
    note(key)


@job("impossible", lease=LEASE)
def impossible(key: str) -> None:
    raise ValueError(f"{key} cannot be done")


def _trace(key: str) -> Path:
    folder = Path(settings.DATA_DIR) / "traces"
    folder.mkdir(exist_ok=True)
    return folder / key
