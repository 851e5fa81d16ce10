"""Import of a recorded night: a preview of its effects on the club, then the import."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from clubs.calendar import get_club_today
from clubs.list_layouts import UploadedList, find_layout, read_reassigned_layout
from clubs.models import Club
from clubs.pages import directors_only, get_actor, get_refusal, note_refusal
from clubs.uploads import find_finished_upload, wait_for_workbooks
from errors import Refusal
from jobs.models import Job
from tournaments.entries.views.name_matches import read_typed_lines
from tournaments.imports.queries.nights import NightPreview, build_night_preview
from tournaments.imports.recorded_nights.files import Files, match_file_name, read_text_file, read_texts, read_zip
from tournaments.imports.recorded_nights.parser import NIGHT_LISTS
from tournaments.imports.services.night_import import get_night_day, parse_night, start_night_import
from tournaments.imports.uploaded_nights import UploadedNight, find_uploaded_night, save_night
from web.forms import parse_day
from web.not_found import get_or_404
from web.sheets.columns import Layout, list_columns

from .people import build_people_choices, read_people_choices

MAX_UPLOAD_BYTES = 10 * 1024 * 1024


def receive_night(request: HttpRequest, club: Club) -> UploadedNight:
    """Return the night of a form, its columns as the club assigned them before. Raises UploadPendingError if
    there is a workbook among its files; later the page goes on with what was read.

    Refuses: files_required, files_too_large, not_a_zip, not_a_date, day_out_of_range.
    """
    upload = find_finished_upload(club, request)
    files, fields = (
        (_read_uploaded_files(request), request.POST) if upload is None else (upload.load_read_files(), upload.fields)
    )
    wait_for_workbooks(club, request, files)
    typed = fields.get("held_on", "").strip()
    return UploadedNight(
        name=fields.get("name", "").strip(),
        held_on=parse_day(typed, field="held_on") if typed else None,
        files=files,
        layouts=dict(_iter_known_layouts(club, files)),
    )


def store_night(club: Club, night: UploadedNight) -> str:
    """Store a night for its preview, and return its token. Refuses: night_refused, day_required,
    club_disk_full."""
    get_night_day(parse_night(night.files, night.layouts), night.held_on)
    return save_night(club, night)


def build_column_choices(club: Club, night: UploadedNight | None, refusal: Refusal | None) -> dict[str, Any]:
    """Store a night with refused lines, so that a form can assign other columns to its lists."""
    if night is None or refusal is None or refusal.code != "night_refused":
        return {}
    try:
        return {"token": save_night(club, night), "lists": _find_refused_lists(_build_lists(night), refusal)}
    except Refusal:  # a file cannot be read at all, as its line says
        return {}


def _iter_known_layouts(club: Club, files: Files) -> Iterator[tuple[str, Layout]]:
    for file, columns in NIGHT_LISTS.items():
        with suppress(Refusal):
            layout = find_layout(club, file, read_text_file(files, file), columns)
            if layout is not None:
                yield file, layout


def _find_refused_lists(lists: Iterable[UploadedList], refusal: Refusal) -> list[UploadedList]:
    """Return the lists with refused lines, for their columns may be others."""
    refused_files = {line_refusal.details["file"] for line_refusal in refusal.details.get("refusals", ())}
    return [uploaded_list for uploaded_list in lists if uploaded_list.file in refused_files]


def _build_lists(night: UploadedNight) -> list[UploadedList]:
    return [
        UploadedList(
            text=text,
            file=file,
            kind=file,
            headings=NIGHT_LISTS[file],
            layout=night.layouts.get(file),
            columns=list_columns(text, NIGHT_LISTS[file], night.layouts.get(file)),
            offered=tuple(NIGHT_LISTS[file]),
            prefix=f"{file.partition('.')[0]}-",
        )
        for file, text in read_texts(night.files).items()
        if file in NIGHT_LISTS
    ]


def _read_uploaded_files(request: HttpRequest) -> dict[str, bytes]:
    """Return the night's files from the form. Refuses: files_required, files_too_large, not_a_zip."""
    uploads = request.FILES.getlist("files")
    if sum(upload.size or 0 for upload in uploads) > MAX_UPLOAD_BYTES:
        raise Refusal("files_too_large", field="files", most=MAX_UPLOAD_BYTES // 1024 // 1024)
    files: dict[str, bytes] = {}
    for upload in uploads:
        name = upload.name or ""
        file = match_file_name(name)
        if name.lower().endswith(".zip"):
            files |= read_zip(upload.read())
        elif file is not None:
            files[file] = upload.read()
    if not files:
        raise Refusal("files_required", field="files")
    return files


@directors_only
def night_import_page(request: HttpRequest, club: Club, token: str) -> HttpResponse:
    """Show the effects of a recorded night and the columns of its lists, and import it."""
    uploaded = get_or_404(find_uploaded_night(club, token))
    lists, preview = _build_lists(uploaded), None
    try:
        updated = _apply_changes(request, uploaded, lists)
        if updated != uploaded:
            return redirect("brought-night", slug=club.slug, token=save_night(club, updated))
        night = parse_night(uploaded.files, uploaded.layouts, uploaded.as_typed)
        preview = build_night_preview(club, night, get_night_day(night, uploaded.held_on))
        if request.method == "POST":
            return _import_night(request, club, uploaded, preview, lists)
    except Refusal as refusal:
        note_refusal(request, refusal)
    context = {"club": club, "lists": lists}
    if preview is not None:
        context |= {
            "name": _get_name(uploaded, preview),
            "preview": preview,
            "couples": preview.night.couples,
            "typed_lines": uploaded.as_typed,
            "is_to_come": preview.held_on > get_club_today(club),
            **build_people_choices(request, preview.people),
        }
    elif (refused := get_refusal(request)) is not None:
        context |= {"lists": _find_refused_lists(lists, refused), "asks_date": uploaded.held_on is None}
    return TemplateResponse(request, "tournaments/imports/night.html", context)


def _apply_changes(request: HttpRequest, night: UploadedNight, lists: Sequence[UploadedList]) -> UploadedNight:
    """Return the night with the day, the columns and the names of couples that the form has. Refuses:
    not_a_date, day_out_of_range."""
    day_text = request.POST.get("held_on", "").strip()
    layouts = {uploaded_list.file: read_reassigned_layout(request, uploaded_list) for uploaded_list in lists}
    return replace(
        night,
        held_on=parse_day(day_text, field="held_on") if day_text else night.held_on,
        layouts={**night.layouts, **{file: layout for file, layout in layouts.items() if layout}},
        as_typed=read_typed_lines(request.POST, night.as_typed),
    )


def _get_name(night: UploadedNight, preview: NightPreview) -> str:
    return night.name or preview.night.name or preview.held_on.isoformat()


def _import_night(
    request: HttpRequest,
    club: Club,
    night: UploadedNight,
    preview: NightPreview,
    lists: Iterable[UploadedList],
) -> HttpResponse:
    result = start_night_import(
        club=club,
        name=_get_name(night, preview),
        held_on=preview.held_on,
        files=night.files,
        layouts=night.layouts,
        as_typed=night.as_typed,
        matched_ids=read_people_choices(request, preview.people),
        by=get_actor(request),
    )
    for uploaded_list in lists:
        uploaded_list.remember(club)
    if isinstance(result, Job):
        return redirect("bringing-in", slug=club.slug)
    return redirect("desk", short=result.short)
