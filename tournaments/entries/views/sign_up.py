"""Online sign-up pages for players, with or without a partner."""

from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from clubs.actor import request_key
from clubs.audit.log import Actor
from clubs.services import rate_limit
from errors import Refusal
from tournaments.entries.presenters.sign_up import own_ways, partner_seekers
from tournaments.entries.queries.entries import place_of, player_alone, sign_up_of
from tournaments.entries.services.entries import PLAYER_FIELDS
from tournaments.entries.services.sign_up import sign_off, sign_up
from tournaments.events.views.access import for_its_link, for_watchers
from tournaments.models import Event
from web.client_address import client_address

from .sign_up_cookie import remember_sign_up, remembered_sign_ups

TRIES = "sign-ups"
MOST_TRIES = 200
"""Most sign-ups from one address in ten minutes: a whole hall may share it."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_watchers
def sign_up_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Sign up for an event, then go to the page that says whether one has a place."""
    refusal = None
    if request.method == "POST":
        key = request_key(request) or uuid4()
        try:
            _sign_up(request, event, Actor(key=key))
        except Refusal as refused:
            refusal = refused
        else:
            response = redirect("signed-up", short=event.short, key=key)
            remember_sign_up(request, response, event, key)
            return response
    return TemplateResponse(
        request,
        "tournaments/entries/sign_up.html",
        {
            "event": event,
            "remembered": remembered_sign_ups(request, event),
            "looking": partner_seekers(event) if event.takes_sign_ups else None,
            "refusal": refusal,
            "typed": request.POST,
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
@for_its_link
def signed_up_page(request: HttpRequest, event: Event, key: UUID) -> HttpResponse:
    """Show whether a sign-up has a place or waits, with links to the players' own pages; cancel it here."""
    action, entry = sign_up_of(event, key)
    if action is None:
        raise Http404
    refusal = None
    if request.method == "POST":
        try:
            sign_off(event_id=event.pk, key=key)
        except Refusal as refused:
            refusal = refused
        else:
            return redirect("signed-up", short=event.short, key=key)
    return TemplateResponse(
        request,
        "tournaments/entries/signed_up.html",
        {
            "event": event,
            "entry": entry,
            "is_alone": entry is not None
            and event.entry_size > 1
            and player_alone(action, entry) is not None,
            "place": None if entry is None else place_of(entry),
            "ways": () if entry is None else own_ways(action, entry),
            "refusal": refusal,
        },
    )


def _sign_up(request: HttpRequest, event: Event, by: Actor) -> None:
    """Sign up the players of the form. Refuses: too_many_sign_ups, and what ``sign_up`` refuses."""
    address = client_address(request)
    action, _ = sign_up_of(event, by.key)
    if action is None:
        if rate_limit.has_missed_too_often(TRIES, address, allowed=MOST_TRIES):
            raise Refusal("too_many_sign_ups", field=PLAYER_FIELDS[0])
        rate_limit.count_miss(TRIES, address)
    players = [request.POST.get(field, "") for field in PLAYER_FIELDS]
    sign_up(event_id=event.pk, players=players, needs_partner="needs_partner" in request.POST, by=by)
