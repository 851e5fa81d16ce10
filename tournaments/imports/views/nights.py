"""Import of a recorded night: a preview of its effects on the club, then the import."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.access import for_directors_of_the_club
from clubs.actor import actor_from
from clubs.calendar import today_in
from clubs.list_layouts import UploadedList, known_layout, reassigned_layout
from clubs.models import Club
from clubs.uploads import finished_upload, wait_for_workbooks
from errors import Refusal
from jobs.models import Job
from tournaments.imports.queries.nights import NightPreview, night_preview
from tournaments.imports.recorded_nights import (
    NIGHT_LISTS,
    Files,
    file_named,
    files_in_zip,
    read_text_file,
    texts_of,
)
from tournaments.imports.services.night_import import bring_in_night, checked_night, day_of_night
from tournaments.imports.uploaded_nights import BroughtNight, keep_night, night_of
from web.forms import read_day
from web.sheets import Layout, columns_of

from .people import people_asked_about, people_chosen

MOST_UPLOADED = 10 * 1024 * 1024


def receive_night(request: HttpRequest, club: Club) -> BroughtNight:
    """Return the night of a form, its columns as the club assigned them before. Raises UploadWaitsError if
    there is a workbook among its files; later the page goes on with what was read.

    Refuses: files_required, files_too_large, not_a_zip, not_a_date, day_out_of_range.
    """
    upload = finished_upload(club, request)
    files, fields = (
        (_uploaded_files(request), request.POST) if upload is None else (upload.read_files(), upload.fields)
    )
    wait_for_workbooks(club, request, files)
    typed = fields.get("held_on", "").strip()
    return BroughtNight(
        name=fields.get("name", "").strip(),
        held_on=read_day(typed, field="held_on") if typed else None,
        files=files,
        layouts=dict(_known_layouts(club, files)),
    )


def store_night(club: Club, sent: BroughtNight) -> str:
    """Store a night for its preview, and return its token. Refuses: night_refused, day_required,
    club_disk_full."""
    day_of_night(checked_night(sent.files, sent.layouts), sent.held_on)
    return keep_night(club, sent)


def columns_again(club: Club, sent: BroughtNight | None, refusal: Refusal | None) -> dict[str, Any]:
    """Store a night with refused lines, so that a form can assign other columns to its lists."""
    if sent is None or refusal is None or refusal.code != "night_refused":
        return {}
    try:
        return {"token": keep_night(club, sent), "lists": _refused_lists(_lists_of(sent), refusal)}
    except Refusal:  # a file cannot be read at all, as its line says
        return {}


def _known_layouts(club: Club, files: Files) -> Iterator[tuple[str, Layout]]:
    for file, columns in NIGHT_LISTS.items():
        with suppress(Refusal):
            layout = known_layout(club, file, read_text_file(files, file), columns)
            if layout is not None:
                yield file, layout


def _refused_lists(lists: Iterable[UploadedList], refusal: Refusal) -> list[UploadedList]:
    """Return the lists with refused lines, for their columns may be others."""
    refused = {each.details["file"] for each in refusal.details.get("refusals", ())}
    return [shown for shown in lists if shown.file in refused]


def _lists_of(sent: BroughtNight) -> list[UploadedList]:
    return [
        UploadedList(
            text=text,
            file=file,
            kind=file,
            headings=NIGHT_LISTS[file],
            layout=sent.layouts.get(file),
            columns=columns_of(text, NIGHT_LISTS[file], sent.layouts.get(file)),
            offered=tuple(NIGHT_LISTS[file]),
            prefix=f"{file.partition('.')[0]}-",
        )
        for file, text in texts_of(sent.files).items()
        if file in NIGHT_LISTS
    ]


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
    """Show the effects of a recorded night and the columns of its lists, and import it."""
    sent = night_of(club, token)
    if sent is None:
        raise Http404
    lists, preview, refusal = _lists_of(sent), None, None
    try:
        changed = _with_changes(request, sent, lists)
        if changed != sent:
            return redirect("brought-night", slug=club.slug, token=keep_night(club, changed))
        night = checked_night(sent.files, sent.layouts)
        preview = night_preview(club, night, day_of_night(night, sent.held_on))
        if request.method == "POST":
            return _brought_in(request, club, sent, preview, lists)
    except Refusal as refused:
        refusal = refused
    context = {"club": club, "lists": lists, "refusal": refusal}
    if preview is not None:
        context |= {
            "name": _name_of(sent, preview),
            "preview": preview,
            "is_to_come": preview.held_on > today_in(club),
            **people_asked_about(request, preview.people),
        }
    elif refusal is not None:
        context |= {"lists": _refused_lists(lists, refusal), "asks_date": sent.held_on is None}
    return TemplateResponse(request, "tournaments/imports/night.html", context)


def _with_changes(request: HttpRequest, sent: BroughtNight, lists: Sequence[UploadedList]) -> BroughtNight:
    """Return the night with the day and the columns that the form has. Refuses: not_a_date,
    day_out_of_range."""
    typed = request.POST.get("held_on", "").strip()
    layouts = {shown.file: reassigned_layout(request, shown) for shown in lists}
    return replace(
        sent,
        held_on=read_day(typed, field="held_on") if typed else sent.held_on,
        layouts={**sent.layouts, **{file: layout for file, layout in layouts.items() if layout}},
    )


def _name_of(sent: BroughtNight, preview: NightPreview) -> str:
    return sent.name or preview.night.name or preview.held_on.isoformat()


def _brought_in(
    request: HttpRequest,
    club: Club,
    sent: BroughtNight,
    preview: NightPreview,
    lists: Iterable[UploadedList],
) -> HttpResponse:
    made = bring_in_night(
        club=club,
        name=_name_of(sent, preview),
        held_on=preview.held_on,
        files=sent.files,
        layouts=sent.layouts,
        known=people_chosen(request, preview.people),
        by=actor_from(request),
    )
    for shown in lists:
        shown.remember(club)
    if isinstance(made, Job):
        return redirect("bringing-in", slug=club.slug)
    return redirect("desk", short=made.short)
