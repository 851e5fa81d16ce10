"""Page of the starting list."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import get_actor
from clubs.audit.log import Actor
from errors import Refusal
from scoring.parsing import parse_whole_number
from tournaments.entries.presenters.entries import build_entries_view
from tournaments.entries.services.starting_list import move_entry, order_entries, place_entries
from tournaments.events.views.access import event_directors_only
from tournaments.models import Event

PLACE_PREFIX = "place-"
"""Prefix of the field of an entry, before its number."""


@require_http_methods(["GET", "HEAD", "POST"])
@event_directors_only
def starting_list_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Order the starting list: by typed numbers, one step at a time, by rating, by lot, or as entered."""
    refusal = None
    if request.method == "POST":
        try:
            _change_order(request, event, get_actor(request))
            return redirect("starting-list", short=event.short)
        except Refusal as refused:
            refusal = refused
    return TemplateResponse(
        request,
        "tournaments/entries/order.html",
        {"event": event, "view": build_entries_view(event), "refusal": refusal},
    )


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
