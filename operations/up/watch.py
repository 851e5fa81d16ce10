"""Messages of `up` in its terminal about background parts: one when a part falls silent, one when it
recovers."""

import shutil
import time
from collections.abc import Callable
from datetime import datetime
from threading import Thread

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from jobs.delays import LateReason, find_late_reason, is_distant
from jobs.models import Job
from jobs.queues import Queue
from jobs.registry import get_queue
from operations.outages import find_outage
from operations.postgresql import waits_at_most
from operations.start.data_folder import MIN_FREE_BYTES
from operations.terminal import print_line
from server.health import is_broker_available

from .address_watch import AddressWatch
from .computer_clock import follow_computer_clock, measure_clock_offset

CHECK_INTERVAL = 10.0
"""Seconds between two checks, each one query."""


SILENT_CODES = {
    Queue.SHORT: "worker-silent",
    Queue.LONG: "long-worker-silent",
    Queue.OUTGOING: "outgoing-worker-silent",
}
"""Code of a silent worker, by its queue."""
WORKER_CODES = frozenset(SILENT_CODES.values())


def start_watch(addresses: AddressWatch) -> None:
    """Check as long as this process runs."""

    def watch() -> None:
        started_at, silent, clock_offset = timezone.now(), frozenset[str](), measure_clock_offset()
        while True:
            if clock_change := follow_computer_clock(measure_clock_offset() - clock_offset):
                print_line("clock-set", now=f"{datetime.now():%Y-%m-%d %H:%M}")  # noqa: DTZ005 (as this computer shows it)
                started_at, clock_offset = started_at + clock_change, clock_offset + clock_change
            silent = check_parts(silent, started_at)
            addresses.check_addresses()
            time.sleep(CHECK_INTERVAL)

    Thread(target=watch, daemon=True).start()


def check_parts(
    known_silent: frozenset[str], started_at: datetime, report: Callable[..., None] = print_line
) -> frozenset[str]:
    """Report each part that fell silent or recovered since the last check; return the silent ones."""
    silent = find_silent_parts(known_silent, started_at)
    for code in sorted(silent - known_silent):
        report(code)
    for code in sorted(known_silent - silent):
        report(f"{code}-no-more")
    return silent


def find_silent_parts(known_silent: frozenset[str], started_at: datetime) -> frozenset[str]:
    """Return the codes of what is silent: a worker with unfinished jobs, Redis, or the database.

    A worker's jobs count from ``started_at``. While Redis or the database is away, workers keep their state
    in ``known_silent``.
    """
    if shutil.disk_usage(settings.DATA_DIR).free < MIN_FREE_BYTES:
        return known_silent & WORKER_CODES | {"disk-full-now"}
    try:
        with waits_at_most(CHECK_INTERVAL):
            jobs = list(Job.objects.filter(ended_at=None))
    except DatabaseError as error:
        outage = find_outage(error)
        return known_silent & WORKER_CODES | ({f"{outage.code.replace('_', '-')}-now"} if outage else set())
    finally:
        connection.close()
    if not is_broker_available():
        return known_silent & WORKER_CODES | {"broker-away-now"}
    now = timezone.now()
    late_jobs = [job for job in jobs if is_distant(max(job.created_at, started_at), now)]
    return frozenset(
        SILENT_CODES[get_queue(job.kind)]
        for job in late_jobs
        if find_late_reason(job, jobs, now) is LateReason.NO_WORKER
    )
