"""Import of games played elsewhere: an event from its file, or a recorded night."""

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from clubs.job_pages import build_job_actions, render_job_list
from clubs.models import Club
from clubs.pages import directors_only, get_actor, get_refusal, note_refusal
from clubs.services.people_import import get_imports_topic
from clubs.uploads import UPLOAD_PARAMETER, redirect_pending_uploads
from errors import Refusal, get_or_refuse
from jobs.queries import list_jobs
from live.conditional_pages import is_partial_request
from tournaments.imports.queries.events import find_existing_event, match_people
from tournaments.imports.services.uploaded_events import (
    get_comparison,
    receive_event_file,
    receive_trf,
    start_file_import,
)
from tournaments.imports.uploaded_events import (
    MOST_BYTES,
    ExaminedFile,
    FileComparison,
    UploadedEventFile,
    find_uploaded_file,
)
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.seasons.queries import select_open_event_seasons
from web.forms import parse_day

from .nights import build_column_choices, receive_night, store_night
from .people import build_people_choices, read_people_choices


@directors_only
@redirect_pending_uploads
def import_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Import an event file, a chess report or a recorded night; a preview comes first. A night may come as
    its files or as one zip."""
    night = None
    if request.method == "POST" or UPLOAD_PARAMETER in request.GET:
        try:
            if "event" in request.POST:
                return redirect("brought", slug=club.slug, token=_receive_file(request, club).token)
            if "trf" in request.POST:
                return redirect("brought", slug=club.slug, token=_receive_trf(request, club).token)
            night = receive_night(request, club)
            return redirect("brought-night", slug=club.slug, token=store_night(club, night))
        except Refusal as refusal:
            note_refusal(request, refusal)
    context = {
        "club": club,
        "typed": request.POST,
        **build_column_choices(club, night, get_refusal(request)),
    }
    return TemplateResponse(request, "tournaments/imports/import.html", context)


def _receive_file(request: HttpRequest, club: Club) -> UploadedEventFile:
    upload = get_or_refuse(request.FILES.get("file"), "file_required", field="file")
    return receive_event_file(club=club, content=upload.read(MOST_BYTES + 1))


def _receive_trf(request: HttpRequest, club: Club) -> UploadedEventFile:
    upload = get_or_refuse(request.FILES.get("report"), "file_required", field="report")
    typed = request.POST.get("report_day", "").strip()
    day = parse_day(typed, field="report_day") if typed else None
    return receive_trf(club=club, content=upload.read(MOST_BYTES + 1), held_on=day)


@require_safe
@directors_only
def running_imports_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show imports of large nights and long lists of people while they run."""
    topic = get_imports_topic(club)
    context = {"club": club, "address": reverse("bringing-in", args=[club.slug])}
    return render_job_list(request, topic, list_jobs(topic), "tournaments/imports/import_progress.html", context)


stop_import, retry_import = build_job_actions("bringing-in", "slug", access=directors_only, get_topic=get_imports_topic)


@directors_only
def event_import_page(request: HttpRequest, club: Club, token: str) -> HttpResponseBase:
    """Show a preview of an event file, and import it."""
    file = _get_file(club, token)
    examination = file.load_examination()
    if request.method == "POST" and examination is not None:
        return _import_file(request, club, file, examination)
    existing = None if examination is None else _find_existing(club, examination)
    comparison = None if existing is None else get_comparison(file, existing)
    is_waiting = existing is not None and comparison is None
    jobs = list_jobs(file.topic)
    address = reverse("brought", args=[club.slug, token])
    if examination is None or is_waiting or (jobs and jobs[0].is_under_way):
        context = {"club": club, "address": address}
        return render_job_list(request, file.topic, jobs, "tournaments/imports/preview_progress.html", context)
    if is_partial_request(request):
        return HttpResponseClientRefresh()
    return _render_file(request, club, examination, existing, comparison, jobs=jobs, address=address)


def _render_file(
    request: HttpRequest,
    club: Club,
    examination: ExaminedFile,
    existing: Event | None,
    comparison: FileComparison | None,
    **extra: Any,
) -> HttpResponse:
    context = {
        "club": club,
        "found": examination,
        "held_on": date.fromisoformat(examination["held_on"]),
        "state": EventState(examination["state"]).label,
        "there": existing,
        **build_people_choices(request, match_people(club, examination["people"], copy_of=existing)),
        "are_members": "members" in request.POST,
        "comparison": comparison,
        "seasons": [] if existing is None else select_open_event_seasons(existing).defer("rows", "scores"),
        **extra,
    }
    return TemplateResponse(request, "tournaments/imports/preview.html", context)


def _import_file(
    request: HttpRequest, club: Club, file: UploadedEventFile, examination: ExaminedFile
) -> HttpResponseBase:
    existing = _find_existing(club, examination)
    is_instead = existing is not None and "instead" in request.POST
    if existing is not None and not is_instead and "copy" not in request.POST:
        return redirect("desk", short=existing.short)
    try:
        result = start_file_import(
            club=club,
            file=file,
            matched_ids=read_people_choices(request, match_people(club, examination["people"], copy_of=existing)),
            are_guests="members" not in request.POST,
            is_copy="copy" in request.POST and not is_instead,
            event_to_replace=existing if is_instead else None,
            by=get_actor(request),
        )
    except Refusal as refusal:
        note_refusal(request, refusal)
        comparison = None if existing is None else get_comparison(file, existing)
        return _render_file(request, club, examination, existing, comparison)
    if isinstance(result, Event):
        return redirect("desk", short=result.short)
    return redirect("brought", slug=club.slug, token=file.token)


def _find_existing(club: Club, examination: ExaminedFile) -> Event | None:
    """Return the event of which the file is a copy, if the file is true and the event is here."""
    return None if examination["differences"] else find_existing_event(club, examination)


def _get_file(club: Club, token: str) -> UploadedEventFile:
    """Return the club's file, or one that was refused and deleted, as long as its task says why."""
    file = UploadedEventFile(club.pk, token)
    if find_uploaded_file(club, token) is None and not list_jobs(file.topic):
        raise Http404
    return file


stop_file_import, retry_file_import = build_job_actions(
    "brought",
    "slug",
    "token",
    access=directors_only,
    get_topic=lambda club, token: _get_file(club, token).topic,
)
