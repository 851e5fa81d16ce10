"""The export of the whole club as a file, for owners."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from clubs.club_files import find_club_file, find_last_job, get_file_topic
from clubs.job_pages import build_job_actions, render_job_list
from clubs.models import Club
from clubs.pages import get_actor, owners_only
from clubs.reauthentication import require_fresh_sign_in
from clubs.services import leaving
from jobs.queries import find_job
from live.conditional_pages import is_partial_request
from web.downloads import download
from web.not_found import get_or_404


@owners_only
@require_fresh_sign_in
def club_file_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Request the file of the whole club, watch its progress, and get the link to it."""
    if request.method == "POST":
        leaving.start_club_file(club_id=club.pk, by=get_actor(request))
        return redirect("club-file", slug=club.slug)
    job = find_last_job(club)
    if is_partial_request(request) and not (job and job.is_under_way):
        return HttpResponseClientRefresh()
    context = {
        "club": club,
        "file": None if job is None else find_club_file(club, job),
        "address": reverse("club-file", args=[club.slug]),
    }
    topic = f"{get_file_topic(club)}.{context['file'] is not None}"
    return render_job_list(request, topic, [] if job is None else [job], "clubs/file.html", context)


@require_safe
@owners_only
@require_fresh_sign_in
def download_club_file(request: HttpRequest, club: Club, job_id: int) -> HttpResponseBase:
    """Download the file that a task wrote, within a day."""
    job = find_job(get_file_topic(club), job_id)
    file = get_or_404(None if job is None else find_club_file(club, job))
    name = f"charlemagne-{club.slug}-{file.made_at:%Y-%m-%d}.zip"
    return download(file.path, name=name, content_type="application/zip")


stop_club_file, write_club_file_again = build_job_actions(
    "club-file", "slug", access=owners_only, get_topic=get_file_topic
)
