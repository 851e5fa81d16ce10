"""Background tasks of erasure."""

from datetime import timedelta

from jobs.registry import JobContext, job

from .services.erasure import ERASE_JOB, finish_erasure


@job(ERASE_JOB, lease=timedelta(minutes=5))
def finish_erasure_task(context: JobContext) -> None:
    """Finish erasing a person; ``key`` is that of the record of who was erased."""
    finish_erasure(context.key, context.report)
