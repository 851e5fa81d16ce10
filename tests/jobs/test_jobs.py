"""The life of a job, as its row tells it."""

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
from jobs.delays import AHEAD
from jobs.messages import send
from jobs.models import ENDED, MOST_ATTEMPTS, Job, Status
from jobs.registry import job
from jobs.running import JobContext
from jobs.services import enqueue, run_job, sweep
from tests.jobs.conftest import messages, send_to
from tests.jobs.work import times_run

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("jobs are taken by locks")]


def long_ago() -> timedelta:
    return timedelta(days=400)


def test_a_queued_job_serves_everybody_who_asks_for_the_same() -> None:
    first = enqueue(kind="note", key="event 1")
    assert enqueue(kind="note", key="event 1") == first
    assert enqueue(kind="note", key="event 2") != first
    assert Job.objects.count() == 2


def test_who_asks_while_it_runs_gets_another_job_for_it_may_have_missed_the_change() -> None:
    running = enqueue(kind="note", key="event 1")
    Job.objects.filter(pk=running.pk).update(status=Status.RUNNING)
    assert enqueue(kind="note", key="event 1") != running


def test_a_kind_that_nobody_registered_is_a_bug() -> None:
    with pytest.raises(LookupError):
        enqueue(kind="unheard of", key="event 1")


def test_a_kind_has_one_function() -> None:
    with pytest.raises(ValueError, match="two functions"):
        job("note")(lambda running: None)


def test_the_message_goes_out_when_the_change_is_committed(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        enqueue(kind="note", key="event 1")
        enqueue(kind="note", key="event 1")
        assert messages() == []
    assert len(messages()) == 1


def test_no_job_and_no_message_is_left_of_a_change_that_was_rolled_back(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        enqueue(kind="note", key="event 1")
        transaction.set_rollback(True)
    assert not Job.objects.exists()
    assert messages() == []


def test_a_job_is_done_once_however_often_the_message_comes() -> None:
    queued = enqueue(kind="note", key="once")
    run_job(queued.pk)
    run_job(queued.pk)
    queued.refresh_from_db()
    assert (queued.status, queued.attempts, times_run("once")) == (Status.DONE, 1, 1)


def test_a_message_about_a_job_that_is_gone_is_passed_over() -> None:
    run_job(12345)
    assert not Job.objects.exists()


def test_a_job_that_fails_is_queued_again_until_it_had_its_chances() -> None:
    queued = enqueue(kind="impossible", key="event 1")
    for attempt in range(1, MOST_ATTEMPTS):
        run_job(queued.pk)
        queued.refresh_from_db()
        assert (queued.status, queued.attempts) == (Status.QUEUED, attempt)
    run_job(queued.pk)
    queued.refresh_from_db()
    assert queued.status == Status.FAILED
    assert queued.error == "ValueError: event 1 cannot be done"
    assert queued.failed_with == {"code": "job_failed", "field": None, "details": {}}
    assert queued.ended_at is not None


def test_a_job_that_fails_leaves_its_place_to_one_that_waits_already() -> None:
    @job("impossible while another waits")
    def ask_for_another_and_fail(running: JobContext) -> None:
        enqueue(kind="impossible while another waits", key=running.key)
        raise ValueError

    first = enqueue(kind="impossible while another waits", key="event 1")
    run_job(first.pk)
    first.refresh_from_db()
    assert first.status == Status.FAILED
    assert Job.objects.get(status=Status.QUEUED) != first


def test_the_sweeper_sends_again_what_has_waited_too_long() -> None:
    lost, recent = enqueue(kind="note", key="lost"), enqueue(kind="note", key="recent")
    Job.objects.filter(pk=lost.pk).update(sent_at=timezone.now() - 2 * services.OLD)
    sweep()
    sweep()
    assert len(messages()) == 1
    lost.refresh_from_db()
    assert lost.sent_at > recent.sent_at


def test_the_sweeper_queues_what_a_dead_worker_left_running() -> None:
    left, working = enqueue(kind="note", key="left"), enqueue(kind="note", key="working")
    now = timezone.now()
    Job.objects.filter(pk=left.pk).update(
        status=Status.RUNNING, attempts=1, lease_until=now - timedelta(seconds=1)
    )
    Job.objects.filter(pk=working.pk).update(status=Status.RUNNING, attempts=1, lease_until=now + AHEAD)
    sweep()
    left.refresh_from_db()
    working.refresh_from_db()
    assert (left.status, working.status) == (Status.QUEUED, Status.RUNNING)


def test_the_sweeper_gives_up_a_job_that_kills_every_worker() -> None:
    deadly = enqueue(kind="note", key="deadly")
    Job.objects.filter(pk=deadly.pk).update(
        status=Status.RUNNING, attempts=MOST_ATTEMPTS, lease_until=timezone.now() - timedelta(seconds=1)
    )
    sweep()
    deadly.refresh_from_db()
    assert deadly.status == Status.FAILED


def test_a_worker_thought_dead_cannot_end_a_job_that_another_has_by_now() -> None:
    @job("given up meanwhile")
    def let_another_take_it(running: JobContext) -> None:
        Job.objects.filter(pk=running.key).update(attempts=2)  # what a sweep and another worker would do

    queued = enqueue(kind="given up meanwhile", key="0")
    Job.objects.filter(pk=queued.pk).update(key=str(queued.pk))
    run_job(queued.pk)
    queued.refresh_from_db()
    assert queued.status == Status.RUNNING


def test_the_sweeper_clears_away_what_ended_long_ago_and_nothing_else() -> None:
    for status in Status:
        old = enqueue(kind="note", key=status)
        Job.objects.filter(pk=old.pk).update(
            status=status,
            created_at=timezone.now() - long_ago(),
            ended_at=timezone.now() - long_ago() if status in ENDED else None,
        )
    recent = enqueue(kind="note", key="recent")
    run_job(recent.pk)
    sweep()
    assert set(Job.objects.values_list("key", flat=True)) == {"queued", "running", "recent"}


def test_a_sweep_with_nothing_to_do_is_one_statement(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    run_job(enqueue(kind="note", key="event 1").pk)
    with django_assert_num_queries(1):
        sweep()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_no_worker_begins_before_it_can_see_the_change_of_who_asked() -> None:
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
        worker.join(0.3)  # time enough for one who would not wait
        Job.objects.filter(pk=fact.pk).update(error="as it is now")
    worker.join()
    assert seen == ["as it is now"]


def test_a_broker_that_is_down_fails_no_request_and_loses_no_job(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    send_to("redis://127.0.0.1:1/0")
    with django_capture_on_commit_callbacks(execute=True):
        enqueue(kind="note", key="event 1")
    app.set_current()
    with django_capture_on_commit_callbacks(execute=True):
        enqueue(kind="note", key="event 2")
    assert messages() == [], "for some seconds nobody tries the broker"

    monkeypatch.setattr("jobs.messages._silent_until", 0.0)
    Job.objects.update(sent_at=timezone.now() - 2 * services.OLD)
    sweep()
    assert len(messages()) == 2


def test_an_outage_of_the_broker_is_one_line_of_the_log_however_long_it_is(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def try_again() -> None:
        monkeypatch.setattr("jobs.messages._silent_until", 0.0)
        send(1, "note")

    for _ in range(2):
        send_to("redis://127.0.0.1:1/0")
        for _ in range(3):
            try_again()
        app.set_current()
        try_again()
    assert [record.name for record in caplog.records] == ["jobs.messages"] * 2


def test_a_message_folder_that_cannot_be_written_fails_no_request(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    folder = Path(settings.DATA_DIR) / "messages"
    folder.write_text("a file where the folder should be", encoding="utf-8")
    with django_capture_on_commit_callbacks(execute=True):
        queued = enqueue(kind="note", key="event 1")
    folder.unlink()
    assert queued.status == Status.QUEUED
