"""Background tasks of an event, for its directors: progress, stop and retry."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.job_pages import job_buttons, jobs_watched
from jobs.queries import jobs_of
from tournaments.models import Event

from .access import for_directors


@require_safe
@for_directors
def jobs_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the tasks under way and how earlier ones ended."""
    context = {"event": event, "address": reverse("jobs", args=[event.short])}
    return jobs_watched(request, event.topic, jobs_of(event.topic), "tournaments/events/jobs.html", context)


stop_job, run_job_again = job_buttons("jobs", "short", door=for_directors, topic_of=lambda event: event.topic)
