"""The life of a job, as its row records it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from config.celery import app
from jobs import services
from jobs.delays import CLOCK_TOLERANCE
from jobs.messages import send_job_message
from jobs.models import ENDED_STATUSES, MAX_ATTEMPTS, Job, Status
from jobs.registry import JobContext, job
from jobs.services import enqueue, run_job, sweep
from tests.jobs.conftest import list_messages, send_to
from tests.jobs.work import count_runs

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("SKIP LOCKED")]


def long_ago() -> timedelta:
    return timedelta(days=400)


def test_queued_job_is_shared_by_equal_requests() -> None:
    first = enqueue(kind="note", key="event 1")
    assert enqueue(kind="note", key="event 1") == first
    assert enqueue(kind="note", key="event 2") != first
    assert Job.objects.count() == 2


def test_running_job_does_not_absorb_a_new_request() -> None:
    running = enqueue(kind="note", key="event 1")
    Job.objects.filter(pk=running.pk).update(status=Status.RUNNING)
    assert enqueue(kind="note", key="event 1") != running


def test_unregistered_kind_is_an_error() -> None:
    with pytest.raises(LookupError):
        enqueue(kind="unheard of", key="event 1")


def test_kind_cannot_have_two_functions() -> None:
    with pytest.raises(ValueError, match="two functions"):
        job("note")(lambda running: None)


def test_message_is_sent_when_the_change_commits(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        enqueue(kind="note", key="event 1")
        enqueue(kind="note", key="event 1")
        assert list_messages() == []
    assert len(list_messages()) == 1


def test_rolled_back_change_leaves_no_job_or_message(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        enqueue(kind="note", key="event 1")
        transaction.set_rollback(True)
    assert not Job.objects.exists()
    assert list_messages() == []


def test_repeated_message_runs_the_job_once() -> None:
    queued = enqueue(kind="note", key="once")
    run_job(queued.pk)
    run_job(queued.pk)
    queued.refresh_from_db()
    assert (queued.status, queued.attempts, count_runs("once")) == (Status.DONE, 1, 1)


def test_message_for_a_missing_job_is_ignored() -> None:
    run_job(12345)
    assert not Job.objects.exists()


def test_failing_job_is_retried_up_to_its_limit() -> None:
    queued = enqueue(kind="impossible", key="event 1")
    for attempt in range(1, MAX_ATTEMPTS):
        run_job(queued.pk)
        queued.refresh_from_db()
        assert (queued.status, queued.attempts) == (Status.QUEUED, attempt)
    run_job(queued.pk)
    queued.refresh_from_db()
    assert queued.status == Status.FAILED
    assert queued.error == "ValueError: event 1 cannot be done"
    assert queued.failed_with == {"code": "job_failed", "field": None, "details": {}}
    assert queued.ended_at is not None


def test_failed_job_gives_way_to_a_waiting_one() -> None:
    @job("impossible while another waits")
    def enqueue_other_and_fail(running: JobContext) -> None:
        enqueue(kind="impossible while another waits", key=running.key)
        raise ValueError

    first = enqueue(kind="impossible while another waits", key="event 1")
    run_job(first.pk)
    first.refresh_from_db()
    assert first.status == Status.FAILED
    assert Job.objects.get(status=Status.QUEUED) != first


def test_sweeper_resends_overdue_jobs() -> None:
    lost, recent = enqueue(kind="note", key="lost"), enqueue(kind="note", key="recent")
    Job.objects.filter(pk=lost.pk).update(sent_at=timezone.now() - 2 * services.RESEND_AFTER)
    sweep()
    sweep()
    assert len(list_messages()) == 1
    lost.refresh_from_db()
    assert lost.sent_at > recent.sent_at


def test_sweeper_requeues_jobs_of_a_dead_worker() -> None:
    left, working = enqueue(kind="note", key="left"), enqueue(kind="note", key="working")
    now = timezone.now()
    Job.objects.filter(pk=left.pk).update(status=Status.RUNNING, attempts=1, lease_until=now - timedelta(seconds=1))
    Job.objects.filter(pk=working.pk).update(status=Status.RUNNING, attempts=1, lease_until=now + CLOCK_TOLERANCE)
    sweep()
    left.refresh_from_db()
    working.refresh_from_db()
    assert (left.status, working.status) == (Status.QUEUED, Status.RUNNING)


def test_sweeper_fails_a_job_that_kills_every_worker() -> None:
    deadly = enqueue(kind="note", key="deadly")
    Job.objects.filter(pk=deadly.pk).update(
        status=Status.RUNNING, attempts=MAX_ATTEMPTS, lease_until=timezone.now() - timedelta(seconds=1)
    )
    sweep()
    deadly.refresh_from_db()
    assert deadly.status == Status.FAILED


def test_worker_without_its_lease_cannot_end_the_job() -> None:
    @job("given up meanwhile")
    def take_over(running: JobContext) -> None:
        Job.objects.filter(pk=running.key).update(attempts=2)  # what a sweep and another worker would do

    queued = enqueue(kind="given up meanwhile", key="0")
    Job.objects.filter(pk=queued.pk).update(key=str(queued.pk))
    run_job(queued.pk)
    queued.refresh_from_db()
    assert queued.status == Status.RUNNING


def test_sweeper_deletes_only_jobs_ended_long_ago() -> None:
    for status in Status:
        old = enqueue(kind="note", key=status)
        Job.objects.filter(pk=old.pk).update(
            status=status,
            created_at=timezone.now() - long_ago(),
            ended_at=timezone.now() - long_ago() if status in ENDED_STATUSES else None,
        )
    recent = enqueue(kind="note", key="recent")
    run_job(recent.pk)
    sweep()
    assert set(Job.objects.values_list("key", flat=True)) == {"queued", "running", "recent"}


def test_idle_sweep_needs_one_statement(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    run_job(enqueue(kind="note", key="event 1").pk)
    with django_assert_num_queries(1):
        sweep()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_worker_starts_only_after_the_change_is_visible() -> None:
    seen: list[str] = []

    @job("read a fact")
    def read_the_fact(running: JobContext) -> None:
        seen.append(Job.objects.get(kind="note", key="fact").error)

    fact = Job.objects.create(kind="note", key="fact", status=Status.DONE, error="as it was")
    queued = enqueue(kind="read a fact", key="fact")

    def work() -> None:
        try:
            run_job(queued.pk)
        finally:
            connection.close()

    worker = Thread(target=work)
    with transaction.atomic():
        assert enqueue(kind="read a fact", key="fact") == queued
        worker.start()
        worker.join(0.3)  # long enough for a worker that would not wait
        Job.objects.filter(pk=fact.pk).update(error="as it is now")
    worker.join()
    assert seen == ["as it is now"]


def test_broker_outage_fails_no_request_and_loses_no_job(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    send_to("redis://127.0.0.1:1/0")
    with django_capture_on_commit_callbacks(execute=True):
        enqueue(kind="note", key="event 1")
    app.set_current()
    with django_capture_on_commit_callbacks(execute=True):
        enqueue(kind="note", key="event 2")
    assert list_messages() == [], "for some seconds nobody tries the broker"

    monkeypatch.setattr("jobs.messages._silent_until", 0.0)
    Job.objects.update(sent_at=timezone.now() - 2 * services.RESEND_AFTER)
    sweep()
    assert len(list_messages()) == 2


def test_broker_outage_is_logged_once(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def try_again() -> None:
        monkeypatch.setattr("jobs.messages._silent_until", 0.0)
        send_job_message(1, "note")

    for _ in range(2):
        send_to("redis://127.0.0.1:1/0")
        for _ in range(3):
            try_again()
        app.set_current()
        try_again()
    assert [record.name for record in caplog.records] == ["jobs.messages"] * 2


def test_unwritable_message_folder_fails_no_request(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    folder = Path(settings.DATA_DIR) / "messages"
    folder.write_text("a file where the folder should be", encoding="utf-8")
    with django_capture_on_commit_callbacks(execute=True):
        queued = enqueue(kind="note", key="event 1")
    folder.unlink()
    assert queued.status == Status.QUEUED
