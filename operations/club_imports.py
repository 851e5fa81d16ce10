"""The page on which operators import the export of a club beside the clubs of the installation."""

from __future__ import annotations

from urllib.parse import urljoin

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django_htmx.http import HttpResponseClientRefresh

from clubs.club_files import IMPORTS
from clubs.disk_quota import check_space
from clubs.job_pages import build_job_actions, render_job_list
from clubs.models import Club
from clubs.pages import owners_only
from clubs.queries import is_installation_owner
from clubs.reauthentication import require_fresh_sign_in
from clubs.services.team import create_owner_password_links
from errors import Refusal
from jobs.models import Job, Status
from jobs.queries import list_jobs
from jobs.services import enqueue
from live.conditional_pages import is_partial_request
from web.not_found import get_or_404
from web.qr import get_phone_origin

from .backup.club_import import ClubPreview, preview_club_file

KIND = "import_club"
"""The kind of job that imports a file; its key is the name of the file, and its result names the ``club``."""
MAX_BYTES = 64 * 1024 * 1024


def get_topic(club: Club) -> str:
    """Return the topic of the imports that this club's owners started."""
    return f"club-imports:{club.pk}"


@owners_only
@require_fresh_sign_in
def show_club_imports(request: HttpRequest, club: Club) -> HttpResponse:
    """Import the export of a club beside the clubs of this installation, after a preview."""
    if not is_installation_owner(club):
        raise Http404
    refusal, preview = None, None
    jobs = list_jobs(get_topic(club))[:1]
    if "links" in request.POST:
        return _create_owner_links(request, club, jobs)
    try:
        if request.method == "POST":
            _start_import(club) if "import" in request.POST else _receive(club, request.FILES.get("file"))
            return redirect("club-imports", slug=club.slug)
        preview = None if jobs and jobs[0].is_under_way else _preview(club)
    except Refusal as refused:
        refusal = refused
    if is_partial_request(request) and not (jobs and jobs[0].is_under_way):
        return HttpResponseClientRefresh()
    context = {
        "club": club,
        "refusal": refusal,
        "preview": preview,
        "is_imported": bool(jobs) and jobs[0].status == Status.DONE,
        "address": reverse("club-imports", args=[club.slug]),
    }
    topic = f"{get_topic(club)}.{preview is not None}.{refusal and refusal.code}"
    return render_job_list(request, topic, jobs, "operations/club_imports.html", context)


stop_club_import, import_club_again = build_job_actions("club-imports", "slug", access=owners_only, get_topic=get_topic)


def _receive(club: Club, upload: UploadedFile[bytes] | None) -> None:
    """Store the file until it is imported, in place of an earlier one. Refuses: file_required,
    event_file_too_large, club_disk_full, and what ``preview_club_file`` does."""
    if upload is None or upload.size is None:
        raise Refusal("file_required", field="file")
    if upload.size > MAX_BYTES:
        raise Refusal("event_file_too_large", field="file", most=MAX_BYTES // 1024**2)
    check_space(club.pk, upload.size)
    IMPORTS.delete_club_files(club.pk)
    path = IMPORTS.build_path(club.pk, "zip")
    with path.open("wb") as file:
        file.writelines(upload.chunks())
    try:
        _preview(club)
    except Refusal:
        IMPORTS.delete_club_files(club.pk)
        raise


def _preview(club: Club) -> ClubPreview | None:
    """Return what importing the waiting file would do; None without one."""
    waiting = IMPORTS.list_club_files(club.pk)
    try:
        return preview_club_file(waiting[0]) if waiting else None
    except Refusal as refusal:
        if refusal.code == "not_a_backup":  # its sentence would show the path on the server
            raise Refusal("not_a_club_file", field="file") from None
        raise


def _start_import(club: Club) -> None:
    for path in IMPORTS.list_club_files(club.pk):
        enqueue(kind=KIND, key=path.name, topic=get_topic(club), club_id=club.pk)


def _create_owner_links(request: HttpRequest, club: Club, jobs: list[Job]) -> HttpResponse:
    """Show links to a password for the owners of the club imported last, only this once."""
    result = (jobs[0].result if jobs else None) or {}
    imported = get_or_404(Club.objects.filter(pk=result.get("club", 0)).first())
    origin = get_phone_origin(request)
    links = [
        (each.invitation.note, urljoin(origin, reverse("invitation", args=[each.secret])))
        for each in create_owner_password_links(club_id=imported.pk)
    ]
    context = {"club": club, "imported": imported, "links": links}
    return TemplateResponse(request, "operations/club_links.html", context)
