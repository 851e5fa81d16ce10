"""Night templates of a club: saved from an event, and used to create one."""

from collections.abc import Callable
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs import services
from clubs.access import for_directors_of_the_club
from clubs.audit.history import club_line
from clubs.audit.log import Actor
from clubs.calendar import today_in
from clubs.models import Club
from clubs.post_only import posted_from
from clubs.queries import usual_nights_of
from clubs.views.history import run_or_show_refusal
from errors import Refusal
from tournaments.events.event_settings import (
    event_settings_from_json,
    event_settings_of,
    event_settings_to_json,
)
from tournaments.events.queries import events_of, recent_events
from tournaments.slots import copied_parts

from .event_cloning import clone_of_usual_night, clone_page

MOST_OFFERED = 20
"""Most events offered for a template, newest first."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def usual_nights(request: HttpRequest, club: Club) -> HttpResponse:
    """List the night templates, or save the settings of an event as a template."""
    if request.method != "POST":
        return _list(request, club)
    return _change_template(request, club, lambda by: _keep(request, club, by))


@posted_from("usual-nights", "slug")
@for_directors_of_the_club
def rename(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Rename a night template."""
    name = request.POST.get("name", "")
    return _change_template(
        request,
        club,
        lambda by: services.rename_usual_night(club_id=club.pk, usual_id=pk, name=name, by=by),
        renamed=pk,
    )


@posted_from("usual-nights", "slug")
@for_directors_of_the_club
def remove_usual_night(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a night template. The notice offers to undo it."""
    return _change_template(
        request, club, lambda by: services.remove_usual_night(club_id=club.pk, usual_id=pk, by=by)
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors_of_the_club
def like_usual_night(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Create an event from a night template, with the people of the last event like it."""
    usual, today = get_object_or_404(usual_nights_of(club), pk=pk), today_in(club)
    return clone_page(request, club, clone_of_usual_night(usual, recent_events(club), today))


def _keep(request: HttpRequest, club: Club, by: Actor) -> None:
    short = request.POST.get("event", "")
    event = events_of(club).filter(short=short).first()
    if event is None:
        raise Refusal("no_such_event", field="event")
    services.keep_usual_night(
        club_id=club.pk,
        name=request.POST.get("name", ""),
        settings=event_settings_to_json(event_settings_of(event)) | copied_parts(event),
        by=by,
    )


def _change_template(
    request: HttpRequest, club: Club, deed: Callable[[Actor], object], *, renamed: int | None = None
) -> HttpResponse:
    """Make the change and show the list with a notice, or with the refusal at its field."""
    return run_or_show_refusal(
        request, club, "usual-nights", deed, refused=partial(_list, request, club, renamed=renamed)
    )


def _list(
    request: HttpRequest, club: Club, refusal: Refusal | None = None, *, renamed: int | None = None
) -> HttpResponse:
    kept = [(usual, event_settings_from_json(usual.settings)) for usual in usual_nights_of(club)]
    context = {
        "club": club,
        "kept": kept,
        "events": events_of(club)[:MOST_OFFERED],
        "chosen": request.POST.get("event", request.GET.get("event", "")),
        "done": club_line(club, request.GET.get("done", "")),
        "typed": request.POST,
        "refusal": refusal,
        "renamed": renamed,
    }
    return TemplateResponse(request, "tournaments/events/event_templates.html", context)
