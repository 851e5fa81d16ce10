"""The buttons of a job on whatever page shows it. No such job is shown on pages of the topic: Http404."""

from django.http import Http404

from .selectors import job_of
from .services import cancel_job, retry_job


def stop(topic: str, job_id: int) -> None:
    """Nobody waits for it any more."""
    _check_shown(topic, job_id)
    cancel_job(job_id)


def run_again(topic: str, job_id: int) -> None:
    """It failed, or was stopped, and somebody wants it after all."""
    _check_shown(topic, job_id)
    retry_job(job_id)


def _check_shown(topic: str, job_id: int) -> None:
    if job_of(topic, job_id) is None:
        raise Http404
