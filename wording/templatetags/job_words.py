"""Template tags for background tasks, in the reader's language."""

from django import template
from django.utils import timezone

from errors import Refusal
from jobs.delays import minutes_late, why_late
from jobs.models import Job, Status
from tournaments.standings.queries import delays
from wording import sentences
from wording.labels.jobs import KIND_NAMES, WHYS_LATE, about, refusal_in, waiting_for

register = template.Library()


@register.filter
def kind_name(job: Job) -> str:
    return str(KIND_NAMES[job.kind])


@register.filter
def time_left(job: Job) -> str:
    """Describe the time left; "" while that is not known."""
    left = job.time_left(timezone.now())
    return "" if left is None else about(left)


@register.filter
def why_failed(job: Job) -> Refusal:
    assert job.failed_with is not None, "asked of a job that did not fail"
    return refusal_in(job.failed_with)


@register.filter
def sentence_with_place(refusal: Refusal) -> str:
    return sentences.sentence_with_location(refusal)


@register.simple_tag
def late_standings(owner: delays.Owner) -> delays.LateStandings | None:
    """Return None while the standings of the event or season, or the ratings of the club, are on time.

    A query if they are not.
    """
    return delays.late_standings(owner)


@register.simple_tag
def why_it_waits(job: Job) -> str:
    """Describe how long the job has waited, and why; "" while that is as usual. A query if it is not."""
    now = timezone.now()
    minutes = minutes_late(job, now)
    if minutes is None:
        return ""
    why = why_late(job, Job.objects.filter(status=Status.RUNNING), now)
    return f"{waiting_for(minutes)} {WHYS_LATE[why]}"


@register.simple_tag
def why_they_wait(late: delays.LateStandings) -> str:
    """Describe how long the standings have waited, and why."""
    return f"{waiting_for(late.minutes)} {WHYS_LATE[late.why]}"
