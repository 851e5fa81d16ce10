"""A player's own page of an event, remembered by their phone: no account, only whose phone it is."""

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
from clubs.phone_owner import PhoneOwner, owner_in, remember_owner
from clubs.post_only import posted_from
from errors import Refusal
from live.conditional_pages import asks_for_part, conditional_page, page_or_part, part_tag
from scoring.qr import card_address
from scoring.table_access import AT_TABLE, match_sealed
from tournaments.alerts.phones import remembered_alert
from tournaments.alerts.presenters import MailOffer, mail_offer
from tournaments.alerts.services import stop_alerts
from tournaments.entries.phone_owner import is_of_nobody_any_more, may_speak_for, remembered_person
from tournaments.events.views.access import conditional_event_page, for_watchers
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.public.presenters.own_attendance import own_attendance
from tournaments.public.presenters.own_choices import OwnChoice, own_choices
from tournaments.public.presenters.own_page import own_page
from tournaments.public.presenters.own_picture import own_picture
from tournaments.public.queries.own_page import card_at_table_of
from tournaments.sharing.link_preview_files import path_of
from tournaments.sharing.link_previews import png_of
from tournaments.sharing.presenters.link_previews import event_picture
from tournaments.sharing.presenters.press import press_report
from tournaments.sharing.press import PressReport
from tournaments.standings.queries.delays import watched_revision
from web.web_push import application_key

SALT = "tournaments.views.own"
"""Salt of the choices on an open page: it is data, not a module's name."""

CHOICE = "person"
WITH_CARD = " card"
"""Mark beside a choice made at a table that this phone has opened by its card."""


@require_safe
@for_watchers
def own_page_of_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the page of this phone's owner, or let them choose who they are. They choose among the people at
    the table sealed in ``?at=``, or search by name, ``?who=``."""
    person = remembered_person(request, event)
    if person is not None:
        phone = _phone_of(request, event, person)
        return conditional_event_page(
            request, event, f"own-{person.pk}-{phone}", partial(_own_page, person, phone)
        )
    return HttpResponseClientRefresh() if asks_for_part(request) else shown_choices(request, event)


def shown_choices(request: HttpRequest, event: Event, refusal: Refusal | None = None) -> HttpResponse:
    """Show the choice of this phone's owner, perhaps with the reason why a link did not open."""
    seal = request.GET.get(AT_TABLE, "")
    choices = own_choices(event, match_id=match_sealed(seal), asked=request.GET.get("who", ""))
    signer = _signer(event)

    def seal_choices(those: tuple[OwnChoice, ...], came: str = "") -> list[tuple[str, OwnChoice]]:
        return [(signer.sign(f"{one.person.pk}{came}"), one) for one in those]

    return TemplateResponse(
        request,
        "tournaments/public/own_page/choosing.html",
        {
            "event": event,
            "choices": choices,
            "at_table": seal_choices(choices.at_table, WITH_CARD),
            "called": seal_choices(choices.called),
            "seal": seal if choices.at_table else "",
            "is_off": is_of_nobody_any_more(request, event),
            "refusal": refusal,
            **_end_of(event),
        },
    )


def shown_own_page(request: HttpRequest, event: Event, person: Person, refusal: Refusal) -> HttpResponse:
    """Show the whole page with a refusal; its next refresh loads all of it again."""
    revision = f"{watched_revision(event)}.refused"
    return _own_page(person, _phone_of(request, event, person), request, event, revision, refusal=refusal)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Phone:
    """Rights of a phone. It ``is_own`` if it may speak for the person, ``opens_table`` if it may open
    their table, and ``is_told`` if it has alerts; ``mail`` is the offer of e-mail alerts, if any."""

    is_own: bool
    opens_table: bool
    is_told: bool
    mail: MailOffer | None


def _phone_of(request: HttpRequest, event: Event, person: Person) -> _Phone:
    told = remembered_alert(request, event)
    is_own = may_speak_for(request, event, person)
    mail = mail_offer(event, person) if is_own else None
    owner = owner_in(request, event.topic)
    has_card = owner is not None and owner.has_card
    return _Phone(is_own=is_own, opens_table=is_own or has_card, is_told=told is not None, mail=mail)


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
        "counts_games": event.counts_games,
        "is_own": phone.is_own,
        "opens_table": phone.opens_table,
        "is_told": phone.is_told,
        "mail": phone.mail,
        "application_key": application_key(),
        "refusal": refusal,
        "typed": request.POST,
        "whole_address": absolute_url(request, event.get_absolute_url()),
        **_end_of(event),
        "etag": part_tag(request, revision),
    }
    return TemplateResponse(
        request, page_or_part(request, "tournaments/public/own_page/page.html#live"), context
    )


def _end_of(event: Event) -> dict[str, PressReport]:
    """Return the story of an event that has ended, for the last visit of its players."""
    return {"told": press_report(event)} if event.state == EventState.ENDED else {}


@posted_from("own-page", "short")
@for_watchers
def choose(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose whose phone this is, or nobody's."""
    response = redirect("own-page", event.short)
    told = remembered_alert(request, event)
    if told is not None:  # alerts of the phone's owner until now
        stop_alerts(told.pk)
    try:
        person, _, card = _signer(event).unsign(request.POST.get(CHOICE, "")).partition(" ")
        owner = PhoneOwner(person=int(person), has_card=card != "")
    except BadSignature:
        owner = None
    remember_owner(request, response, event.topic, owner)
    return response


@require_safe
@for_watchers
def open_own_table(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Open the page where the player's table records its hands, without its card. The phone must have opened
    a table of the event by a card, or shown the badge letters."""
    owner = owner_in(request, event.topic)
    is_let_in = owner is not None and (owner.has_card or owner.has_letters)
    card = card_at_table_of(event, owner.person, number) if owner is not None and is_let_in else None
    return redirect("own-page", event.short) if card is None else redirect(card_address(card))


@require_safe
@for_watchers
def own_picture_of_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a picture of the player's rank to send, or that of the event if the phone has no owner."""
    person = remembered_person(request, event)
    picture = event_picture(event) if person is None else own_picture(event, own_page(event, person))

    def answer() -> HttpResponse:
        return HttpResponse(png_of(picture, path_of(picture, event.club)), content_type="image/png")

    return conditional_page(request, picture.digest, answer)


def _signer(event: Event) -> Signer:
    """Return the event's signer: a choice is valid only in the event that offered it."""
    return Signer(salt=f"{SALT} {event.short}")
