"""A job that somebody stops, and one that somebody wants after all."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from jobs.models import MOST_ATTEMPTS, Job, Status
from jobs.running import JobContext
from jobs.services import cancel_job, enqueue, retry_job, run_job, sweep
from tests.jobs.conftest import Enqueue, in_a_thread, messages, now
from tests.jobs.work import times_run

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("jobs are stopped while they run")]


def test_a_job_cancelled_while_queued_never_runs() -> None:
    queued = enqueue(kind="note", key="unwanted")
    cancel_job(queued.pk)
    run_job(queued.pk)
    sweep()
    assert (now(queued).status, queued.attempts, times_run("unwanted")) == (Status.CANCELLED, 0, 0)
    assert queued.ended_at is not None


@pytest.mark.usefixtures("every_report")
def test_a_running_job_stops_at_its_next_report(enqueued: Enqueue) -> None:
    reached: list[int] = []

    def work(running: JobContext) -> None:
        for number in (1, 2, 3):
            reached.append(number)
            if number == 2:
                cancel_job(queued.pk)
                assert now(queued).status == Status.RUNNING
            running.report(number, 3)

    queued = enqueued(work)
    run_job(queued.pk)
    assert reached == [1, 2]
    assert (now(queued).status, queued.done, queued.of) == (Status.CANCELLED, 1, 3)


def test_a_job_that_is_done_before_it_sees_the_wish_is_done(enqueued: Enqueue) -> None:
    queued = enqueued(lambda running: cancel_job(queued.pk))
    run_job(queued.pk)
    assert now(queued).status == Status.DONE


def test_a_job_that_nobody_wants_is_not_tried_again_when_it_breaks(enqueued: Enqueue) -> None:
    def work(running: JobContext) -> None:
        cancel_job(queued.pk)
        raise ValueError

    queued = enqueued(work)
    run_job(queued.pk)
    assert (now(queued).status, queued.attempts) == (Status.CANCELLED, 1)


def test_a_job_that_nobody_wants_ends_with_its_worker(enqueued: Enqueue) -> None:
    queued = enqueued(lambda running: None)
    Job.objects.filter(pk=queued.pk).update(status=Status.RUNNING, attempts=1, lease_until=timezone.now())
    cancel_job(queued.pk)
    sweep()
    assert now(queued).status == Status.CANCELLED


def test_cancelling_is_safe_to_repeat_and_changes_nothing_that_ended() -> None:
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
def test_of_stopping_and_beginning_at_once_one_comes_first() -> None:
    for number in range(10):
        queued = enqueue(kind="note", key=f"race-{number}")
        run, stop = partial(run_job, queued.pk), partial(cancel_job, queued.pk)
        for thread in in_a_thread(run, stop, run):
            thread.join()
        how_often = {Status.DONE: 1, Status.CANCELLED: 0}[Status(now(queued).status)]
        assert times_run(queued.key) == queued.attempts == how_often


@pytest.mark.django_db(transaction=True)
def test_stopping_a_job_that_begins_at_this_moment_stops_its_work() -> None:
    queued = enqueue(kind="note", key="event 1")
    with transaction.atomic():
        assert enqueue(kind="note", key="event 1") == queued  # which locks it
        (stopping,) = in_a_thread(partial(cancel_job, queued.pk))
        stopping.join(0.3)  # time enough to look
        Job.objects.filter(pk=queued.pk).update(status=Status.RUNNING, attempts=1)
    stopping.join()
    assert (now(queued).status, queued.is_stop_asked) == (Status.RUNNING, True)


def test_a_job_that_failed_is_tried_again_with_all_its_chances() -> None:
    queued = enqueue(kind="impossible", key="event 1")
    for _ in range(2):
        for _ in range(MOST_ATTEMPTS):
            assert now(queued).status == Status.QUEUED
            run_job(queued.pk)
        assert now(queued).status == Status.FAILED
        retry_job(queued.pk)
    assert now(queued).attempts == 2 * MOST_ATTEMPTS, "numbers of attempts are never given twice"


def test_trying_again_starts_afresh_and_is_safe_to_repeat(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    queued = enqueue(kind="refused", key="Anne")
    run_job(queued.pk)
    Job.objects.filter(pk=queued.pk).update(done=5, of=10, is_stop_asked=True)
    with django_capture_on_commit_callbacks(execute=True):
        retry_job(queued.pk)
        retry_job(queued.pk)
    assert len(messages()) == 1
    assert (now(queued).status, queued.done, queued.of) == (Status.QUEUED, 0, 0)
    assert not queued.is_stop_asked
    assert (queued.failed_with, queued.ended_at, queued.started_at, queued.error) == (None, None, None, "")


def test_what_is_under_way_or_done_is_not_run_again_by_trying_again() -> None:
    done, waiting = enqueue(kind="note", key="done"), enqueue(kind="note", key="waiting")
    run_job(done.pk)
    for one in (done, waiting):
        retry_job(one.pk)
    run_job(done.pk)
    assert (now(done).status, now(waiting).status, times_run("done")) == (Status.DONE, Status.QUEUED, 1)


def test_trying_again_leaves_the_work_to_one_that_waits_already() -> None:
    stopped = enqueue(kind="note", key="event 1")
    cancel_job(stopped.pk)
    waiting = enqueue(kind="note", key="event 1")
    retry_job(stopped.pk)
    assert (now(stopped).status, now(waiting).status) == (Status.CANCELLED, Status.QUEUED)
