"""Work that is later than it should be, and why: told from the rows alone, for nobody says that he is dead.

While a worker lives, its sweeper sends again what has waited for five seconds, and queues again what has
outlived its lease. So what is still there after half a minute waits behind other work, breaks, or has none.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from functools import reduce
from operator import or_

from django.db.models import Q

from jobs.models import Job, Status
from jobs.registry import is_long, leases

LATE = timedelta(seconds=30)
"""After this, whoever waits is told so."""


AHEAD = timedelta(seconds=10)
"""So far two computers of one installation may differ. What is further in the future counts as long ago: the
clock was set back since."""


class LateReason(StrEnum):
    """Why work is late."""

    NO_WORKER = "no_worker"
    OTHER_WORK = "other_work"
    TAKES_LONG = "takes_long"
    BREAKS = "breaks"
    FAILED = "failed"


def is_far(moment: datetime, now: datetime) -> bool:
    """Whether it is long ago; also in the future, as after a clock was set back."""
    return abs(now - moment) >= LATE


def minutes_late(job: Job, now: datetime) -> int | None:
    """For how long a job has waited to be begun; None while that is as usual, or it does not wait."""
    if job.status != Status.QUEUED or not is_far(job.created_at, now):
        return None
    return max(0, int((now - job.created_at) / timedelta(minutes=1)))


def why_late(late: Job, under_way: Iterable[Job], now: datetime) -> LateReason:
    """``under_way`` are the jobs that run now, whatever they do. No query."""
    if late.status == Status.FAILED:
        return LateReason.FAILED
    if late.status == Status.RUNNING:
        return LateReason.TAKES_LONG if has_worker(late, now) else LateReason.NO_WORKER
    if late.error:
        return LateReason.BREAKS
    beside = (job for job in under_way if is_long(job.kind) == is_long(late.kind))
    return LateReason.OTHER_WORK if any(has_worker(job, now) for job in beside) else LateReason.NO_WORKER


def has_worker(job: Job, now: datetime) -> bool:
    """Whether somebody has it, and has said so within its lease."""
    return job.status == Status.RUNNING and job.lease_until is not None and not is_lapsed(job, now)


def is_lapsed(job: Job, now: datetime) -> bool:
    """Whether the lease is over. One that ends later than any could is of before a clock was set back."""
    if job.lease_until is None:
        return False
    return not now <= job.lease_until <= now + leases().get(job.kind, timedelta()) + AHEAD


def lapsed_leases(now: datetime) -> Q:
    """The same of rows."""
    lasts_too_long = [Q(kind=kind, lease_until__gt=now + lease + AHEAD) for kind, lease in leases().items()]
    return reduce(or_, lasts_too_long, Q(lease_until__lt=now))
