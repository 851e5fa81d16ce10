"""Background tasks of events."""

from collections.abc import Callable
from datetime import timedelta

from jobs.registry import JobContext, job

from .services.background_steps import DEFERRED_SERVICES, run_deferred_step


def run_step(context: JobContext) -> None:
    """Take a step of a large event; ``key`` is what ``defer`` wrote."""
    run_deferred_step(context.key)


def register_step(step: str, service: Callable[..., object]) -> None:
    """Register the job of a step that a large event takes in the worker."""
    DEFERRED_SERVICES[step] = service
    job(step, is_visible=True, lease=timedelta(minutes=2))(run_step)


for each, its_service in [*DEFERRED_SERVICES.items()]:
    register_step(each, its_service)
