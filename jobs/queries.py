"""Queries on jobs for pages, one database query each."""

from collections.abc import Sequence
from hashlib import sha256

from django.db.models import F, QuerySet
from django.utils import timezone

from jobs.delays import get_minutes_late
from jobs.models import Job
from jobs.registry import list_visible_kinds

MAX_SHOWN = 20


def list_jobs(topic: str) -> list[Job]:
    """Return the jobs shown on pages of this topic: those in progress, then those that ended,
    the latest first."""
    newest_first = _query_visible_jobs(topic).order_by(F("ended_at").desc(nulls_first=True), "-pk")
    return list(newest_first[:MAX_SHOWN])


def find_job(topic: str, job_id: int) -> Job | None:
    """Return the job with that id, if pages of this topic show it."""
    return _query_visible_jobs(topic).filter(pk=job_id).first()


def compute_jobs_revision(jobs: Sequence[Job]) -> str:
    """Return a revision that changes whenever these jobs look different. No query."""
    now = timezone.now()
    states = [
        (job.pk, job.status, job.attempts, job.done, job.of, job.is_stop_asked, get_minutes_late(job, now))
        for job in jobs
    ]
    return sha256(repr(states).encode()).hexdigest()[:16]


def _query_visible_jobs(topic: str) -> QuerySet[Job]:
    return Job.objects.filter(topic=topic, kind__in=list_visible_kinds())
