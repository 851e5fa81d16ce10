"""Metrics of all processes of an `up`, and the small server that publishes them."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Q
from django.utils import timezone

from jobs.models import ACTIVE_STATUSES, Job, Status
from jobs.queues import Queue
from jobs.registry import find_kind
from operations.postgresql import waits_at_most
from operations.terminal import Stop, format_terminal_text
from operations.up.addresses import open_listener

from .exposition import CONTENT_TYPE, Sample, format_metrics
from .process_metrics import VARIABLE, get_metrics_folder, read_samples

PATH = "/metrics"
DATABASE_TIMEOUT = 3.0
"""Seconds that a scrape gives the database."""

Processes = Callable[[], Mapping[int, str]]
"""Callback that returns the name of each living process, by its id."""


def serve_metrics(address: str, processes: Processes) -> None:
    """Serve the metrics at ``[HOST:]PORT`` as long as this process lives.

    They are for this computer only, unless a host is named. Stops with a sentence if the address cannot be
    used.
    """
    host, _, port = address.rpartition(":")
    if not port.isdigit():
        raise Stop(format_terminal_text("metrics-unclear", variable=VARIABLE, value=address))
    shutil.rmtree(get_metrics_folder(Path(settings.DATA_DIR)), ignore_errors=True)
    listener = open_listener(host.strip("[]") or "127.0.0.1", int(port), f"{VARIABLE}=")
    server = ThreadingHTTPServer(listener.getsockname()[:2], build_handler(processes), bind_and_activate=False)
    server.socket.close()
    server.socket, server.daemon_threads = listener, True
    Thread(target=server.serve_forever, daemon=True, name="metrics").start()


def build_handler(processes: Processes) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = DATABASE_TIMEOUT

        def do_GET(self) -> None:
            body = format_metrics(iter_all_samples(processes())).encode() if self.path == PATH else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", CONTENT_TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
            """Log nothing for a scrape."""

    return Handler


def iter_all_samples(processes: Mapping[int, str]) -> Iterator[Sample]:
    data = Path(settings.DATA_DIR)
    for pid, name in processes.items():
        process = {"process": f"{name}-{pid}"}
        for sample in (*read_samples(data, pid), *iter_system_samples(pid)):
            yield Sample(sample.name, {**process, **sample.labels}, sample.value)
    yield from iter_job_samples()


def iter_system_samples(pid: int) -> Iterator[Sample]:
    """Yield memory and open files, if the system has them (Linux)."""
    try:
        memory = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
        files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return
    share = next((line.split()[1] for line in memory.splitlines() if line.startswith("Pss:")), "0")
    yield Sample("charlemagne_process_memory_bytes", {}, int(share) * 1024)
    yield Sample("charlemagne_process_open_files", {}, files)


def iter_job_samples() -> Iterator[Sample]:
    """Yield the installation's metrics, independent of processes. One query."""
    try:
        now = timezone.now()
        with waits_at_most(DATABASE_TIMEOUT):
            may_run = Q(waits_until=None) | Q(waits_until__lte=now)
            jobs = list(Job.objects.filter(may_run, status__in=ACTIVE_STATUSES).only("kind", "status", "created_at"))
    except DatabaseError:
        yield Sample("charlemagne_database_up", {}, 0)
        return
    finally:
        connection.close()
    yield Sample("charlemagne_database_up", {}, 1)
    for queue in Queue:
        queue_jobs = [job for job in jobs if find_kind(job.kind).queue == queue]
        for status in ACTIVE_STATUSES:
            count = sum(job.status == status for job in queue_jobs)
            yield Sample("charlemagne_jobs", {"queue": queue, "status": status}, count)
        ages = [(now - job.created_at).total_seconds() for job in queue_jobs if job.status == Status.QUEUED]
        yield Sample("charlemagne_oldest_job_seconds", {"queue": queue}, max(0.0, *ages, 0.0))
