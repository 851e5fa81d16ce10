"""Silent failures: `up` reports each once in its terminal, and once when it has recovered."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import pytest
from celery import Celery
from celery.beat import ScheduleEntry
from celery.schedules import schedule
from django.test import override_settings
from django.utils import timezone
from kombu.exceptions import OperationalError

from jobs.models import Job
from jobs.scheduler import Scheduler
from operations.data_dir import DATABASE_FILE
from operations.up.watch import check_parts
from tests.support.waiting import wait_until

from .conftest import RunningUp

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


NOBODY_LISTENS = "redis://127.0.0.1:1/0"


def enqueue_work(up: RunningUp, kind: str, *, ago: timedelta) -> None:
    """Insert a job that has waited this long; its subject does not exist, so it soon fails."""
    at = str(datetime.now(UTC).replace(tzinfo=None) - ago)
    with closing(sqlite3.connect(up.data / DATABASE_FILE)) as database, database:
        database.execute(
            "INSERT INTO jobs_job (kind, key, status, attempts, created_at, sent_at, error)"
            " VALUES (?, '0', 'queued', 4, ?, ?, '')",
            [kind, at, at],
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("worker", "kind", "silent", "well"),
    [
        pytest.param(
            "worker", "refresh_standings",
            "Standings have been waiting for more than half a minute",
            "Standings are computed again.",
            marks=pytest.mark.long("waits another half a minute"),
        ),
        (
            "long-worker", "refresh_ratings",
            "Long tasks (plans, ratings, papers) have been waiting for more than half a minute",
            "Long tasks run again.",
        ),
    ],
)  # fmt: skip
def test_stuck_worker_is_reported_once(up: RunningUp, worker: str, kind: str, silent: str, well: str) -> None:
    child = up.get_children()[worker]
    os.kill(child, signal.SIGSTOP)
    try:
        enqueue_work(up, kind, ago=timedelta(minutes=1))
        wait_until(lambda: silent in up.read_output())
    finally:
        os.kill(child, signal.SIGCONT)
    wait_until(lambda: well in up.read_output())
    assert up.read_output().count(silent) == 1


@pytest.mark.django_db(transaction=True)
def test_job_waiting_for_redis_does_not_blame_the_worker() -> None:
    begun = timezone.now() - timedelta(minutes=2)
    Job.objects.create(kind="refresh_standings", key="0", created_at=begun, sent_at=begun)
    notices: list[str] = []
    with override_settings(LIVE_REDIS_URL=NOBODY_LISTENS):
        away = check_parts(frozenset(), begun, notices.append)
        check_parts(away, begun, notices.append)
    check_parts(away, begun, notices.append)
    assert notices == ["broker-away-now", "worker-silent", "broker-away-now-no-more"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("error", "is_written"),
    [
        (OperationalError("Connection refused"), False),
        (OSError(errno.ENOSPC, "No space left on device"), False),
        (KeyError("a mistake"), True),
    ],
)
def test_failing_schedule_logs_tracebacks_only_for_bugs(
    error: Exception, is_written: bool, caplog: pytest.LogCaptureFixture
) -> None:
    app = Celery(set_as_current=False)
    scheduler = Scheduler(app=app)
    with patch.object(scheduler, "send_task", side_effect=error):
        scheduler.apply_entry(ScheduleEntry(name="sweep", task="sweep", schedule=schedule(5), app=app))
    assert bool(caplog.records) is is_written
