"""Tasks on a page: which, in which order, and how long they still take."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs.models import Job, Status
from jobs.queries import MOST_SHOWN, job_of, jobs_of, revision_of
from jobs.services import enqueue

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("moments are sorted, and none comes first")]


def test_pages_see_the_jobs_of_their_topic_that_are_for_people() -> None:
    shown = enqueue(kind="count", key="1", topic="event:1")
    enqueue(kind="count", key="2", topic="event:2")
    enqueue(kind="note", key="1", topic="event:1")
    enqueue(kind="count", key="3")
    assert jobs_of("event:1") == [shown]
    assert job_of("event:1", shown.pk) == shown
    assert job_of("event:2", shown.pk) is None


def test_what_is_under_way_comes_first_then_what_ended_last_with_one_query() -> None:
    jobs = [enqueue(kind="count", key=str(number), topic="event:1") for number in range(4)]
    for number, minutes in [(0, 5), (1, 1), (3, 9)]:
        ended_at = timezone.now() - timedelta(minutes=minutes)
        Job.objects.filter(pk=jobs[number].pk).update(status=Status.DONE, ended_at=ended_at)
    with CaptureQueriesContext(connection) as caught:
        assert [found.key for found in jobs_of("event:1")] == ["2", "1", "0", "3"]
    assert len(caught) == 1


def test_a_page_shows_so_many_jobs_and_no_more() -> None:
    for number in range(MOST_SHOWN + 5):
        enqueue(kind="count", key=str(number), topic="event:1")
    assert len(jobs_of("event:1")) == MOST_SHOWN


@pytest.mark.parametrize("change", [{"status": "running"}, {"done": 1}, {"of": 7}, {"is_stop_asked": True}])
def test_whatever_a_reader_would_see_is_a_new_revision(change: dict[str, Any]) -> None:
    queued = enqueue(kind="count", key="1", topic="event:1")
    before = revision_of(jobs_of("event:1"))
    assert revision_of(jobs_of("event:1")) == before
    Job.objects.filter(pk=queued.pk).update(**change)
    assert revision_of(jobs_of("event:1")) != before


@pytest.mark.parametrize(
    ("done", "of", "seconds", "left"),
    [(1, 4, 10, 30), (4, 4, 10, 0), (0, 4, 10, None), (0, 0, 10, None), (1, 4, 2, None)],
)
def test_the_rest_takes_as_long_as_what_is_done(done: int, of: int, seconds: int, left: int | None) -> None:
    started = timezone.now()
    running = Job(status=Status.RUNNING, done=done, of=of, started_at=started)
    expected = None if left is None else timedelta(seconds=left)
    assert running.time_left(started + timedelta(seconds=seconds)) == expected


@pytest.mark.parametrize("status", [status for status in Status if status != Status.RUNNING])
def test_only_what_runs_has_time_left(status: Status) -> None:
    started = timezone.now()
    waiting = Job(status=status, done=1, of=2, started_at=started)
    assert waiting.time_left(started + timedelta(seconds=10)) is None
