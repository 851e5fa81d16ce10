"""The page of an upload that a worker reads; it leads on to the form."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.access import for_directors_of_the_club
from clubs.job_pages import job_buttons, jobs_watched
from clubs.models import Club
from clubs.uploads import Upload
from jobs.queries import jobs_of
from live.conditional_pages import redirect_or_part


@require_safe
@for_directors_of_the_club
def upload_page(request: HttpRequest, club: Club, token: str) -> HttpResponse:
    """Show how far the reading of an uploaded spreadsheet is, then go on with its form."""
    upload = _upload(club, token)
    if upload.is_read:
        return redirect_or_part(request, upload.page)
    context = {"club": club, "address": reverse("upload", args=[club.slug, token])}
    return jobs_watched(request, upload.topic, jobs_of(upload.topic), "clubs/upload.html", context)


def _upload(club: Club, token: str) -> Upload:
    upload = Upload(club.pk, token)
    if not upload.exists:
        raise Http404
    return upload


stop_upload, upload_again = job_buttons(
    "upload",
    "slug",
    "token",
    door=for_directors_of_the_club,
    topic_of=lambda club, token: _upload(club, token).topic,
)
