"""The page of an upload that a worker reads; it leads on to the form."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.job_pages import build_job_actions, render_job_list
from clubs.models import Club
from clubs.pages import directors_only
from clubs.uploads import Upload
from jobs.queries import list_jobs
from live.conditional_pages import redirect_for_htmx


@require_safe
@directors_only
def upload_page(request: HttpRequest, club: Club, token: str) -> HttpResponse:
    """Show how far the reading of an uploaded spreadsheet is, then go on with its form."""
    upload = _get_upload(club, token)
    if upload.is_read:
        return redirect_for_htmx(request, upload.page)
    context = {"club": club, "address": reverse("upload", args=[club.slug, token])}
    return render_job_list(request, upload.topic, list_jobs(upload.topic), "clubs/upload.html", context)


def _get_upload(club: Club, token: str) -> Upload:
    upload = Upload(club.pk, token)
    if not upload.exists:
        raise Http404
    return upload


stop_upload, upload_again = build_job_actions(
    "upload",
    "slug",
    "token",
    access=directors_only,
    get_topic=lambda club, token: _get_upload(club, token).topic,
)
