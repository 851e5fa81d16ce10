"""A page of one's own in an event, remembered by this phone: no account, and nothing but whose it is."""

from datetime import timedelta
from functools import partial

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.models import Person
from clubs.post_only import posted_from
from live.conditional_pages import asks_for_part, conditional_page, htmx_refresh, page_or_part, part_tag
from scoring.table_access import AT_TABLE, match_sealed
from tournaments.events.views.access import for_watchers, watched_by
from tournaments.models import Event
from tournaments.public.presenters.own_page import OwnChoice, own_choices, own_page, own_picture
from tournaments.public.queries.own_page import player_in
from tournaments.sharing.link_preview_files import path_of
from tournaments.sharing.link_previews import png_of
from tournaments.sharing.presenters.link_previews import event_picture

SALT = "tournaments.views.own"
"""Of choices that an open page offers: the salt is data, and no name of a module."""

COOKIE = "mine"
REMEMBERED = timedelta(days=60)
CHOICE = "person"


@require_safe
@for_watchers
def own_page_of_event(request: HttpRequest, event: Event) -> HttpResponse:
    """The page of whom this phone knows; else who it may be: those at the table that ``?at=`` seals, or by
    name, ``?who=``."""
    person = _remembered(request, event)
    if person is not None:
        return watched_by(request, event, f"own-{person.pk}", partial(_own_page, person))
    if asks_for_part(request):
        return htmx_refresh()
    seal = request.GET.get(AT_TABLE, "")
    choices = own_choices(event, match_id=match_sealed(seal), asked=request.GET.get("who", ""))
    signer = _signer(event)

    def sealed(those: tuple[OwnChoice, ...]) -> list[tuple[str, OwnChoice]]:
        return [(signer.sign(str(one.person.pk)), one) for one in those]

    return TemplateResponse(
        request,
        "tournaments/public/own_page/choosing.html",
        {
            "event": event,
            "choices": choices,
            "at_table": sealed(choices.at_table),
            "called": sealed(choices.called),
            "seal": seal if choices.at_table else "",
        },
    )


def _own_page(person: Person, request: HttpRequest, event: Event, revision: str) -> HttpResponse:
    context = {
        "event": event,
        "seen": event.visible,
        "page": own_page(event, person),
        "counts_games": event.terms.match_format.games_to_win != 1,
        "etag": part_tag(request, revision),
    }
    return TemplateResponse(
        request, page_or_part(request, "tournaments/public/own_page/page.html#live"), context
    )


@posted_from("own-page", "short")
@for_watchers
def choose(request: HttpRequest, event: Event) -> HttpResponse:
    """This phone is of whom was chosen; of nobody, where nobody was."""
    address = reverse("own-page", args=[event.short])
    response = redirect(address)
    try:
        chosen = _signer(event).unsign(request.POST.get(CHOICE, ""))
    except BadSignature:
        response.delete_cookie(COOKIE, path=address, samesite="Lax")
        return response
    response.set_signed_cookie(
        COOKIE,
        chosen,
        salt=event.short,
        max_age=REMEMBERED,
        path=address,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response


@require_safe
@for_watchers
def own_picture_of_event(request: HttpRequest, event: Event) -> HttpResponse:
    """How one stands, as a picture to send; that of the event, where this phone knows nobody."""
    person = _remembered(request, event)
    picture = event_picture(event) if person is None else own_picture(event, own_page(event, person))

    def answer() -> HttpResponse:
        return HttpResponse(png_of(picture, path_of(picture, event.club)), content_type="image/png")

    return conditional_page(request, picture.digest, answer)


def _remembered(request: HttpRequest, event: Event) -> Person | None:
    """Whose phone it is, while that is somebody of the event. One query, or none."""
    try:
        known = request.get_signed_cookie(COOKIE, default=None, salt=event.short)
    except BadSignature:
        return None
    return None if known is None else player_in(event, int(known))


def _signer(event: Event) -> Signer:
    """Of an event: nobody is chosen who was not offered there."""
    return Signer(salt=f"{SALT} {event.short}")
