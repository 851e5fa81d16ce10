"""Brokers and workers: real ones. And a job that does as a test wants."""

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
from tests.jobs import work  # noqa: F401 (whose kinds every test here may enqueue)


class Workers:
    """Real workers on a broker and the database of the tests. To load the program takes longer than what most
    of them do: they are copies of a process that has."""

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
        """All of them."""
        while self._running:
            self._running[0].kill()

    def wait_for(self, worker: Worker) -> None:
        """Until it has ended."""
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
    """One of them."""

    workers: Workers
    pid: int

    def kill(self) -> None:
        """Returns once it has ended."""
        os.kill(self.pid, signal.SIGKILL)
        self.workers.wait_for(self)


StartWorker = Callable[..., Worker]
"""Starts a worker with these options of its own."""
Enqueue = Callable[[Work], Job]

PATCHED_SCHEDULE = "as a test wants"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No messages, no traces (tests elsewhere leave some), and a broker that has not failed yet."""
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
"""Who has PostgreSQL has Redis; what a broker of files does on another database it does on this one too."""


@pytest.fixture(params=BROKERS)
def broker_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each broker, one after the other: files (no URL) and Redis. Messages of this process go there."""
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
    """Yield those of a broker."""
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
    """Starts a worker on this test's database and broker; what still runs at the end is killed."""
    workers = workers_on(broker_url)
    yield workers.start
    workers.kill()


@pytest.fixture
def enqueued() -> Iterator[Enqueue]:
    """Enqueues a job that does what the function does."""

    def enqueue_it(what_it_does: Work) -> Job:
        job(PATCHED_SCHEDULE, is_visible=True)(what_it_does)
        return enqueue(kind=PATCHED_SCHEDULE, key="event 1", topic="event:1")

    yield enqueue_it
    registry._kinds.pop(PATCHED_SCHEDULE, None)


@pytest.fixture
def every_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each report is written, however soon it follows."""
    monkeypatch.setattr("jobs.running.PAUSE", 0.0)


@pytest.fixture
def first_report_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine so fast that all the work is done between two writes."""
    monkeypatch.setattr("jobs.running.PAUSE", 3600.0)


def expire_lease(queued: Job) -> None:
    """Let the time of its lease go by."""
    Job.objects.filter(pk=queued.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def reload_job(queued: Job) -> Job:
    queued.refresh_from_db()
    return queued


def start_threads(*calls: Callable[[], None]) -> list[Thread]:
    """Each begun as by a process of its own."""

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
    """The messages that wait in the folder."""
    return list((Path(settings.DATA_DIR) / "messages").glob("*.message"))
