"""A page of one's own in an event, remembered by this phone: no account, and nothing but whose it is."""

from dataclasses import dataclass
from functools import partial

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from clubs.absolute_urls import absolute_url
from clubs.models import Person
from clubs.post_only import posted_from
from live.conditional_pages import asks_for_part, conditional_page, page_or_part, part_tag
from rules import Refusal
from scoring.table_access import AT_TABLE, match_sealed
from tournaments.alerts.presenters import MailOffer, mail_offer
from tournaments.alerts.services import stop_alerts
from tournaments.events.views.access import conditional_event_page, for_watchers
from tournaments.models import Event
from tournaments.public.presenters.own_attendance import own_attendance
from tournaments.public.presenters.own_choices import OwnChoice, own_choices
from tournaments.public.presenters.own_page import own_page
from tournaments.public.presenters.own_picture import own_picture
from tournaments.sharing.link_preview_files import path_of
from tournaments.sharing.link_previews import png_of
from tournaments.sharing.presenters.link_previews import event_picture
from tournaments.standings.queries.lateness import watched_revision
from web.web_push import application_key

from .own_cookies import (
    forget_alert,
    forget_person,
    is_of_nobody_any_more,
    may_speak_for,
    remember_person,
    remembered_alert,
    remembered_person,
)

SALT = "tournaments.views.own"
"""Of choices that an open page offers: the salt is data, and no name of a module."""

CHOICE = "person"


@require_safe
@for_watchers
def own_page_of_event(request: HttpRequest, event: Event) -> HttpResponse:
    """The page of whom this phone knows; else who it may be: those at the table that ``?at=`` seals, or by
    name, ``?who=``."""
    person = remembered_person(request, event)
    if person is not None:
        phone = _phone_of(request, event, person)
        return conditional_event_page(
            request, event, f"own-{person.pk}-{phone}", partial(_own_page, person, phone)
        )
    return HttpResponseClientRefresh() if asks_for_part(request) else shown_choices(request, event)


def shown_choices(request: HttpRequest, event: Event, refusal: Refusal | None = None) -> HttpResponse:
    """Who this phone may be of; perhaps with why a link did not open."""
    seal = request.GET.get(AT_TABLE, "")
    choices = own_choices(event, match_id=match_sealed(seal), asked=request.GET.get("who", ""))
    signer = _signer(event)

    def seal_choices(those: tuple[OwnChoice, ...]) -> list[tuple[str, OwnChoice]]:
        return [(signer.sign(str(one.person.pk)), one) for one in those]

    return TemplateResponse(
        request,
        "tournaments/public/own_page/choosing.html",
        {
            "event": event,
            "choices": choices,
            "at_table": seal_choices(choices.at_table),
            "called": seal_choices(choices.called),
            "seal": seal if choices.at_table else "",
            "is_off": is_of_nobody_any_more(request, event),
            "refusal": refusal,
        },
    )


def shown_own_page(request: HttpRequest, event: Event, person: Person, refusal: Refusal) -> HttpResponse:
    """The whole page, with what was refused; its next look for news brings all of it anew."""
    revision = f"{watched_revision(event)}.refused"
    return _own_page(person, _phone_of(request, event, person), request, event, revision, refusal=refusal)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Phone:
    """Whether it ``is_own``, and speaks for the person, and ``is_told`` where they sit; and what ``mail``
    tells them, where it can."""

    is_own: bool
    is_told: bool
    mail: MailOffer | None


def _phone_of(request: HttpRequest, event: Event, person: Person) -> _Phone:
    told = remembered_alert(request, event)
    is_own = may_speak_for(request, event, person)
    mail = mail_offer(event, person) if is_own else None
    return _Phone(is_own=is_own, is_told=told is not None, mail=mail)


def _own_page(
    person: Person,
    phone: _Phone,
    request: HttpRequest,
    event: Event,
    revision: str,
    *,
    refusal: Refusal | None = None,
) -> HttpResponse:
    context = {
        "event": event,
        "seen": event.visible,
        "own_page": own_page(event, person),
        "attendance": own_attendance(event, person.pk) if phone.is_own else None,
        "counts_games": event.terms.match_format.games_to_win != 1,
        "is_own": phone.is_own,
        "is_told": phone.is_told,
        "mail": phone.mail,
        "application_key": application_key(),
        "refusal": refusal,
        "typed": request.POST,
        "whole_address": absolute_url(request, event.get_absolute_url()),
        "etag": part_tag(request, revision),
    }
    return TemplateResponse(
        request, page_or_part(request, "tournaments/public/own_page/page.html#live"), context
    )


@posted_from("own-page", "short")
@for_watchers
def choose(request: HttpRequest, event: Event) -> HttpResponse:
    """This phone is of whom was chosen; of nobody, where nobody was."""
    response = redirect("own-page", event.short)
    told = remembered_alert(request, event)
    if told is not None:  # of whom this phone was before
        stop_alerts(told.pk)
        forget_alert(response, event)
    try:
        chosen = _signer(event).unsign(request.POST.get(CHOICE, ""))
    except BadSignature:
        forget_person(response, event)
        return response
    remember_person(request, response, event, chosen)
    return response


@require_safe
@for_watchers
def own_picture_of_event(request: HttpRequest, event: Event) -> HttpResponse:
    """How one stands, as a picture to send; that of the event, where this phone knows nobody."""
    person = remembered_person(request, event)
    picture = event_picture(event) if person is None else own_picture(event, own_page(event, person))

    def answer() -> HttpResponse:
        return HttpResponse(png_of(picture, path_of(picture, event.club)), content_type="image/png")

    return conditional_page(request, picture.digest, answer)


def _signer(event: Event) -> Signer:
    """Of an event: nobody is chosen who was not offered there."""
    return Signer(salt=f"{SALT} {event.short}")
