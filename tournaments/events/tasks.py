"""Background tasks of events."""

from collections.abc import Callable
from datetime import timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from jobs.registry import JobContext, job
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round, unpublish_round

from .services.background_steps import DEFERRED_SERVICES, run_deferred_step


def run_step(context: JobContext) -> None:
    """Take a step of a large event; ``key`` is what ``defer`` wrote."""
    run_deferred_step(context.key)


def register_step(step: str, service: Callable[..., object], name: Promise) -> None:
    """Register the job of a step that a large event takes in the worker."""
    DEFERRED_SERVICES[step] = service
    job(step, name=name, lease=timedelta(minutes=2))(run_step)


register_step("draw", draw_round, _("Drawing the next round"))
register_step("publish", publish_round, _("Publishing the round"))
register_step("unpublish", unpublish_round, _("Unpublishing the round"))
register_step("close", close_round, _("Closing the round"))
