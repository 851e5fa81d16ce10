"""Real workers on real brokers: their work, and recovery after they are killed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
import redis
from django.conf import settings
from django.utils import timezone

from jobs import services
from jobs.models import Job, Status
from jobs.queues import Queue
from jobs.services import cancel_job, enqueue, retry_job, sweep
from tests.jobs.conftest import StartWorker
from tests.jobs.work import NUMBERS, count_runs
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.postgresql("concurrent workers"),
    pytest.mark.skipif(sys.platform != "linux", reason="copies processes"),
    pytest.mark.slow,
]


def count_jobs(status: Status) -> int:
    return Job.objects.filter(status=status).count()


@pytest.mark.long
def test_short_jobs_do_not_wait_for_long_ones(
    start_worker: StartWorker,
) -> None:
    start_worker()
    enqueue(kind="long note", key="long")
    for key in ("a", "b", "c"):
        enqueue(kind="note", key=key)
    wait_until(lambda: count_jobs(Status.DONE) == 3)
    assert [count_runs(key) for key in ("a", "b", "c", "long")] == [1, 1, 1, 0]
    start_worker("--queues", Queue.LONG)
    wait_until(lambda: count_jobs(Status.DONE) == 4)
    assert count_runs("long") == 1


@pytest.mark.long
def test_every_job_ends_once_despite_killed_worker_and_lost_messages(
    start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "RESEND_AFTER", timedelta(seconds=0.5))
    keys = [f"job-{number}" for number in range(20)]
    killed = start_worker()
    for key in keys[:15]:
        enqueue(kind="slow note", key=key)
    with monkeypatch.context() as broken:
        broken.setattr("jobs.messages._silent_until", time.monotonic() + 3600)
        for key in keys[15:]:
            enqueue(kind="slow note", key=key)
    wait_until(lambda: count_jobs(Status.DONE) >= 3 and count_jobs(Status.RUNNING) == 1)
    killed.kill()
    left = count_jobs(Status.DONE)
    assert left < 20

    start_worker()
    wait_until(lambda: count_jobs(Status.DONE) == 20, action=sweep)
    assert Job.objects.count() == 20
    assert Job.objects.filter(ended_at__isnull=False, lease_until__isnull=True).count() == 20
    for ended in Job.objects.all():
        assert 1 <= count_runs(ended.key) <= ended.attempts


def is_half_done(job: Job) -> Callable[[], bool]:
    """Return a condition: at least half of this job's work is done."""

    def is_so() -> bool:
        job.refresh_from_db()
        return bool(job.of) and job.done * 2 >= job.of

    return is_so


def is_ended(job: Job) -> Callable[[], bool]:
    def is_so() -> bool:
        job.refresh_from_db()
        return not job.is_under_way

    return is_so


@pytest.mark.long
def test_killed_job_restarts_and_its_progress_never_drops(
    start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "RESEND_AFTER", timedelta(seconds=0.5))
    killed = start_worker()
    job = enqueue(kind="count", key="killed")
    wait_until(is_half_done(job))
    killed.kill()
    shown = [(job.done, job.of)]
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now())  # as if a minute had passed

    def look() -> None:
        sweep()
        shown.append((job.done, job.of))

    start_worker()
    wait_until(is_ended(job), action=look)
    assert (job.status, job.attempts, job.result) == (Status.DONE, 2, {"counted": NUMBERS})
    assert count_runs("killed") == 1
    assert shown == sorted(shown)


@pytest.mark.long
def test_running_job_stops_and_can_be_retried(start_worker: StartWorker) -> None:
    start_worker()
    job = enqueue(kind="count", key="stopped")
    wait_until(is_half_done(job))
    cancel_job(job.pk)
    wait_until(is_ended(job))
    assert (job.status, count_runs("stopped")) == (Status.CANCELLED, 0)
    retry_job(job.pk)
    wait_until(is_ended(job))
    assert (job.status, job.attempts, count_runs("stopped")) == (Status.DONE, 2, 1)


@pytest.mark.long
def test_cancelled_waiting_job_is_skipped(start_worker: StartWorker) -> None:
    unwanted, wanted = enqueue(kind="note", key="unwanted"), enqueue(kind="note", key="wanted")
    cancel_job(unwanted.pk)
    start_worker()
    wait_until(is_ended(wanted), action=sweep)
    unwanted.refresh_from_db()
    assert (unwanted.status, unwanted.attempts, count_runs("unwanted")) == (Status.CANCELLED, 0, 0)


@pytest.mark.long
@pytest.mark.parametrize("broker_url", ["redis"], indirect=True)
def test_an_emptied_redis_loses_no_job(
    start_worker: StartWorker, broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "RESEND_AFTER", timedelta(seconds=0.5))
    keys = [f"job-{number}" for number in range(10)]
    with redis.Redis.from_url(broker_url) as server:
        for key in keys[:4]:
            enqueue(kind="note", key=key)
        assert server.dbsize() > 0
        server.flushdb()  # before any worker starts
        start_worker()
        wait_until(lambda: count_jobs(Status.DONE) == 4, action=sweep)
        for key in keys[4:8]:
            enqueue(kind="slow note", key=key)
        server.flushdb()  # while the worker runs
        wait_until(lambda: count_jobs(Status.DONE) == 8, action=sweep)
    for key in keys[8:]:
        enqueue(kind="note", key=key)  # the worker has kept running
    wait_until(lambda: count_jobs(Status.DONE) == 10)
    assert {job.key: count_runs(job.key) for job in Job.objects.all()} == dict.fromkeys(keys, 1)


@pytest.mark.long
def test_two_workers_run_each_job_once(start_worker: StartWorker) -> None:
    start_worker()
    start_worker()
    keys = [f"job-{number}" for number in range(30)]
    for key in keys:
        enqueue(kind="note", key=key)
    wait_until(lambda: count_jobs(Status.DONE) == 30)
    assert [count_runs(key) for key in keys] == [1] * 30


@pytest.mark.long
@pytest.mark.parametrize("broker_url", ["files"], indirect=True)
def test_unreadable_message_file_does_not_stop_the_worker(start_worker: StartWorker) -> None:
    folder = Path(settings.DATA_DIR) / "messages"
    folder.mkdir(parents=True, exist_ok=True)
    for place, content in enumerate(("", "{", "[]", "no message")):
        (folder / f"{place:020d}.broken.jobs.message").write_text(content, encoding="utf-8")
    start_worker()
    enqueue(kind="note", key="after them")
    wait_until(lambda: count_jobs(Status.DONE) == 1)
    assert [bad.suffix for bad in folder.iterdir()] == [".bad"] * 4


@pytest.mark.parametrize("broker_url", ["files"], indirect=True)
def test_waiting_messages_are_processed_in_order(start_worker: StartWorker) -> None:
    first, second = enqueue(kind="note", key="first"), enqueue(kind="note", key="second")
    start_worker()
    wait_until(lambda: count_jobs(Status.DONE) == 2)
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.ended_at is not None
    assert second.ended_at is not None
    assert first.ended_at < second.ended_at
