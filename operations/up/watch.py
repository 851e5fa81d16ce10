"""Messages of `up` in its terminal about background parts: one when a part falls silent, one when it
recovers."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from datetime import datetime
from threading import Thread

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from jobs.delays import LateReason, is_far, why_late
from jobs.models import Job
from jobs.queues import Queue
from jobs.registry import queue_of
from operations.outages import outage_in
from operations.postgresql import waits_at_most
from operations.start.opening import LEAST_FREE
from operations.terminal import say
from server.health import is_broker_there

from .address_watch import AddressWatch
from .computer_clock import clocks_apart, follow_computer_clock

EVERY = 10.0
"""Seconds between two checks, each one query."""


SILENT = {
    Queue.SHORT: "worker-silent",
    Queue.LONG: "long-worker-silent",
    Queue.OUTGOING: "outgoing-worker-silent",
}
"""Code of a silent worker, by its queue."""
WORKERS = frozenset(SILENT.values())


def watch_in_background(addresses: AddressWatch) -> None:
    """Check as long as this process runs."""

    def watch() -> None:
        started_at, silent, apart = timezone.now(), frozenset[str](), clocks_apart()
        while True:
            if followed := follow_computer_clock(clocks_apart() - apart):
                say("clock-set", now=f"{datetime.now():%Y-%m-%d %H:%M}")  # noqa: DTZ005 (as this computer shows it)
                started_at, apart = started_at + followed, apart + followed
            silent = look_once(silent, started_at)
            addresses.look_once()
            time.sleep(EVERY)

    Thread(target=watch, daemon=True).start()


def look_once(known: frozenset[str], started_at: datetime, say: Callable[..., None] = say) -> frozenset[str]:
    """Report each part that fell silent or recovered since the last check; return the silent ones."""
    silent = silent_parts(known, started_at)
    for code in sorted(silent - known):
        say(code)
    for code in sorted(known - silent):
        say(f"{code}-no-more")
    return silent


def silent_parts(known: frozenset[str], started_at: datetime) -> frozenset[str]:
    """Return the codes of what is silent: a worker with unfinished jobs, Redis, or the database.

    A worker's jobs count from when it was ``started_at``. While Redis or the database is away, workers keep
    the state ``known`` before.
    """
    if shutil.disk_usage(settings.DATA_DIR).free < LEAST_FREE:
        return known & WORKERS | {"disk-full-now"}
    try:
        with waits_at_most(EVERY):
            jobs = list(Job.objects.filter(ended_at=None))
    except DatabaseError as error:
        outage = outage_in(error)
        return known & WORKERS | ({f"{outage.code.replace('_', '-')}-now"} if outage else set())
    finally:
        connection.close()
    if not is_broker_there():
        return known & WORKERS | {"broker-away-now"}
    now = timezone.now()
    late = [job for job in jobs if is_far(max(job.created_at, started_at), now)]
    return frozenset(
        SILENT[queue_of(job.kind)] for job in late if why_late(job, jobs, now) is LateReason.NO_WORKER
    )
