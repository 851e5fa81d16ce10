"""Real brokers and workers, and a job whose work each test defines."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
import redis
from celery import Celery
from django.conf import settings
from django.db import connection
from django.utils import timezone

from config.celery import app
from jobs import registry
from jobs.models import Job
from jobs.queues import MAX_POSITION
from jobs.registry import Work, job
from jobs.services import enqueue
from operations.data_dir import DATA_VARIABLE, PROJECT
from tests import external_tools
from tests.jobs import work  # noqa: F401 (registers kinds of jobs for tests)


class Workers:
    """Real workers on a broker and the database of the tests.

    They are forks of a process that has loaded the program, which takes longer than what most of them do.
    """

    def __init__(self, environment: dict[str, str]) -> None:
        self._running: list[Worker] = []
        self._template = subprocess.Popen(
            [sys.executable, "-m", "tests.jobs.worker_copies"],
            cwd=PROJECT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def start(self, *options: str) -> Worker:
        worker = Worker(self, int(self.send_command(" ".join(options))))
        self._running.append(worker)
        return worker

    def kill(self) -> None:
        """Kill all workers that still run."""
        while self._running:
            self._running[0].kill()

    def wait_for(self, worker: Worker) -> None:
        """Wait until the worker has ended."""
        self.send_command(str(worker.pid))
        self._running.remove(worker)

    def send_command(self, line: str) -> str:
        assert self._template.stdin is not None
        assert self._template.stdout is not None
        print(line, file=self._template.stdin, flush=True)
        return self._template.stdout.readline()

    def end(self) -> None:
        self._template.communicate()


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker process."""

    workers: Workers
    pid: int

    def kill(self) -> None:
        """Kill the process, and return once it has ended."""
        os.kill(self.pid, signal.SIGKILL)
        self.workers.wait_for(self)


StartWorker = Callable[..., Worker]
"""Starts a worker with these command line options."""
Enqueue = Callable[[Work], Job]

PATCHED_SCHEDULE = "as a test wants"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delete messages and traces that other tests left, and forget that the broker failed."""
    monkeypatch.setattr("jobs.messages._silent_until", 0.0)
    monkeypatch.setattr("jobs.messages._is_away", False)
    for name in ("messages", "traces"):
        shutil.rmtree(Path(settings.DATA_DIR) / name, ignore_errors=True)


@pytest.fixture
def redis_url() -> Iterator[str]:
    url = external_tools.find_redis_server()
    if url is None:
        pytest.skip("no Redis server")
    with redis.Redis.from_url(url) as server:
        server.flushdb()
        yield url
        server.flushdb()


BROKERS = ["redis"] if connection.vendor == "postgresql" else ["files", "redis"]
"""With PostgreSQL only Redis, as in installations; the runs on SQLite cover the broker of files."""


@pytest.fixture(params=BROKERS)
def broker_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Yield the URL of each broker, one after the other, to which this process then sends; "" for files."""
    url = "" if request.param == "files" else str(request.getfixturevalue("redis_url"))
    if url:
        send_to(url)
    yield url
    app.set_current()


def send_to(url: str) -> None:
    """Let this process send to that broker, until `config.celery.app` is the current application again."""
    sender = Celery("sender", broker=url)
    sender.conf.task_default_queue = app.conf.task_default_queue
    steps = list(range(MAX_POSITION + 1))
    sender.conf.broker_transport_options = {"max_retries": 0, "priority_steps": steps}
    sender.set_current()


@pytest.fixture(scope="session")
def workers_on() -> Iterator[Callable[[str], Workers]]:
    """Yield a function that returns the workers of a broker."""
    loaded: dict[str, Workers] = {}

    def get_workers(broker_url: str) -> Workers:
        if broker_url not in loaded:
            loaded[broker_url] = Workers(build_worker_environment(broker_url))
        return loaded[broker_url]

    yield get_workers
    for each in loaded.values():
        each.end()


def build_worker_environment(broker_url: str) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    environment |= {DATA_VARIABLE: str(settings.DATA_DIR), "CHARLEMAGNE_BROKER_URL": broker_url}
    if connection.vendor == "postgresql":
        database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
        environment["DATABASE_URL"] = database.geturl()
    return environment


@pytest.fixture
def start_worker(
    broker_url: str, transactional_db: None, workers_on: Callable[[str], Workers]
) -> Iterator[StartWorker]:
    """Yield a function that starts a worker on this test's database and broker; kill them at the end."""
    workers = workers_on(broker_url)
    yield workers.start
    workers.kill()


@pytest.fixture
def enqueued() -> Iterator[Enqueue]:
    """Yield a function that enqueues a job with the given work."""

    def enqueue_it(what_it_does: Work) -> Job:
        job(PATCHED_SCHEDULE, name="Patched work")(what_it_does)
        return enqueue(kind=PATCHED_SCHEDULE, key="event 1", topic="event:1")

    yield enqueue_it
    registry._kinds.pop(PATCHED_SCHEDULE, None)


@pytest.fixture
def every_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write each progress report, however soon it follows another."""
    monkeypatch.setattr("jobs.registry.PAUSE", 0.0)


@pytest.fixture
def first_report_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write only the first progress report, as on a machine that finishes before the second."""
    monkeypatch.setattr("jobs.registry.PAUSE", 3600.0)


def expire_lease(queued: Job) -> None:
    Job.objects.filter(pk=queued.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def reload_job(queued: Job) -> Job:
    queued.refresh_from_db()
    return queued


def start_threads(*calls: Callable[[], None]) -> list[Thread]:
    """Start a thread for each call, with its own database connection, as in a process of its own."""

    def run_call(call: Callable[[], None]) -> None:
        try:
            call()
        finally:
            connection.close()

    threads = [Thread(target=run_call, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    return threads


def list_messages() -> list[Path]:
    """Return the messages that wait in the folder of the broker of files."""
    return list((Path(settings.DATA_DIR) / "messages").glob("*.message"))
