"""Background tasks of erasure."""

from datetime import timedelta

from jobs.registry import job
from jobs.running import JobContext

from .services.erasure import CLEAN, finish_forgetting


@job(CLEAN, lease=timedelta(minutes=5))
def clean_after_forgetting(running: JobContext) -> None:
    """Finish erasing a person; ``key`` is that of the record of who was erased."""
    finish_forgetting(running.key, running.report)
