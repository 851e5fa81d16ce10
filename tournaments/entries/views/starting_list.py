"""Page of the starting list."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import actor_from
from clubs.audit.log import Actor
from errors import Refusal
from scoring.parsing import whole_number
from tournaments.entries.presenters.entries import entries_view
from tournaments.entries.services.starting_list import move_entry, order_entries, place_entries
from tournaments.events.views.access import for_directors
from tournaments.models import Event

PLACE = "place-"
"""Prefix of the field of an entry, before its number."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_directors
def starting_list_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Order the starting list: by typed numbers, one step at a time, by rating, by lot, or as entered."""
    refusal = None
    if request.method == "POST":
        try:
            _order(request, event, actor_from(request))
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("starting-list", short=event.short)
    return TemplateResponse(
        request,
        "tournaments/entries/order.html",
        {"event": event, "view": entries_view(event), "refusal": refusal},
    )


def _order(request: HttpRequest, event: Event, by: Actor) -> None:
    typed = request.POST
    for name in ("up", "down"):
        if name in typed:
            move_entry(event_id=event.pk, number=whole_number(typed, name), is_up=name == "up", by=by)
            return
    if "way" in typed:
        order_entries(event_id=event.pk, way=typed["way"], by=by)
        return
    places = {
        int(name.removeprefix(PLACE)): whole_number(typed, name)
        for name in typed
        if name.startswith(PLACE) and name.removeprefix(PLACE).isdecimal()
    }
    place_entries(event_id=event.pk, places=places, by=by)
