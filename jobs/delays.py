"""Late jobs and the reasons, read from the rows alone: a dead worker reports nothing.

A living worker's sweeper sends jobs again after five seconds, and queues them again when their lease is over.
So a job that is still there after half a minute waits behind other work, fails repeatedly, or has no worker.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from functools import reduce
from operator import or_

from django.db.models import Q

from jobs.models import Job, Status
from jobs.registry import find_kind, get_leases

LATE_AFTER = timedelta(seconds=30)
"""After this, the page says that the job is late."""


NO_WAIT = timedelta()
CLOCK_TOLERANCE = timedelta(seconds=10)
"""How far the clocks of an installation's computers may differ."""


class LateReason(StrEnum):
    """The reason why a job is late."""

    NO_WORKER = "no_worker"
    OTHER_WORK = "other_work"
    TAKES_LONG = "takes_long"
    BREAKS = "breaks"
    FAILED = "failed"


def is_distant(moment: datetime, now: datetime) -> bool:
    """Return whether a time is long ago, or in the future, as after a clock was set back."""
    return abs(now - moment) >= LATE_AFTER


def is_ahead(moment: datetime, now: datetime, *, longest_wait: timedelta = NO_WAIT) -> bool:
    """Return whether a time is further ahead than it can be: the clock was set back since, and it counts as over."""
    return moment > now + longest_wait + CLOCK_TOLERANCE


def build_ahead_condition(field: str, now: datetime, *, longest_wait: timedelta = NO_WAIT) -> Q:
    """Return a condition on rows with such a time in a field, like ``is_ahead``."""
    return Q(**{f"{field}__gt": now + longest_wait + CLOCK_TOLERANCE})


def get_minutes_late(job: Job, now: datetime) -> int | None:
    """Return the minutes that a job has waited to start; None if it does not wait, or not for long."""
    if job.status != Status.QUEUED or not is_distant(job.created_at, now):
        return None
    return max(0, int((now - job.created_at) / timedelta(minutes=1)))


def find_late_reason(late_job: Job, running_jobs: Iterable[Job], now: datetime) -> LateReason:
    """Return why a job is late; ``running_jobs`` are the jobs that run now. No query."""
    if late_job.status == Status.FAILED:
        return LateReason.FAILED
    if late_job.status == Status.RUNNING:
        return LateReason.TAKES_LONG if has_worker(late_job, now) else LateReason.NO_WORKER
    if late_job.error:
        return LateReason.BREAKS
    queue_jobs = (job for job in running_jobs if find_kind(job.kind).queue == find_kind(late_job.kind).queue)
    return LateReason.OTHER_WORK if any(has_worker(job, now) for job in queue_jobs) else LateReason.NO_WORKER


def has_worker(job: Job, now: datetime) -> bool:
    """Return whether a worker has the job, and has reported within its lease."""
    return job.status == Status.RUNNING and job.lease_until is not None and not is_lapsed(job, now)


def is_lapsed(job: Job, now: datetime) -> bool:
    """Return whether the lease is over."""
    if job.lease_until is None:
        return False
    lease = get_leases().get(job.kind, NO_WAIT)
    return job.lease_until < now or is_ahead(job.lease_until, now, longest_wait=lease)


def build_lapsed_condition(now: datetime) -> Q:
    """Return a condition on jobs whose lease is over, like ``is_lapsed``."""
    overlong_leases = [
        Q(kind=kind) & build_ahead_condition("lease_until", now, longest_wait=lease)
        for kind, lease in get_leases().items()
    ]
    return reduce(or_, overlong_leases, Q(lease_until__lt=now))
