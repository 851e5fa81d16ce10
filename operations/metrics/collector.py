"""Metrics of all processes of an `up`, and the small server that publishes them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Q
from django.utils import timezone

from jobs.models import UNDER_WAY, Job, Status
from jobs.queues import Queue
from jobs.registry import queue_of
from operations.postgresql import waits_at_most
from operations.terminal import Stop, terminal_text
from operations.up.addresses import open_listener

from .exposition import CONTENT_TYPE, Sample, exposition
from .process_metrics import VARIABLE, measures_folder, read_samples

PATH = "/metrics"
PATIENCE = 3.0
"""Seconds that a scrape gives the database."""

Processes = Callable[[], Mapping[int, str]]
"""Callback that returns the name of each living process, by its id."""


def serve_metrics(where: str, processes: Processes) -> None:
    """Serve the metrics at ``[HOST:]PORT`` as long as this process lives.

    They are for this computer only, unless a host is named. Stops with a sentence if the address cannot be
    used.
    """
    host, _, port = where.rpartition(":")
    if not port.isdigit():
        raise Stop(terminal_text("metrics-unclear", variable=VARIABLE, value=where))
    shutil.rmtree(measures_folder(Path(settings.DATA_DIR)), ignore_errors=True)
    listener = open_listener(host.strip("[]") or "127.0.0.1", int(port), f"{VARIABLE}=")
    server = ThreadingHTTPServer(listener.getsockname()[:2], handler_of(processes), bind_and_activate=False)
    server.socket.close()
    server.socket, server.daemon_threads = listener, True
    Thread(target=server.serve_forever, daemon=True, name="metrics").start()


def handler_of(processes: Processes) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = PATIENCE

        def do_GET(self) -> None:
            body = exposition(all_samples(processes())).encode() if self.path == PATH else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", CONTENT_TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
            """Log nothing for a scrape."""

    return Handler


def all_samples(processes: Mapping[int, str]) -> Iterator[Sample]:
    data = Path(settings.DATA_DIR)
    for pid, name in processes.items():
        process = {"process": f"{name}-{pid}"}
        for sample in (*read_samples(data, pid), *samples_of_the_system(pid)):
            yield Sample(sample.name, {**process, **sample.labels}, sample.value)
    yield from samples_of_jobs()


def samples_of_the_system(pid: int) -> Iterator[Sample]:
    """Yield memory and open files, if the system has them (Linux)."""
    try:
        memory = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
        files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return
    share = next((line.split()[1] for line in memory.splitlines() if line.startswith("Pss:")), "0")
    yield Sample("charlemagne_process_memory_bytes", {}, int(share) * 1024)
    yield Sample("charlemagne_process_open_files", {}, files)


def samples_of_jobs() -> Iterator[Sample]:
    """Yield the installation's metrics, independent of processes. One query."""
    try:
        now = timezone.now()
        with waits_at_most(PATIENCE):
            may_run = Q(waits_until=None) | Q(waits_until__lte=now)
            jobs = list(
                Job.objects.filter(may_run, status__in=UNDER_WAY).only("kind", "status", "created_at")
            )
    except DatabaseError:
        yield Sample("charlemagne_database_up", {}, 0)
        return
    finally:
        connection.close()
    yield Sample("charlemagne_database_up", {}, 1)
    for queue in Queue:
        of_queue = [job for job in jobs if queue_of(job.kind) == queue]
        for status in UNDER_WAY:
            count = sum(job.status == status for job in of_queue)
            yield Sample("charlemagne_jobs", {"queue": queue, "status": status}, count)
        ages = [(now - job.created_at).total_seconds() for job in of_queue if job.status == Status.QUEUED]
        yield Sample("charlemagne_oldest_job_seconds", {"queue": queue}, max(0.0, *ages, 0.0))
