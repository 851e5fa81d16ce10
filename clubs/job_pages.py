"""Pages that show background tasks, with the two buttons of each task."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django_htmx.http import HttpResponseClientRefresh

from jobs.models import Job, Status
from jobs.queries import job_of, jobs_of, revision_of
from jobs.services import cancel_job, retry_job
from live.conditional_pages import asks_for_part, conditional_page, part_tag

from .access import View
from .post_only import posted_from


def jobs_watched(
    request: HttpRequest, topic: str, jobs: Sequence[Job], template: str, context: Mapping[str, Any]
) -> HttpResponse:
    """Show these tasks, or the list alone for htmx, unless the reader already has this state. The context
    says the ``address`` of the page."""
    revision = f"{topic}.{revision_of(jobs)}"
    part = "jobs/list.html" if asks_for_part(request) else template
    context = {**context, "jobs": jobs, "etag": part_tag(request, revision)}
    return conditional_page(request, revision, partial(TemplateResponse, request, part, context))


def watch_forms(request: HttpRequest, topic: str, address: str) -> HttpResponse | None:
    """Return what htmx gets on a page whose forms start tasks: their list, then a refresh of the page. None
    for a request for the whole page, which shows ``tasks_of_forms``."""
    if not asks_for_part(request):
        return None
    jobs = _tasks_to_show(topic)
    if not (jobs and jobs[0].is_under_way):
        return HttpResponseClientRefresh()
    return jobs_watched(request, topic, jobs, "jobs/list.html", {"address": address})


def tasks_of_forms(request: HttpRequest, topic: str, address: str) -> dict[str, Any]:
    """Return the context of ``jobs/list.html`` in such a page."""
    jobs = _tasks_to_show(topic)
    return {"jobs": jobs, "address": address, "etag": part_tag(request, f"{topic}.{revision_of(jobs)}")}


def _tasks_to_show(topic: str) -> list[Job]:
    """Return the tasks under way, or else the last one if it did not succeed."""
    jobs = jobs_of(topic)
    return [job for job in jobs if job.is_under_way] or [job for job in jobs[:1] if job.status != Status.DONE]


def job_buttons(
    page: str, *names: str, door: Callable[[View], View], topic_of: Callable[..., str]
) -> tuple[View, View]:
    """Return two POST-only views: cancel a task, and run it again. Both redirect to the page, with these
    ``names`` of its URL.

    ``door`` is the access decorator. ``topic_of`` is called with what it passes and with the rest of the URL.
    A task that is not of that topic gives Http404.
    """

    def button(deed: Callable[[int], None], meaning: str) -> View:
        def press(request: HttpRequest, of: Any, job_id: int, **address: object) -> HttpResponseBase:
            if job_of(topic_of(of, **address), job_id) is None:
                raise Http404
            deed(job_id)
            asked = request.resolver_match.kwargs if request.resolver_match else {}
            return redirect(reverse(page, kwargs={name: asked[name] for name in names}))

        press.__doc__ = meaning
        return posted_from(page, *names)(door(press))

    return (
        button(cancel_job, "Nobody waits for it any more."),
        button(retry_job, "It failed, or was stopped, and somebody wants it after all."),
    )
