"""Night templates of a club: saved from an event, and used to create one."""

from collections.abc import Callable
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse

from clubs.audit.log import Actor
from clubs.calendar import get_club_today
from clubs.models import Club
from clubs.pages import directors_only, require_post_from
from clubs.queries import query_night_templates
from clubs.services import night_templates as night_templates_services
from clubs.views.history import run_or_render_refusal
from errors import get_or_refuse
from tournaments.events.event_settings import event_settings_from_json, event_settings_to_json, read_event_settings
from tournaments.events.queries import get_club_events, list_recent_events
from tournaments.slots import read_copied_parts

from .event_cloning import build_template_source, render_clone_page

MAX_EVENTS = 20
"""Most events offered for a template, newest first."""


@directors_only
def night_templates(request: HttpRequest, club: Club) -> HttpResponse:
    """List the night templates, or save the settings of an event as a template."""
    if request.method != "POST":
        return _render_templates(request, club)
    return _change_template(request, club, lambda by: _save_template(request, club, by))


@require_post_from("usual-nights", "slug")
@directors_only
def rename(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Rename a night template."""
    name = request.POST.get("name", "")
    return _change_template(
        request,
        club,
        lambda by: night_templates_services.rename_night_template(club_id=club.pk, usual_id=pk, name=name, by=by),
        renamed_id=pk,
    )


@require_post_from("usual-nights", "slug")
@directors_only
def remove_template(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a night template. The notice offers to undo it."""
    return _change_template(
        request, club, lambda by: night_templates_services.remove_night_template(club_id=club.pk, usual_id=pk, by=by)
    )


@directors_only
def create_from_template(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Create an event from a night template, with the people of the last event like it."""
    template, today = get_object_or_404(query_night_templates(club), pk=pk), get_club_today(club)
    return render_clone_page(request, club, build_template_source(template, list_recent_events(club), today))


def _save_template(request: HttpRequest, club: Club, by: Actor) -> None:
    short = request.POST.get("event", "")
    event = get_or_refuse(get_club_events(club).filter(short=short).first(), "no_such_event", field="event")
    night_templates_services.save_night_template(
        club_id=club.pk,
        name=request.POST.get("name", ""),
        settings=event_settings_to_json(read_event_settings(event)) | read_copied_parts(event),
        by=by,
    )


def _change_template(
    request: HttpRequest, club: Club, action: Callable[[Actor], object], *, renamed_id: int | None = None
) -> HttpResponse:
    """Make the change and show the list with a notice, or with the refusal at its field."""
    return run_or_render_refusal(
        request, club, "usual-nights", action, partial(_render_templates, renamed_id=renamed_id)
    )


def _render_templates(request: HttpRequest, club: Club, *, renamed_id: int | None = None) -> HttpResponse:
    templates = [(template, event_settings_from_json(template.settings)) for template in query_night_templates(club)]
    context = {
        "club": club,
        "night_templates": templates,
        "events": get_club_events(club)[:MAX_EVENTS],
        "chosen": request.POST.get("event", request.GET.get("event", "")),
        "typed": request.POST,
        "renamed": renamed_id,
    }
    return TemplateResponse(request, "tournaments/events/event_templates.html", context)
