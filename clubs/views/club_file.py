"""The whole club as a file: an owner asks for it, waits, and takes it away."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_safe

from clubs import services
from clubs.access import for_owners
from clubs.acting import by_of
from clubs.club_files import file_of, last_job, topic_of
from clubs.models import Club
from clubs.posting import posted_from
from jobs import buttons
from jobs.models import Job
from jobs.selectors import job_of, revision_of
from live.watching import asks_for_part, part_tag, watched

BLOCK = 256 * 1024


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
def club_file(request: HttpRequest, club: Club) -> HttpResponse:
    """What the club's file is; how far the work is; and once it is done, the file."""
    if request.method == "POST":
        services.take_club_file(club_id=club.pk, by=by_of(request))
        return redirect("club-file", slug=club.slug)
    job = last_job(club)
    file = None if job is None else file_of(club, job)
    jobs = [] if job is None else [job]
    revision = f"{topic_of(club)}.{file is not None}.{revision_of(jobs)}"
    return watched(request, revision, partial(_page, request, club, jobs, revision))


def _page(request: HttpRequest, club: Club, jobs: list[Job], revision: str) -> HttpResponse:
    is_done = not (jobs and jobs[0].is_under_way)
    if asks_for_part(request) and is_done:
        return HttpResponse(headers={"HX-Refresh": "true"})
    context = {
        "club": club,
        "jobs": jobs,
        "file": file_of(club, jobs[0]) if jobs else None,
        "address": reverse("club-file", args=[club.slug]),
        "etag": part_tag(request, revision),
    }
    template = "jobs/list.html" if asks_for_part(request) else "clubs/file.html"
    return TemplateResponse(request, template, context)


@require_safe
@for_owners
def download_club_file(request: HttpRequest, club: Club, job_id: int) -> HttpResponseBase:
    """The file that this work wrote, for a day."""
    job = job_of(topic_of(club), job_id)
    file = None if job is None else file_of(club, job)
    if file is None:
        raise Http404
    name = f"charlemagne-{club.slug}-{file.made_at:%Y-%m-%d}.zip"
    return StreamingHttpResponse(
        _blocks(file.path),
        headers={
            "Content-Type": "application/zip",
            "Content-Length": str(file.size),
            "Content-Disposition": content_disposition_header(as_attachment=True, filename=name),
            "Content-Encoding": "identity",  # packed already
            "Cache-Control": "private, no-store",
        },
    )


@posted_from("club-file", "slug")
@for_owners
def stop_club_file(request: HttpRequest, club: Club, job_id: int) -> HttpResponse:
    """Nobody waits for it any more."""
    buttons.stop(topic_of(club), job_id)
    return redirect("club-file", slug=club.slug)


@posted_from("club-file", "slug")
@for_owners
def write_club_file_again(request: HttpRequest, club: Club, job_id: int) -> HttpResponse:
    """It failed, or was stopped, and somebody wants it after all."""
    buttons.run_again(topic_of(club), job_id)
    return redirect("club-file", slug=club.slug)


async def _blocks(path: Path) -> AsyncIterator[bytes]:
    """A part at a time, however large the club."""
    with await sync_to_async(_opened)(path) as file:
        while block := await sync_to_async(file.read)(BLOCK):
            yield block


def _opened(path: Path) -> BinaryIO:
    return path.open("rb")
