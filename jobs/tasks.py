"""The two things a worker is told."""

from celery import shared_task

from jobs import services
from jobs.registry import job
from jobs.running import JobContext


@shared_task(name="jobs.run")
def run(job_id: int) -> None:
    services.run_job(job_id)


@job(services.TAKE_BACK)
def take_back(running: JobContext) -> None:
    """``key`` is the kind of a course, and after a space its key."""
    kind, _, key = running.key.partition(" ")
    services.take_back(kind, key)


@shared_task(name="jobs.sweep")
def sweep() -> None:
    services.sweep()
