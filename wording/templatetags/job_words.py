"""Template tags for background tasks, in the reader's language."""

from django import template
from django.utils import timezone

from errors import Refusal
from jobs.delays import find_late_reason, get_minutes_late
from jobs.labels import LATE_REASONS, format_time_left, format_wait, load_refusal
from jobs.models import Job, Status
from jobs.registry import get_kind
from tournaments.standings.queries import delays
from wording import sentences

register = template.Library()
register.filter("located_sentence", sentences.get_located_sentence)
register.simple_tag(delays.find_standings_delay, name="find_late_standings")


@register.filter
def get_kind_name(job: Job) -> str:
    return str(get_kind(job.kind).name)


@register.filter
def describe_time_left(job: Job) -> str:
    """Describe the time left; "" while that is not known."""
    left = job.estimate_time_left(timezone.now())
    return "" if left is None else format_time_left(left)


@register.filter
def load_failure(job: Job) -> Refusal:
    assert job.failed_with is not None, "asked of a job that did not fail"
    return load_refusal(job.failed_with)


@register.simple_tag
def describe_job_delay(job: Job) -> str:
    """Describe how long the job has waited, and why; "" while that is as usual. A query if it is not."""
    now = timezone.now()
    minutes = get_minutes_late(job, now)
    if minutes is None:
        return ""
    late_reason = find_late_reason(job, Job.objects.filter(status=Status.RUNNING), now)
    return f"{format_wait(minutes)} {LATE_REASONS[late_reason]}"


@register.simple_tag
def describe_standings_delay(late_standings_row: delays.DelayedStandings) -> str:
    """Describe how long the standings have waited, and why."""
    return f"{format_wait(late_standings_row.minutes)} {LATE_REASONS[late_standings_row.why]}"
