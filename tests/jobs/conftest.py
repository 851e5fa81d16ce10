"""Brokers and workers: real ones."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from celery import Celery
from django.conf import settings
from django.db import connection

from config.celery import app
from config.folder import PROJECT, VARIABLE
from tests import parts

WORKER = [
    *(sys.executable, "-m", "celery", "--quiet", "-A", "tests.jobs.worker", "worker", "--pool", "solo"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "ERROR"),
]

StartWorker = Callable[[], subprocess.Popen[bytes]]


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No messages, no traces, and a broker that has not failed yet."""
    monkeypatch.setattr("jobs.messages._silent_until", 0.0)
    yield
    for name in ("messages", "traces"):
        shutil.rmtree(Path(settings.DATA_DIR) / name, ignore_errors=True)


@pytest.fixture
def redis_url() -> Iterator[str]:
    url = parts.redis_server()
    if url is None:
        pytest.skip("no Redis server")
    with redis.Redis.from_url(url) as server:
        server.flushdb()
        yield url
        server.flushdb()


@pytest.fixture(params=["files", "redis"])
def broker_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Both brokers, one after the other: files (no URL) and Redis. Messages of this process go there."""
    url = "" if request.param == "files" else str(request.getfixturevalue("redis_url"))
    if url:
        send_to(url)
    yield url
    app.set_current()


def send_to(url: str) -> None:
    """Let this process send to that broker, until `config.celery.app` is the current application again."""
    sender = Celery("sender", broker=url)
    sender.conf.task_default_queue = app.conf.task_default_queue
    sender.conf.broker_transport_options = {"max_retries": 0}
    sender.set_current()


@pytest.fixture
def start_worker(broker_url: str, transactional_db: None) -> Iterator[StartWorker]:
    """Starts a worker on this test's database and broker; what still runs at the end is killed."""
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    environment |= {VARIABLE: str(settings.DATA_DIR), "CHARLEMAGNE_BROKER_URL": broker_url}
    if connection.vendor == "postgresql":
        database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
        environment["DATABASE_URL"] = database.geturl()
    started: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        worker = subprocess.Popen(WORKER, cwd=PROJECT, env=environment)
        started.append(worker)
        return worker

    yield start
    for worker in started:
        worker.kill()
        worker.wait()
