"""The clock of the computer was wrong, and is put right: what is dated in the future counts as old."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from hypothesis import given
from hypothesis import settings as laws
from hypothesis import strategies as st

from jobs.lateness import AHEAD
from jobs.models import Job, Status
from jobs.schedules import Every
from jobs.services import OLD, enqueue, run_job, sweep
from tests.jobs.work import LEASE

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("moments are compared by the database")]

SHIFTS = [timedelta(minutes=1), timedelta(hours=1), timedelta(days=4000)]


def dated(job: Job, **changes: object) -> Job:
    Job.objects.filter(pk=job.pk).update(**changes)
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("ahead", SHIFTS)
def test_a_job_that_was_sent_in_the_future_is_sent_again(ahead: timedelta) -> None:
    now = timezone.now()
    queued = dated(enqueue(kind="note", key="1"), created_at=now + ahead, sent_at=now + ahead)
    sweep()
    queued.refresh_from_db()
    assert queued.sent_at < now + OLD


@pytest.mark.parametrize("ahead", SHIFTS)
def test_a_job_whose_lease_ends_later_than_any_could_is_taken_from_its_dead_worker(ahead: timedelta) -> None:
    lease_until = timezone.now() + LEASE + ahead
    job = dated(enqueue(kind="note", key="1"), status=Status.RUNNING, attempts=1, lease_until=lease_until)
    sweep()
    job.refresh_from_db()
    assert job.status == Status.QUEUED
    run_job(job.pk)
    job.refresh_from_db()
    assert job.status == Status.DONE


def test_a_job_that_ended_years_ahead_is_not_kept_until_then() -> None:
    now = timezone.now()
    strange = dated(enqueue(kind="note", key="1"), status=Status.DONE, ended_at=now + timedelta(days=4000))
    usual = dated(enqueue(kind="note", key="2"), status=Status.DONE, ended_at=now)
    sweep()
    assert list(Job.objects.all()) == [usual]
    assert strange.pk != usual.pk


@laws(deadline=None, max_examples=30)
@given(age=st.timedeltas(min_value=timedelta(), max_value=LEASE * 0.9))
def test_a_worker_within_its_lease_keeps_its_job(age: timedelta) -> None:
    lease_until = timezone.now() + LEASE + AHEAD - age
    job = dated(enqueue(kind="note", key="1"), status=Status.RUNNING, attempts=1, lease_until=lease_until)
    sweep()
    job.refresh_from_db()
    assert job.status == Status.RUNNING
    job.delete()


@pytest.mark.parametrize("ahead", SHIFTS)
@pytest.mark.parametrize("name", list(settings.CELERY_BEAT_SCHEDULE))
def test_the_clock_of_the_workers_strikes_although_it_last_did_in_the_future(
    name: str, ahead: timedelta
) -> None:
    schedule = settings.CELERY_BEAT_SCHEDULE[name]["schedule"]
    assert isinstance(schedule, Every)
    now = schedule.now()
    assert schedule.is_due(now + ahead).is_due
    assert not schedule.is_due(now).is_due
    assert schedule.is_due(now - timedelta(hours=2)).is_due
