"""Background tasks of events."""

from datetime import timedelta

from jobs.registry import job
from jobs.running import JobContext

from .services.background_steps import DEFERRED, do_deferred


def take_step(running: JobContext) -> None:
    """Take a step of a large event; ``key`` is what ``defer`` wrote."""
    do_deferred(running.key)


for step in DEFERRED:
    job(step, is_shown=True, lease=timedelta(minutes=2))(take_step)
