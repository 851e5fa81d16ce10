"""The export of the whole club as a file, for owners."""

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from clubs import services
from clubs.access import for_owners
from clubs.actor import actor_from
from clubs.club_files import club_file_of_job, last_job, topic_of
from clubs.job_pages import job_buttons, jobs_watched
from clubs.models import Club
from clubs.reauthentication import for_fresh_sign_in
from jobs.queries import job_of
from live.conditional_pages import asks_for_part
from web.downloads import download


@require_http_methods(["GET", "HEAD", "POST"])
@for_owners
@for_fresh_sign_in
def club_file(request: HttpRequest, club: Club) -> HttpResponse:
    """Request the file of the whole club, watch its progress, and get the link to it."""
    if request.method == "POST":
        services.take_club_file(club_id=club.pk, by=actor_from(request))
        return redirect("club-file", slug=club.slug)
    job = last_job(club)
    if asks_for_part(request) and not (job and job.is_under_way):
        return HttpResponseClientRefresh()
    context = {
        "club": club,
        "file": None if job is None else club_file_of_job(club, job),
        "address": reverse("club-file", args=[club.slug]),
    }
    topic = f"{topic_of(club)}.{context['file'] is not None}"
    return jobs_watched(request, topic, [] if job is None else [job], "clubs/file.html", context)


@require_safe
@for_owners
@for_fresh_sign_in
def download_club_file(request: HttpRequest, club: Club, job_id: int) -> HttpResponseBase:
    """Download the file that a task wrote, within a day."""
    job = job_of(topic_of(club), job_id)
    file = None if job is None else club_file_of_job(club, job)
    if file is None:
        raise Http404
    name = f"charlemagne-{club.slug}-{file.made_at:%Y-%m-%d}.zip"
    return download(file.path, name=name, content_type="application/zip")


stop_club_file, write_club_file_again = job_buttons("club-file", "slug", door=for_owners, topic_of=topic_of)
