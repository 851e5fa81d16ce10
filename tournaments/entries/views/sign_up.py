"""Online sign-up pages for players, with or without a partner."""

from datetime import timedelta
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from clubs.audit.log import Actor
from clubs.pages import get_request_key, is_submitted, show_refusals
from clubs.services import rate_limit
from errors import Refusal
from tournaments.entries.presenters.sign_up import build_partner_seekers_view, build_player_links
from tournaments.entries.queries.entries import place_of, player_alone, sign_up_of
from tournaments.entries.services.entries import PLAYER_FIELDS
from tournaments.entries.services.sign_up import sign_off, sign_up
from tournaments.entries.services.waiting_list import count_free_places
from tournaments.events.views.access import event_link_required, public_event_required
from tournaments.models import Entry, Event
from web.client_address import get_client_address
from web.signed_cookies import get_signed_value, set_signed_value

COOKIE_NAME = "signed-up"
SALT = "tournaments.sign_ups"
COOKIE_AGE = timedelta(days=60)
MAX_SIGN_UPS = 6
"""Most sign-ups that a phone remembers, for example of a whole family."""


def list_remembered_sign_ups(request: HttpRequest, event: Event) -> list[tuple[UUID, Entry]]:
    """Return the key and the entry of each sign-up from this phone that is still listed. At most twelve
    queries, or none."""
    keys = [UUID(key) for short, key in _read_sign_ups(request) if short == event.short]
    entries_by_key = ((key, sign_up_of(event, key)[1]) for key in keys)
    return [(key, entry) for key, entry in entries_by_key if entry is not None]


def remember_sign_up(request: HttpRequest, response: HttpResponse, event: Event, key: UUID) -> None:
    """Remember a sign-up on this phone, with the last few others."""
    new = (event.short, key.hex)
    sign_ups = [*(sign_up for sign_up in _read_sign_ups(request) if sign_up != new), new]
    value = "|".join(map(".".join, sign_ups[-MAX_SIGN_UPS:]))
    set_signed_value(request, response, COOKIE_NAME, value, salt=SALT, path="/", max_age=COOKIE_AGE)


def _read_sign_ups(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the event's short name and the key of each sign-up, newest last."""
    value = get_signed_value(request, COOKIE_NAME, salt=SALT)
    pairs = (part.partition(".") for part in value.split("|")) if value else ()
    return [(short, key) for short, _, key in pairs]


RATE_LIMIT_SCOPE = "sign-ups"
MOST_TRIES = 200
"""Most sign-ups from one address in ten minutes: a whole hall may share it."""


@public_event_required
@show_refusals
def sign_up_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Sign up for an event, then go to the page that says whether one has a place."""
    if is_submitted(request):
        key = get_request_key(request) or uuid4()
        _sign_up_players(request, event, Actor(key=key))
        response = redirect("signed-up", short=event.short, key=key)
        remember_sign_up(request, response, event, key)
        return response
    return TemplateResponse(
        request,
        "tournaments/entries/sign_up.html",
        {
            "event": event,
            "remembered": list_remembered_sign_ups(request, event),
            "is_full": event.is_sign_up_open and count_free_places(event) == 0,
            "looking": build_partner_seekers_view(event) if event.is_sign_up_open else None,
            "typed": request.POST,
        },
    )


@event_link_required
@show_refusals
def signed_up_page(request: HttpRequest, event: Event, key: UUID) -> HttpResponse:
    """Show whether a sign-up has a place or waits, with links to the players' own pages; cancel it here."""
    action, entry = sign_up_of(event, key)
    if action is None:
        raise Http404
    if is_submitted(request):
        sign_off(event_id=event.pk, key=key)
        return redirect("signed-up", short=event.short, key=key)
    return TemplateResponse(
        request,
        "tournaments/entries/sign_up_confirmation.html",
        {
            "event": event,
            "entry": entry,
            "is_alone": entry is not None and event.entry_size > 1 and player_alone(action, entry) is not None,
            "place": None if entry is None else place_of(entry),
            "ways": () if entry is None else build_player_links(action, entry),
        },
    )


def _sign_up_players(request: HttpRequest, event: Event, by: Actor) -> None:
    """Sign up the players of the form. Refuses: too_many_sign_ups, and what ``sign_up`` refuses."""
    address = get_client_address(request)
    action, _ = sign_up_of(event, by.key)
    if action is None:
        if rate_limit.exceeds_miss_limit(RATE_LIMIT_SCOPE, address, max_misses=MOST_TRIES):
            raise Refusal("too_many_sign_ups", field=PLAYER_FIELDS[0])
        rate_limit.record_miss(RATE_LIMIT_SCOPE, address)
    players = [request.POST.get(field, "") for field in PLAYER_FIELDS]
    sign_up(event_id=event.pk, players=players, needs_partner="needs_partner" in request.POST, by=by)
