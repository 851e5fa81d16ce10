"""The two messages that workers receive."""

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
    """Delete what a stopped job wrote. ``key`` is the kind of a course, a space, and its key."""
    kind, _, key = running.key.partition(" ")
    services.undo_stopped_job(kind, key)


@shared_task(name="jobs.sweep")
def sweep() -> None:
    go_on_with("")  # no request asked for it, whatever this worker did before
    services.sweep()
