"""The two things a worker is told."""

from typing import Any

from celery import Task, shared_task

from jobs import services
from jobs.messages import ASKED_BY
from jobs.registry import job
from jobs.request_id import go_on_with
from jobs.running import JobContext


@shared_task(name="jobs.run", bind=True)
def run(self: Task[Any, None], job_id: int) -> None:
    go_on_with(self.request.get(ASKED_BY) or "")
    services.run_job(job_id)


@job(services.TAKE_BACK)
def undo_stopped_job(running: JobContext) -> None:
    """``key`` is the kind of a course, and after a space its key."""
    kind, _, key = running.key.partition(" ")
    services.undo_stopped_job(kind, key)


@shared_task(name="jobs.sweep")
def sweep() -> None:
    go_on_with("")  # nobody asked, whatever this worker did before
    services.sweep()
