"""Kinds of jobs for tests: each adds a line to a file in the data folder whenever it runs."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings

from errors import Refusal
from jobs.queues import Queue
from jobs.registry import ClubLimit, JobContext, job

LEASE = timedelta(seconds=1)
NUMBERS = 30


def count_runs(key: str) -> int:
    """Return how often the job with this key ran to its end."""
    trace = _trace(key)
    return len(trace.read_text(encoding="utf-8").splitlines()) if trace.exists() else 0


@job("note", lease=LEASE)
def run_note(running: JobContext) -> None:
    with _trace(running.key).open("a", encoding="utf-8") as trace:
        trace.write("done\n")


@job("slow note", lease=LEASE)
def slow_note(running: JobContext) -> None:
    time.sleep(0.1)
    run_note(running)


@job("resting note", pauses_between_runs=True)
def run_resting_note(running: JobContext) -> None:
    run_note(running)


@job("impossible", lease=LEASE)
def fail_job(running: JobContext) -> None:
    raise ValueError(f"{running.key} cannot be done")


@job("count", name="Counting")
def count(running: JobContext) -> Mapping[str, Any]:
    """Work for three seconds, and report the progress."""
    for number in range(1, NUMBERS + 1):
        time.sleep(0.1)
        running.report(number, NUMBERS)
    run_note(running)
    return {"counted": NUMBERS}


@job("long note", queue=Queue.LONG, lease=LEASE)
def run_long_note(running: JobContext) -> None:
    run_note(running)


@job("limited note", queue=Queue.LONG, lease=LEASE, club_limit=ClubLimit(most=2, code="too_many_plans"))
def run_limited_note(running: JobContext) -> None:
    run_note(running)


@job("urgent note", queue=Queue.LONG, goes_first=True, lease=LEASE)
def run_urgent_note(running: JobContext) -> None:
    run_note(running)


@job("refused", name="Import of entries")
def refuse_job(running: JobContext) -> None:
    lines = [Refusal("one_name_missing", field="entries", line=line, text=running.key) for line in (2, 5)]
    raise Refusal("list_refused", field="entries", refusals=lines)


def _trace(key: str) -> Path:
    folder = Path(settings.DATA_DIR) / "traces"
    folder.mkdir(exist_ok=True)
    return folder / key
