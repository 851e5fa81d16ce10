"""The life of a job: queued → running → done, or queued again, or failed."""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from jobs.messages import send
from jobs.models import Job, Status
from jobs.registry import kind_named

logger = logging.getLogger(__name__)

MOST_ATTEMPTS = 5
OLD = timedelta(seconds=5)  # a queued job whose message must have been lost
KEPT = timedelta(days=7)  # an ended job, for whoever looks for it
SWEPT_AT_ONCE = 200


@transaction.atomic
def enqueue(*, kind: str, key: str) -> Job:
    """The queued job of this kind and key, sent when the caller's transaction commits. Safe to repeat.

    While one is queued, it serves everybody who asks. It is locked, so that no worker can begin it before
    the caller's changes are there to be seen.
    """
    kind_named(kind)
    while True:
        try:
            found, is_new = Job.objects.select_for_update().get_or_create(
                kind=kind, key=key, status=Status.QUEUED
            )
        except IntegrityError:  # another's, taken by a worker between our insert and our look
            continue
        if is_new:
            transaction.on_commit(partial(send, found.pk))
        return found


def run_job(job_id: int) -> None:
    """Do the work, unless somebody else has it. Safe to repeat."""
    claimed = _claim(job_id)
    if claimed is None:
        return
    try:
        kind_named(claimed.kind).work(claimed.key)
    except Exception as error:
        logger.exception("job %s failed", claimed)
        _put_back(claimed, f"{type(error).__name__}: {error}")
    else:
        _leave(claimed, status=Status.DONE, lease_until=None, ended_at=timezone.now(), error="")


def sweep() -> None:
    """Put right what a killed process or a lost message left behind, and clear away what ended long ago."""
    now = timezone.now()
    for lapsed in Job.objects.filter(status=Status.RUNNING, lease_until__lt=now)[:SWEPT_AT_ONCE]:
        _put_back(lapsed, "Its worker died, or took too long.")
    waiting = Job.objects.filter(status=Status.QUEUED, sent_at__lt=now - OLD).order_by("sent_at")
    for job_id in list(waiting.values_list("pk", flat=True)[:SWEPT_AT_ONCE]):
        Job.objects.filter(pk=job_id, status=Status.QUEUED).update(sent_at=now)
        send(job_id)
    Job.objects.filter(status__in=[Status.DONE, Status.FAILED], ended_at__lt=now - KEPT).delete()


def _claim(job_id: int) -> Job | None:
    """One UPDATE decides who has it: no row touched means that somebody else does."""
    queued = Job.objects.filter(pk=job_id, status=Status.QUEUED)
    kind = queued.values_list("kind", flat=True).first()
    if kind is None:
        return None
    is_mine = queued.update(
        status=Status.RUNNING,
        attempts=F("attempts") + 1,
        lease_until=timezone.now() + kind_named(kind).lease,
    )
    return Job.objects.get(pk=job_id) if is_mine else None


def _put_back(job: Job, error: str) -> None:
    """Queue it again, unless it had its chances or another of its kind and key is waiting already."""
    if job.attempts < MOST_ATTEMPTS:
        try:
            with transaction.atomic():
                _leave(job, status=Status.QUEUED, lease_until=None, sent_at=timezone.now(), error=error)
        except IntegrityError:
            error = f"{error} The next job of this kind and key does its work."
        else:
            return
    _leave(job, status=Status.FAILED, lease_until=None, ended_at=timezone.now(), error=error)


def _leave(job: Job, **changes: object) -> None:
    """Leave the running state, unless this attempt was given up meanwhile and the job is another's."""
    Job.objects.filter(pk=job.pk, status=Status.RUNNING, attempts=job.attempts).update(**changes)
