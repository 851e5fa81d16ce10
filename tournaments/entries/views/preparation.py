"""Pages that prepare the draws: the starting list, teams, and entries kept apart."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from clubs.audit.log import Actor
from clubs.pages import get_actor, is_submitted, show_refusals
from scoring.parsing import parse_optional_number, parse_whole_number
from tournaments.entries.presenters.bonds import build_apart_view
from tournaments.entries.presenters.entries import build_entries_view
from tournaments.entries.queries.entries import get_entries
from tournaments.entries.services.bonds import keep_apart, let_meet
from tournaments.entries.services.starting_list import move_entry, order_entries, place_entries
from tournaments.entries.services.teams import set_team
from tournaments.events.views.access import event_directors_only
from tournaments.history.views.shown_values import ShownRows, build_form_version, get_form_actor
from tournaments.models import Event
from web.forms import parse_digits
from web.names import unify_spellings

PLACE_PREFIX = "place-"
"""Prefix of the field of an entry, before its number."""


@event_directors_only
@show_refusals
def starting_list_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Order the starting list: by typed numbers, one step at a time, by rating, by lot, or as entered."""
    shown = ShownRows(event=event, rows=get_entries(event), columns=("number",), code="changed_since")
    if is_submitted(request):
        _change_order(request, event, get_form_actor(request, shown))
        return redirect("starting-list", short=event.short)
    context = {"event": event, "view": build_entries_view(event), "form_version": build_form_version(request, shown)}
    return TemplateResponse(request, "tournaments/entries/starting_list.html", context)


def _change_order(request: HttpRequest, event: Event, by: Actor) -> None:
    form_data = request.POST
    for name in ("up", "down"):
        if name in form_data:
            move_entry(event_id=event.pk, number=parse_whole_number(form_data, name), is_up=name == "up", by=by)
            return
    if "way" in form_data:
        order_entries(event_id=event.pk, way=form_data["way"], by=by)
        return
    places = {
        int(name.removeprefix(PLACE_PREFIX)): parse_whole_number(form_data, name)
        for name in form_data
        if name.startswith(PLACE_PREFIX) and name.removeprefix(PLACE_PREFIX).isdecimal()
    }
    place_entries(event_id=event.pk, places=places, by=by)


@event_directors_only
@show_refusals
def teams_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Select entries and set the club or team that they play for."""
    entries, selected = get_entries(event), request.POST.getlist("entry")
    changed_entries = [entry for entry in entries if str(entry.number) in selected]
    shown = ShownRows(event=event, rows=changed_entries, columns=("team",))
    if is_submitted(request):
        numbers = [parse_digits(text, max_digits=5) or 0 for text in selected]
        team, by = request.POST.get("team", ""), get_form_actor(request, shown)
        set_team(event_id=event.pk, numbers=numbers, team=team, by=by)
        return redirect("teams", short=event.short)
    context = {
        "event": event,
        "entries": entries,
        "teams": sorted(unify_spellings(entry.team for entry in entries if entry.team).values()),
        "selected": selected,
        "typed": request.POST,
        "form_version": build_form_version(request, shown),
    }
    return TemplateResponse(request, "tournaments/entries/teams.html", context)


@event_directors_only
@show_refusals
def apart_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Keep entries apart in the draws, let them meet again, and see what entries share."""
    if is_submitted(request):
        _save_change(request, event, get_actor(request))
        return redirect("kept-apart", short=event.short)
    return TemplateResponse(
        request,
        "tournaments/entries/separations.html",
        {"event": event, "view": build_apart_view(event), "typed": request.POST},
    )


def _save_change(request: HttpRequest, event: Event, by: Actor) -> None:
    form_data = request.POST
    if "meet" in form_data:
        let_meet(event_id=event.pk, key=form_data["meet"], by=by)
        return
    keep_apart(
        event_id=event.pk,
        text=form_data.get("apart", ""),
        always=form_data.get("how") != "if_possible",
        rounds=parse_optional_number(form_data, "rounds"),
        by=by,
    )
