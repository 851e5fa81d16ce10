"""Import of a recorded night: a preview of its effects on the club, then the import."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.access import for_directors_of_the_club
from clubs.actor import actor_from
from clubs.calendar import today_in
from clubs.models import Club
from clubs.uploads import finished_upload, wait_for_workbooks
from errors import Refusal
from jobs.models import Job
from tournaments.imports.queries.nights import NightPreview, night_preview
from tournaments.imports.recorded_nights import file_named, files_in_zip
from tournaments.imports.services.night_import import bring_in_night, checked_night, day_of_night
from tournaments.imports.uploaded_nights import BroughtNight, keep_night, night_of
from web.forms import read_day

from .people import people_asked_about, people_chosen

MOST_UPLOADED = 10 * 1024 * 1024


def store_night_upload(request: HttpRequest, club: Club) -> str:
    """Store the night of a form for its preview, and return its token. Raises UploadWaitsError if there is a
    workbook among its files; later the page goes on with what was read.

    Refuses: files_required, files_too_large, not_a_zip, not_a_date, day_out_of_range, night_refused,
    day_required.
    """
    upload = finished_upload(club, request)
    files, fields = (
        (_uploaded_files(request), request.POST) if upload is None else (upload.read_files(), upload.fields)
    )
    wait_for_workbooks(club, request, files)
    typed = fields.get("held_on", "").strip()
    day = read_day(typed, field="held_on") if typed else None
    night = checked_night(files)
    held_on = day_of_night(night, day)
    name = fields.get("name", "").strip() or night.name or held_on.isoformat()
    return keep_night(club, BroughtNight(name=name, held_on=held_on, files=files))


def _uploaded_files(request: HttpRequest) -> dict[str, bytes]:
    """Return the night's files from the form. Refuses: files_required, files_too_large, not_a_zip."""
    uploads = request.FILES.getlist("files")
    if sum(upload.size or 0 for upload in uploads) > MOST_UPLOADED:
        raise Refusal("files_too_large", field="files", most=MOST_UPLOADED // 1024 // 1024)
    files: dict[str, bytes] = {}
    for upload in uploads:
        name = upload.name or ""
        file = file_named(name)
        if name.lower().endswith(".zip"):
            files |= files_in_zip(upload.read())
        elif file is not None:
            files[file] = upload.read()
    if not files:
        raise Refusal("files_required", field="files")
    return files


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def night_import_page(request: HttpRequest, club: Club, token: str) -> HttpResponse:
    """Show the effects of a recorded night, and import it."""
    sent = night_of(club, token)
    if sent is None:
        raise Http404
    preview, refusal = night_preview(club, checked_night(sent.files), sent.held_on), None
    if request.method == "POST":
        try:
            return _brought_in(request, club, sent, preview)
        except Refusal as refused:
            refusal = refused
    context = {
        "club": club,
        "name": sent.name,
        "preview": preview,
        "is_to_come": sent.held_on > today_in(club),
        "refusal": refusal,
        **people_asked_about(request, preview.people),
    }
    return TemplateResponse(request, "tournaments/imports/night.html", context)


def _brought_in(request: HttpRequest, club: Club, sent: BroughtNight, preview: NightPreview) -> HttpResponse:
    made = bring_in_night(
        club=club,
        name=sent.name,
        held_on=sent.held_on,
        files=sent.files,
        known=people_chosen(request, preview.people),
        by=actor_from(request),
    )
    if isinstance(made, Job):
        return redirect("bringing-in", slug=club.slug)
    return redirect("desk", short=made.short)
