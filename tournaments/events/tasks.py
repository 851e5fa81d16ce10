"""Background tasks of events."""

from collections.abc import Callable
from datetime import timedelta

from jobs.registry import job
from jobs.running import JobContext

from .services.background_steps import DEFERRED, do_deferred


def take_step(running: JobContext) -> None:
    """Take a step of a large event; ``key`` is what ``defer`` wrote."""
    do_deferred(running.key)


def add_step(step: str, service: Callable[..., object]) -> None:
    """Register the job of a step that a large event takes in the worker."""
    DEFERRED[step] = service
    job(step, is_shown=True, lease=timedelta(minutes=2))(take_step)


for each, its_service in [*DEFERRED.items()]:
    add_step(each, its_service)
