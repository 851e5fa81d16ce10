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
from jobs.queries import compute_jobs_revision, find_job, list_jobs
from jobs.services import cancel_job, retry_job
from live.conditional_pages import conditional_page, get_part_etag, is_partial_request

from .pages import View, require_post_from


def render_job_list(
    request: HttpRequest, topic: str, jobs: Sequence[Job], template: str, context: Mapping[str, Any]
) -> HttpResponse:
    """Show these tasks, or the list alone for htmx, unless the reader already has this state. The context
    says the ``address`` of the page."""
    revision = f"{topic}.{compute_jobs_revision(jobs)}"
    part = "jobs/list.html" if is_partial_request(request) else template
    context = {**context, "jobs": jobs, "etag": get_part_etag(request, revision)}
    return conditional_page(request, revision, partial(TemplateResponse, request, part, context))


def render_form_jobs(request: HttpRequest, topic: str, address: str) -> HttpResponse | None:
    """Return the response to htmx on a page whose forms start tasks: their list, then a page refresh. None for
    a request for the whole page, which shows the tasks of ``build_form_jobs_context``."""
    if not is_partial_request(request):
        return None
    jobs = _list_shown_jobs(topic)
    if not (jobs and jobs[0].is_under_way):
        return HttpResponseClientRefresh()
    return render_job_list(request, topic, jobs, "jobs/list.html", {"address": address})


def build_form_jobs_context(request: HttpRequest, topic: str, address: str) -> dict[str, Any]:
    """Return the context of ``jobs/list.html`` in such a page."""
    jobs = _list_shown_jobs(topic)
    return {"jobs": jobs, "address": address, "etag": get_part_etag(request, f"{topic}.{compute_jobs_revision(jobs)}")}


def _list_shown_jobs(topic: str) -> list[Job]:
    """Return the tasks under way, or else the last one if it did not succeed."""
    jobs = list_jobs(topic)
    return [job for job in jobs if job.is_under_way] or [job for job in jobs[:1] if job.status != Status.DONE]


def build_job_actions(
    page: str, *names: str, access: Callable[[View], View], get_topic: Callable[..., str]
) -> tuple[View, View]:
    """Return two POST-only views: cancel a task, and run it again. Both redirect to the page, with these
    ``names`` of its URL.

    ``access`` is the access decorator. ``get_topic`` is called with the object that it passes to the view, and
    with the rest of the URL. A task of another topic raises Http404.
    """

    def build_view(action: Callable[[int], None], docstring: str) -> View:
        def post_action(request: HttpRequest, owner: Any, job_id: int, **address: object) -> HttpResponseBase:
            if find_job(get_topic(owner, **address), job_id) is None:
                raise Http404
            action(job_id)
            url_kwargs = request.resolver_match.kwargs if request.resolver_match else {}
            return redirect(reverse(page, kwargs={name: url_kwargs[name] for name in names}))

        post_action.__doc__ = docstring
        return require_post_from(page, *names)(access(post_action))

    return (
        build_view(cancel_job, "Nobody waits for it any more."),
        build_view(retry_job, "It failed, or was stopped, and somebody wants it after all."),
    )
