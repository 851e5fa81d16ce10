"""Background tasks of an event, for its directors: progress, stop and retry."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.job_pages import build_job_actions, render_job_list
from jobs.queries import list_jobs
from tournaments.models import Event

from .access import event_directors_only


@require_safe
@event_directors_only
def jobs_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the tasks under way and how earlier ones ended."""
    context = {"event": event, "address": reverse("jobs", args=[event.short])}
    return render_job_list(request, event.topic, list_jobs(event.topic), "tournaments/events/jobs.html", context)


stop_job, run_job_again = build_job_actions(
    "jobs", "short", access=event_directors_only, get_topic=lambda event: event.topic
)
