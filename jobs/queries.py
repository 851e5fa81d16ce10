"""Queries on jobs for pages, one database query each."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from django.db.models import F, QuerySet
from django.utils import timezone

from jobs.delays import minutes_late
from jobs.models import Job
from jobs.registry import visible_kinds

MOST_SHOWN = 20


def jobs_of(topic: str) -> list[Job]:
    """Return the jobs shown on pages of this topic: those in progress, then those that ended,
    the latest first."""
    newest_first = _visible_jobs(topic).order_by(F("ended_at").desc(nulls_first=True), "-pk")
    return list(newest_first[:MOST_SHOWN])


def job_of(topic: str, job_id: int) -> Job | None:
    """Return the job with that id, if pages of this topic show it."""
    return _visible_jobs(topic).filter(pk=job_id).first()


def revision_of(jobs: Sequence[Job]) -> str:
    """Return a revision that changes whenever these jobs look different. No query."""
    now = timezone.now()
    seen = [
        (job.pk, job.status, job.attempts, job.done, job.of, job.is_stop_asked, minutes_late(job, now))
        for job in jobs
    ]
    return sha256(repr(seen).encode()).hexdigest()[:16]


def _visible_jobs(topic: str) -> QuerySet[Job]:
    return Job.objects.filter(topic=topic, kind__in=visible_kinds())
