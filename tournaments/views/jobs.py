"""An event's work in the background, for those who direct it: how far it is; stop it, or try again."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.posting import posted_from
from jobs import buttons
from jobs.models import Job
from jobs.selectors import jobs_of, revision_of
from live.watching import asks_for_part, part_tag, watched
from tournaments.models import Event

from .access import for_directors


@require_safe
@for_directors
def jobs_page(request: HttpRequest, event: Event) -> HttpResponse:
    """What is under way, and how it ended."""
    jobs = jobs_of(event.topic)
    revision = f"jobs.{event.pk}.{revision_of(jobs)}"
    return watched(request, revision, partial(_jobs_page, request, event, jobs, revision))


def _jobs_page(request: HttpRequest, event: Event, jobs: list[Job], revision: str) -> HttpResponse:
    return TemplateResponse(
        request,
        "jobs/list.html" if asks_for_part(request) else "tournaments/jobs.html",
        {
            "event": event,
            "jobs": jobs,
            "address": reverse("jobs", args=[event.short]),
            "etag": part_tag(request, revision),
        },
    )


@posted_from("jobs", "short")
@for_directors
def stop_job(request: HttpRequest, event: Event, job_id: int) -> HttpResponse:
    """Nobody waits for it any more."""
    buttons.stop(event.topic, job_id)
    return redirect("jobs", short=event.short)


@posted_from("jobs", "short")
@for_directors
def run_job_again(request: HttpRequest, event: Event, job_id: int) -> HttpResponse:
    """It failed, or was stopped, and somebody wants it after all."""
    buttons.run_again(event.topic, job_id)
    return redirect("jobs", short=event.short)
