"""A wrong clock that is corrected: rows and schedules dated in the future count as old."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from hypothesis import given
from hypothesis import settings as laws
from hypothesis import strategies as st

from config.celery import app
from jobs.delays import CLOCK_TOLERANCE
from jobs.models import Job, Status
from jobs.scheduler import Scheduler
from jobs.schedules import IntervalSchedule
from jobs.services import RESEND_AFTER, enqueue, run_job, sweep
from tests.jobs.work import LEASE
from tests.long_runs import choose_count

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("comparisons of times")]

SHIFTS = [timedelta(minutes=1), timedelta(hours=1), timedelta(days=4000)]


def set_times(job: Job, **changes: object) -> Job:
    Job.objects.filter(pk=job.pk).update(**changes)
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("ahead", SHIFTS)
def test_job_sent_in_the_future_is_sent_again(ahead: timedelta) -> None:
    now = timezone.now()
    queued = set_times(enqueue(kind="note", key="1"), created_at=now + ahead, sent_at=now + ahead)
    sweep()
    queued.refresh_from_db()
    assert queued.sent_at < now + RESEND_AFTER


@pytest.mark.parametrize("ahead", SHIFTS)
def test_job_with_an_impossible_lease_is_requeued(ahead: timedelta) -> None:
    lease_until = timezone.now() + LEASE + ahead
    job = set_times(enqueue(kind="note", key="1"), status=Status.RUNNING, attempts=1, lease_until=lease_until)
    sweep()
    job.refresh_from_db()
    assert job.status == Status.QUEUED
    run_job(job.pk)
    job.refresh_from_db()
    assert job.status == Status.DONE


@pytest.mark.parametrize("back", [timedelta(minutes=20), timedelta(minutes=59), timedelta(hours=1)])
def test_briefly_delayed_job_does_not_wait_for_the_clock(
    back: timedelta,
) -> None:
    put_off_at = timezone.now() + back
    job = set_times(enqueue(kind="note", key="1"), sent_at=put_off_at, waits_until=put_off_at + timedelta(seconds=4))
    sweep()
    job.refresh_from_db()
    assert job.sent_at < put_off_at


def test_job_ended_in_the_future_is_deleted() -> None:
    now = timezone.now()
    strange = set_times(enqueue(kind="note", key="1"), status=Status.DONE, ended_at=now + timedelta(days=4000))
    usual = set_times(enqueue(kind="note", key="2"), status=Status.DONE, ended_at=now)
    sweep()
    assert list(Job.objects.all()) == [usual]
    assert strange.pk != usual.pk


@pytest.mark.long
@laws(max_examples=choose_count(15, long=450))
@given(age=st.timedeltas(min_value=timedelta(), max_value=LEASE * 0.9))
def test_worker_within_its_lease_keeps_its_job(age: timedelta) -> None:
    lease_until = timezone.now() + LEASE + CLOCK_TOLERANCE - age
    job = set_times(enqueue(kind="note", key="1"), status=Status.RUNNING, attempts=1, lease_until=lease_until)
    sweep()
    job.refresh_from_db()
    assert job.status == Status.RUNNING
    job.delete()


@pytest.mark.parametrize("ahead", SHIFTS)
@pytest.mark.parametrize("name", list(settings.CELERY_BEAT_SCHEDULE))
def test_schedule_is_due_after_a_future_run(name: str, ahead: timedelta) -> None:
    schedule = settings.CELERY_BEAT_SCHEDULE[name]["schedule"]
    assert isinstance(schedule, IntervalSchedule)
    now = schedule.now()
    assert schedule.is_due(now + ahead).is_due
    assert not schedule.is_due(now).is_due
    assert schedule.is_due(now - timedelta(hours=2)).is_due


A_MOMENT = timedelta(milliseconds=1)
"""Added after each tick: the beat counts in finer fractions of a second than a clock."""


class Strikes:
    """The beat of the workers on a clock of the test, which records the tasks that it would send."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
        self.now = now
        monkeypatch.setattr(app, "now", lambda: self.now)
        self._scheduler = Scheduler(app=app)
        self._scheduler.setup_schedule()
        self._events: list[str] = []
        monkeypatch.setattr(self._scheduler, "apply_async", lambda entry, **_: self._events.append(entry.name))

    def count_within(self, seconds: int) -> Counter[str]:
        """Return how often each task is due in the next ``seconds``."""
        self._events.clear()
        end = self.now + timedelta(seconds=seconds)
        while self.now < end:
            self.now += timedelta(seconds=max(0, self._scheduler.tick())) + A_MOMENT
        return Counter(self._events)


@pytest.mark.slow
@pytest.mark.parametrize("shift", [timedelta(hours=-1), timedelta(hours=1), timedelta(minutes=-20)])
def test_schedule_keeps_its_rate_after_a_clock_change(shift: timedelta, monkeypatch: pytest.MonkeyPatch) -> None:
    strikes = Strikes(monkeypatch, timezone.now())
    strikes.count_within(120)
    usual = strikes.count_within(120)
    assert {name for name, times in usual.items() if times > 2}
    strikes.now += shift
    after = strikes.count_within(120)
    assert all(times <= usual[name] + 1 for name, times in after.items()), after
    assert all(after[name] >= times for name, times in usual.items()), after


def test_schedule_works_at_the_date_of_1970(monkeypatch: pytest.MonkeyPatch) -> None:
    now, then = (
        Strikes(monkeypatch, at).count_within(120) for at in (timezone.now(), datetime(1970, 1, 1, tzinfo=UTC))
    )
    assert then == now
