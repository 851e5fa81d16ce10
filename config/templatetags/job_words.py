"""Work in the background in words, in the reader's language."""

from django import template
from django.utils import timezone

from config import wording
from config.job_wording import KIND_NAMES, about, refusal_in
from jobs.models import Job
from rules import Refusal

register = template.Library()


@register.filter
def kind_name(job: Job) -> str:
    return str(KIND_NAMES[job.kind])


@register.filter
def time_left(job: Job) -> str:
    """About how long it still runs; nothing while that cannot be told."""
    left = job.time_left(timezone.now())
    return "" if left is None else about(left)


@register.filter
def why_failed(job: Job) -> Refusal:
    assert job.failed_with is not None, "asked of a job that did not fail"
    return refusal_in(job.failed_with)


@register.filter
def located(refusal: Refusal) -> str:
    return wording.located(refusal)
