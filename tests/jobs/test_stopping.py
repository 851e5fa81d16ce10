"""Jobs that are stopped, and jobs that are retried."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from jobs.models import MAX_ATTEMPTS, Job, Status
from jobs.registry import JobContext
from jobs.services import cancel_job, enqueue, retry_job, run_job, sweep
from tests.jobs.conftest import Enqueue, list_messages, reload_job, start_threads
from tests.jobs.work import count_runs

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("updates of running jobs")]


def test_cancelled_queued_job_never_runs() -> None:
    queued = enqueue(kind="note", key="unwanted")
    cancel_job(queued.pk)
    run_job(queued.pk)
    sweep()
    assert (reload_job(queued).status, queued.attempts, count_runs("unwanted")) == (Status.CANCELLED, 0, 0)
    assert queued.ended_at is not None


@pytest.mark.usefixtures("every_report")
def test_running_job_stops_at_its_next_report(enqueued: Enqueue) -> None:
    reached: list[int] = []

    def work(running: JobContext) -> None:
        for number in (1, 2, 3):
            reached.append(number)
            if number == 2:
                cancel_job(queued.pk)
                assert reload_job(queued).status == Status.RUNNING
            running.report(number, 3)

    queued = enqueued(work)
    run_job(queued.pk)
    assert reached == [1, 2]
    assert (reload_job(queued).status, queued.done, queued.of) == (Status.CANCELLED, 1, 3)


def test_job_finished_before_the_stop_is_done(enqueued: Enqueue) -> None:
    queued = enqueued(lambda running: cancel_job(queued.pk))
    run_job(queued.pk)
    assert reload_job(queued).status == Status.DONE


def test_cancelled_job_is_not_retried_after_a_failure(enqueued: Enqueue) -> None:
    def work(running: JobContext) -> None:
        cancel_job(queued.pk)
        raise ValueError

    queued = enqueued(work)
    run_job(queued.pk)
    assert (reload_job(queued).status, queued.attempts) == (Status.CANCELLED, 1)


def test_cancelled_job_ends_with_its_dead_worker(enqueued: Enqueue) -> None:
    queued = enqueued(lambda running: None)
    Job.objects.filter(pk=queued.pk).update(status=Status.RUNNING, attempts=1, lease_until=timezone.now())
    cancel_job(queued.pk)
    sweep()
    assert reload_job(queued).status == Status.CANCELLED


def test_cancelling_is_idempotent_and_spares_ended_jobs() -> None:
    done, failed, waiting = (enqueue(kind=kind, key=kind) for kind in ("note", "refused", "count"))
    run_job(done.pk)
    run_job(failed.pk)
    cancel_job(waiting.pk)
    before = list(Job.objects.order_by("pk").values())
    for one in (done, failed, waiting):
        cancel_job(one.pk)
    cancel_job(12345)
    assert list(Job.objects.order_by("pk").values()) == before
    assert [row["status"] for row in before] == [Status.DONE, Status.FAILED, Status.CANCELLED]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_concurrent_stop_and_start_have_one_winner() -> None:
    for number in range(10):
        queued = enqueue(kind="note", key=f"race-{number}")
        run, stop = partial(run_job, queued.pk), partial(cancel_job, queued.pk)
        for thread in start_threads(run, stop, run):
            thread.join()
        how_often = {Status.DONE: 1, Status.CANCELLED: 0}[Status(reload_job(queued).status)]
        assert count_runs(queued.key) == queued.attempts == how_often


@pytest.mark.django_db(transaction=True)
def test_stop_during_a_start_stops_the_work() -> None:
    queued = enqueue(kind="note", key="event 1")
    with transaction.atomic():
        assert enqueue(kind="note", key="event 1") == queued  # this locks the row
        (stopping,) = start_threads(partial(cancel_job, queued.pk))
        stopping.join(0.3)  # long enough to read the row
        Job.objects.filter(pk=queued.pk).update(status=Status.RUNNING, attempts=1)
    stopping.join()
    assert (reload_job(queued).status, queued.is_stop_asked) == (Status.RUNNING, True)


def test_failed_job_is_retried_with_all_attempts() -> None:
    queued = enqueue(kind="impossible", key="event 1")
    for _ in range(2):
        for _ in range(MAX_ATTEMPTS):
            assert reload_job(queued).status == Status.QUEUED
            run_job(queued.pk)
        assert reload_job(queued).status == Status.FAILED
        retry_job(queued.pk)
    assert reload_job(queued).attempts == 2 * MAX_ATTEMPTS, "numbers of attempts are never given twice"


def test_retry_resets_the_job_once(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    queued = enqueue(kind="refused", key="Anne")
    run_job(queued.pk)
    Job.objects.filter(pk=queued.pk).update(done=5, of=10, is_stop_asked=True)
    with django_capture_on_commit_callbacks(execute=True):
        retry_job(queued.pk)
        retry_job(queued.pk)
    assert len(list_messages()) == 1
    assert (reload_job(queued).status, queued.done, queued.of) == (Status.QUEUED, 0, 0)
    assert not queued.is_stop_asked
    assert (queued.failed_with, queued.ended_at, queued.started_at, queued.error) == (None, None, None, "")


def test_retry_does_not_rerun_waiting_or_finished_jobs() -> None:
    done, waiting = enqueue(kind="note", key="done"), enqueue(kind="note", key="waiting")
    run_job(done.pk)
    for one in (done, waiting):
        retry_job(one.pk)
    run_job(done.pk)
    assert (reload_job(done).status, reload_job(waiting).status, count_runs("done")) == (Status.DONE, Status.QUEUED, 1)


def test_retry_gives_way_to_a_waiting_job() -> None:
    stopped = enqueue(kind="note", key="event 1")
    cancel_job(stopped.pk)
    waiting = enqueue(kind="note", key="event 1")
    retry_job(stopped.pk)
    assert (reload_job(stopped).status, reload_job(waiting).status) == (Status.CANCELLED, Status.QUEUED)
