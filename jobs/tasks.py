"""The two messages that workers receive."""

from typing import Any

from celery import Task, shared_task

from jobs import services
from jobs.messages import REQUEST_ID_HEADER
from jobs.registry import JobContext, job
from jobs.request_id import continue_request


@shared_task(name="jobs.run", bind=True)
def run(self: Task[Any, None], job_id: int) -> None:
    continue_request(self.request.get(REQUEST_ID_HEADER) or "")
    services.run_job(job_id)


@job(services.UNDO_JOB)
def undo_stopped_job(job_context: JobContext) -> None:
    """Delete what a stopped job wrote. ``key`` is the kind of a long write, a space, and its key."""
    kind, _, key = job_context.key.partition(" ")
    services.undo_stopped_job(kind, key)


@shared_task(name="jobs.sweep")
def sweep() -> None:
    continue_request("")  # no request asked for it, whatever this worker did before
    services.sweep()
