"""Lists of tasks on a page: their selection, their order and the time left."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs.models import Job, Status
from jobs.queries import MAX_SHOWN, compute_jobs_revision, find_job, list_jobs
from jobs.services import enqueue

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("order of times with NULL")]


def test_page_lists_only_visible_jobs_of_its_topic() -> None:
    shown = enqueue(kind="count", key="1", topic="event:1")
    enqueue(kind="count", key="2", topic="event:2")
    enqueue(kind="note", key="1", topic="event:1")
    enqueue(kind="count", key="3")
    assert list_jobs("event:1") == [shown]
    assert find_job("event:1", shown.pk) == shown
    assert find_job("event:2", shown.pk) is None


def test_running_jobs_come_first_then_latest_ended() -> None:
    jobs = [enqueue(kind="count", key=str(number), topic="event:1") for number in range(4)]
    for number, minutes in [(0, 5), (1, 1), (3, 9)]:
        ended_at = timezone.now() - timedelta(minutes=minutes)
        Job.objects.filter(pk=jobs[number].pk).update(status=Status.DONE, ended_at=ended_at)
    with CaptureQueriesContext(connection) as caught:
        assert [found.key for found in list_jobs("event:1")] == ["2", "1", "0", "3"]
    assert len(caught) == 1


def test_page_limits_the_number_of_jobs() -> None:
    for number in range(MAX_SHOWN + 5):
        enqueue(kind="count", key=str(number), topic="event:1")
    assert len(list_jobs("event:1")) == MAX_SHOWN


@pytest.mark.parametrize("change", [{"status": "running"}, {"done": 1}, {"of": 7}, {"is_stop_asked": True}])
def test_every_visible_change_is_a_new_revision(change: dict[str, Any]) -> None:
    queued = enqueue(kind="count", key="1", topic="event:1")
    before = compute_jobs_revision(list_jobs("event:1"))
    assert compute_jobs_revision(list_jobs("event:1")) == before
    Job.objects.filter(pk=queued.pk).update(**change)
    assert compute_jobs_revision(list_jobs("event:1")) != before


@pytest.mark.parametrize(
    ("done", "of", "seconds", "left"),
    [(1, 4, 10, 30), (4, 4, 10, 0), (0, 4, 10, None), (0, 0, 10, None), (1, 4, 2, None)],
)
def test_remaining_time_is_extrapolated_from_progress(done: int, of: int, seconds: int, left: int | None) -> None:
    started = timezone.now()
    running = Job(status=Status.RUNNING, done=done, of=of, started_at=started)
    expected = None if left is None else timedelta(seconds=left)
    assert running.estimate_time_left(started + timedelta(seconds=seconds)) == expected


@pytest.mark.parametrize("status", [status for status in Status if status != Status.RUNNING])
def test_idle_jobs_have_no_remaining_time(status: Status) -> None:
    started = timezone.now()
    waiting = Job(status=status, done=1, of=2, started_at=started)
    assert waiting.estimate_time_left(started + timedelta(seconds=10)) is None
