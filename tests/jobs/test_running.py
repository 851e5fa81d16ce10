"""A running job: its progress, its lease and its outcome."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from errors import Refusal
from jobs import tasks
from jobs.models import Job, Status
from jobs.registry import JobCancelledError, JobContext
from jobs.request_id import continue_request, request_id
from jobs.services import MAX_REST, enqueue, run_job, sweep
from tests.jobs.conftest import Enqueue, expire_lease, reload_job, start_threads
from tests.jobs.work import LEASE, count_runs

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("leases beside other workers")]


@pytest.mark.usefixtures("every_report")
def test_report_updates_progress_and_renews_the_lease(enqueued: Enqueue) -> None:
    seen: list[tuple[int, int]] = []

    def work(running: JobContext) -> None:
        for number in (1, 2, 3):
            expire_lease(queued)
            running.report(number, 3)
            sweep()
            assert reload_job(queued).status == Status.RUNNING
            seen.append((queued.done, queued.of))

    queued = enqueued(work)
    run_job(queued.pk)
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert (reload_job(queued).status, queued.attempts, queued.lease_until) == (Status.DONE, 1, None)


@pytest.mark.usefixtures("first_report_only")
def test_frequent_reports_do_not_cost_more_statements(enqueued: Enqueue) -> None:
    def work(running: JobContext) -> None:
        for number in range(10_000):
            running.report(number, 10_000)

    queued = enqueued(work)
    with CaptureQueriesContext(connection) as caught:
        run_job(queued.pk)
    assert reload_job(queued).status == Status.DONE
    statements = [query["sql"] for query in caught if "SAVEPOINT" not in query["sql"]]
    assert len(statements) == 5, "look, take, look again; one report; end"


@pytest.mark.usefixtures("every_report")
def test_visible_progress_never_goes_back(enqueued: Enqueue) -> None:
    seen: list[tuple[int, int]] = []

    def work(running: JobContext) -> None:
        for done, of in [(5, 10), (3, 10), (8, 20), (12, 10), (2, 4)]:
            running.report(done, of)
            seen.append((reload_job(queued).done, queued.of))

    queued = enqueued(work)
    run_job(queued.pk)
    assert seen == [(5, 10), (5, 10), (5, 10), (10, 10), (10, 10)]


@pytest.mark.usefixtures("every_report")
def test_empty_job_reports_no_progress_and_no_error(enqueued: Enqueue) -> None:
    queued = enqueued(lambda running: running.report(0, 0))
    run_job(queued.pk)
    assert (reload_job(queued).status, queued.of) == (Status.DONE, 0)


@pytest.mark.django_db(transaction=True)
def test_report_inside_a_transaction_is_an_error(enqueued: Enqueue) -> None:
    def work(running: JobContext) -> None:
        with transaction.atomic():
            running.report(1, 2)

    queued = enqueued(work)
    run_job(queued.pk)
    assert "durable" in reload_job(queued).error
    assert queued.of == 0


def test_job_result_is_stored(enqueued: Enqueue) -> None:
    queued = enqueued(lambda running: {"page": "/e/x/desk", "entries": 24})
    run_job(queued.pk)
    assert reload_job(queued).result == {"page": "/e/x/desk", "entries": 24}


@pytest.mark.django_db(transaction=True)
def test_unserializable_result_is_a_failure(enqueued: Enqueue) -> None:
    queued = enqueued(lambda running: {"entries": object()})
    run_job(queued.pk)
    assert (reload_job(queued).status, queued.result) == (Status.QUEUED, None)
    assert "not JSON serializable" in queued.error


def test_refusal_ends_the_job_with_code_and_details() -> None:
    queued = enqueue(kind="refused", key="Anne")
    run_job(queued.pk)
    assert (reload_job(queued).status, queued.attempts) == (Status.FAILED, 1)
    assert queued.failed_with == {
        "code": "list_refused",
        "field": "entries",
        "details": {
            "refusals": [
                {"code": "one_name_missing", "field": "entries", "details": {"line": line, "text": "Anne"}}
                for line in (2, 5)
            ]
        },
    }


@pytest.mark.parametrize(
    ("value", "stored_value"),
    [
        ((2, 5), [2, 5]),
        (Status.DONE, "done"),
        (None, None),
        (timedelta(minutes=1), "0:01:00"),
        ({3: "x"}, {"3": "x"}),
        ("a\0b\ud800", "a\ufffdb?"),
    ],
)
def test_refusal_details_of_any_kind_are_stored(enqueued: Enqueue, value: Any, stored_value: Any) -> None:
    def work(running: JobContext) -> None:
        raise Refusal("tables_missing", tables=value)

    queued = enqueued(work)
    run_job(queued.pk)
    assert reload_job(queued).failed_with == {
        "code": "tables_missing",
        "field": None,
        "details": {"tables": stored_value},
    }


@pytest.mark.parametrize("refuses", [True, False])
def test_unstorable_error_text_is_cleaned(enqueued: Enqueue, refuses: bool) -> None:
    def work(running: JobContext) -> None:
        raise Refusal("a\0b\ud800") if refuses else ValueError("a\0b\ud800")

    queued = enqueued(work)
    run_job(queued.pk)
    assert reload_job(queued).status == (Status.FAILED if refuses else Status.QUEUED)
    assert queued.error.endswith(": a\ufffdb?")


def test_error_with_only_a_code_is_no_refusal(enqueued: Enqueue) -> None:
    class HttpError(Exception):
        code = 500

    def work(running: JobContext) -> None:
        raise HttpError

    queued = enqueued(work)
    run_job(queued.pk)
    assert reload_job(queued).status == Status.QUEUED


@pytest.mark.usefixtures("every_report")
def test_worker_without_its_lease_stops_at_its_next_report(enqueued: Enqueue) -> None:
    stopped: list[int] = []

    def work(running: JobContext) -> None:
        attempt = reload_job(queued).attempts
        if attempt == 1:
            expire_lease(queued)
            sweep()
            run_job(queued.pk)  # another worker, in the middle of this one's work
        try:
            running.report(attempt, 2)
        except JobCancelledError:
            stopped.append(attempt)
            raise

    queued = enqueued(work)
    run_job(queued.pk)
    assert stopped == [1]
    assert (reload_job(queued).status, queued.attempts) == (Status.DONE, 2)


@pytest.mark.django_db(transaction=True)
def test_worker_that_reports_in_time_keeps_its_job() -> None:
    queued = enqueue(kind="note", key="event 1")
    Job.objects.filter(pk=queued.pk).update(status=Status.RUNNING, attempts=1)
    expire_lease(queued)
    with transaction.atomic():
        later = timezone.now() + LEASE + timedelta(seconds=8)  # within the tolerance for clocks that are ahead
        Job.objects.filter(pk=queued.pk).update(lease_until=later)
        (sweeping,) = start_threads(sweep)
        sweeping.join(0.3)  # long enough to read the row
    sweeping.join()
    assert (reload_job(queued).status, queued.lease_until) == (Status.RUNNING, later)


def test_resting_job_serves_all_requests_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a resting job stays queued, so that further requests get this job."""
    rests: list[float] = []

    def enqueue_again(seconds: float) -> None:
        rests.append(seconds)
        assert enqueue(kind="resting note", key="1") == second

    first = enqueue(kind="resting note", key="1")
    run_job(first.pk)
    Job.objects.filter(pk=first.pk).update(started_at=timezone.now() - timedelta(hours=1))
    second = enqueue(kind="resting note", key="1")
    monkeypatch.setattr("time.sleep", enqueue_again)
    run_job(second.pk)
    assert (reload_job(second).status, count_runs("1")) == (Status.DONE, 2)
    assert 0 < rests[0] <= MAX_REST.total_seconds()


def test_resting_job_starts_at_once_without_a_recent_run(monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []
    monkeypatch.setattr("time.sleep", rests.append)
    for ago in (timedelta(minutes=1), -timedelta(days=1)):
        done = enqueue(kind="resting note", key="1")
        run_job(done.pk)
        Job.objects.filter(pk=done.pk).update(ended_at=timezone.now() - ago)
    run_job(enqueue(kind="resting note", key="2").pk)
    assert sum(rests) == 0


def test_sweep_carries_no_request_id() -> None:
    continue_request("of-a-request")
    tasks.sweep.apply()
    assert request_id() == ""
