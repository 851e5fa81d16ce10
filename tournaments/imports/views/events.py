"""Import of games played elsewhere: an event from its file, or a recorded night."""

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from clubs.access import for_directors_of_the_club
from clubs.actor import actor_from
from clubs.job_pages import job_buttons, jobs_watched
from clubs.models import Club
from clubs.services.people_import import imports_topic
from clubs.uploads import PARAMETER, shows_waiting_uploads
from errors import Refusal
from jobs.queries import jobs_of
from live.conditional_pages import asks_for_part
from tournaments.imports.queries.events import people_in_file, there_already
from tournaments.imports.services.uploaded_events import (
    bring_in_file,
    comparison_of,
    receive_event_file,
    receive_trf,
)
from tournaments.imports.uploaded_events import (
    MOST_BYTES,
    BroughtFile,
    ExaminedFile,
    FileComparison,
    uploaded_event_file,
)
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.seasons.queries import open_seasons_with
from web.forms import read_day

from .nights import columns_again, receive_night, store_night
from .people import people_asked_about, people_chosen


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
@shows_waiting_uploads
def import_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Import an event file, a chess report or a recorded night; a preview comes first. A night may come as
    its files or as one zip."""
    refusal, night = None, None
    if request.method == "POST" or PARAMETER in request.GET:
        try:
            if "event" in request.POST:
                return redirect("brought", slug=club.slug, token=_receive_file(request, club).token)
            if "trf" in request.POST:
                return redirect("brought", slug=club.slug, token=_receive_trf(request, club).token)
            night = receive_night(request, club)
            return redirect("brought-night", slug=club.slug, token=store_night(club, night))
        except Refusal as refused:
            refusal = refused
    context = {
        "club": club,
        "refusal": refusal,
        "typed": request.POST,
        **columns_again(club, night, refusal),
    }
    return TemplateResponse(request, "tournaments/imports/import.html", context)


def _receive_file(request: HttpRequest, club: Club) -> BroughtFile:
    upload = request.FILES.get("file")
    if upload is None:
        raise Refusal("file_required", field="file")
    return receive_event_file(club=club, content=upload.read(MOST_BYTES + 1))


def _receive_trf(request: HttpRequest, club: Club) -> BroughtFile:
    upload = request.FILES.get("report")
    if upload is None:
        raise Refusal("file_required", field="report")
    typed = request.POST.get("report_day", "").strip()
    day = read_day(typed, field="report_day") if typed else None
    return receive_trf(club=club, content=upload.read(MOST_BYTES + 1), held_on=day)


@require_safe
@for_directors_of_the_club
def bringing_in_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show imports of large nights and long lists of people while they run."""
    topic = imports_topic(club)
    context = {"club": club, "address": reverse("bringing-in", args=[club.slug])}
    return jobs_watched(request, topic, jobs_of(topic), "tournaments/imports/under_way.html", context)


stop_bringing_in, bring_in_again = job_buttons(
    "bringing-in", "slug", door=for_directors_of_the_club, topic_of=imports_topic
)


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def event_import_page(request: HttpRequest, club: Club, token: str) -> HttpResponseBase:
    """Show a preview of an event file, and import it."""
    file = _file(club, token)
    found = file.examination()
    if request.method == "POST" and found is not None:
        return _brought_in(request, club, file, found)
    there = None if found is None else _there(club, found)
    comparison = None if there is None else comparison_of(file, there)
    is_waiting = there is not None and comparison is None
    jobs = jobs_of(file.topic)
    address = reverse("brought", args=[club.slug, token])
    if found is None or is_waiting or (jobs and jobs[0].is_under_way):
        context = {"club": club, "address": address}
        return jobs_watched(request, file.topic, jobs, "tournaments/imports/waiting.html", context)
    if asks_for_part(request):
        return HttpResponseClientRefresh()
    return _render_file(request, club, found, there, comparison, jobs=jobs, address=address)


def _render_file(
    request: HttpRequest,
    club: Club,
    found: ExaminedFile,
    there: Event | None,
    comparison: FileComparison | None,
    refusal: Refusal | None = None,
    **more: Any,
) -> HttpResponse:
    context = {
        "club": club,
        "found": found,
        "held_on": date.fromisoformat(found["held_on"]),
        "state": EventState(found["state"]).label,
        "there": there,
        **people_asked_about(request, people_in_file(club, found["people"], copy_of=there)),
        "are_members": "members" in request.POST,
        "refusal": refusal,
        "comparison": comparison,
        "seasons": [] if there is None else open_seasons_with(there).defer("rows", "scores"),
        **more,
    }
    return TemplateResponse(request, "tournaments/imports/preview.html", context)


def _brought_in(request: HttpRequest, club: Club, file: BroughtFile, found: ExaminedFile) -> HttpResponseBase:
    there = _there(club, found)
    is_instead = there is not None and "instead" in request.POST
    if there is not None and not is_instead and "copy" not in request.POST:
        return redirect("desk", short=there.short)
    try:
        made = bring_in_file(
            club=club,
            file=file,
            known=people_chosen(request, people_in_file(club, found["people"], copy_of=there)),
            are_guests="members" not in request.POST,
            is_copy="copy" in request.POST and not is_instead,
            instead_of=there if is_instead else None,
            by=actor_from(request),
        )
    except Refusal as refused:
        comparison = None if there is None else comparison_of(file, there)
        return _render_file(request, club, found, there, comparison, refused)
    if isinstance(made, Event):
        return redirect("desk", short=made.short)
    return redirect("brought", slug=club.slug, token=file.token)


def _there(club: Club, found: ExaminedFile) -> Event | None:
    """Return the event of which the file is a copy, if the file is true and the event is here."""
    if found["differences"]:
        return None
    return there_already(
        club,
        origin=found["club"],
        key=found["key"],
        short=found["short"],
        name=found["name"],
        held_on=found["held_on"],
        lot=found["lot"],
    )


def _file(club: Club, token: str) -> BroughtFile:
    """Return the club's file, or one that was refused and deleted, as long as its task says why."""
    file = BroughtFile(club.pk, token)
    if uploaded_event_file(club, token) is None and not jobs_of(file.topic):
        raise Http404
    return file


stop_brought, brought_again = job_buttons(
    "brought",
    "slug",
    "token",
    door=for_directors_of_the_club,
    topic_of=lambda club, token: _file(club, token).topic,
)
