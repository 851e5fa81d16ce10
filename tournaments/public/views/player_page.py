"""A player's own page, and the ways to open it."""

from dataclasses import dataclass, replace
from functools import partial

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from clubs.absolute_urls import build_absolute_url
from clubs.audit.log import Actor
from clubs.models import ORIGIN_LENGTH, Person
from clubs.pages import get_origin, get_request_key, note_refusal, require_post_from
from clubs.phone_owner import PhoneOwner, find_owner, remember_owner
from clubs.services import rate_limit
from errors import Refusal
from live.conditional_pages import (
    conditional_page,
    get_part_etag,
    get_template_or_part,
    is_partial_request,
    read_snapshot,
)
from scoring.qr import build_card_path
from scoring.table_access import TABLE_PARAM, read_sealed_match
from tournaments.alerts.phones import find_phone_alert
from tournaments.alerts.presenters import MailOffer, build_mail_offer
from tournaments.alerts.services import stop_alerts
from tournaments.entries.badge_codes import are_badge_letters
from tournaments.entries.phone_owner import can_act_for, get_phone_person, has_former_owner
from tournaments.events.views.access import player_link_required, public_event_required, serve_event_page
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.public.presenters.player_attendance import build_player_attendance, list_player_nights
from tournaments.public.presenters.player_choices import PlayerChoice, build_player_choices
from tournaments.public.presenters.player_page import build_player_page
from tournaments.public.presenters.player_picture import build_player_picture
from tournaments.public.queries.player_page import find_player_card
from tournaments.public.services import AttendanceReport, say_attendance
from tournaments.rounds.queries.presence import find_event_player
from tournaments.sharing.link_preview_files import build_picture_response
from tournaments.sharing.presenters.link_previews import build_event_picture
from tournaments.sharing.presenters.press import get_press_report
from tournaments.sharing.press.values import PressReport
from tournaments.standings.queries.delays import get_watched_revision
from web.client_address import get_client_address
from web.web_push import get_application_key

SALT = "tournaments.views.own"
"""Salt of the choices on an open page: it is data, not a module's name."""

CHOICE_FIELD = "person"
CARD_MARK = " card"
"""Mark beside a choice made at a table that this phone has opened by its card."""


@require_safe
@read_snapshot()
@public_event_required
def player_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the page of this phone's owner, or let them choose who they are. They choose among the people at
    the table sealed in ``?at=``, or search by name, ``?who=``."""
    person = get_phone_person(request, event)
    if person is not None:
        phone = _get_phone_rights(request, event, person)
        return serve_event_page(request, event, f"own-{person.pk}-{phone}", partial(_render_page, person, phone))
    return HttpResponseClientRefresh() if is_partial_request(request) else render_choices(request, event)


def render_choices(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the choice of this phone's owner, perhaps with the reason why a link did not open."""
    seal = request.GET.get(TABLE_PARAM, "")
    choices = build_player_choices(event, match_id=read_sealed_match(seal), query=request.GET.get("who", ""))
    signer = _get_signer(event)

    def seal_choices(options: tuple[PlayerChoice, ...], mark: str = "") -> list[tuple[str, PlayerChoice]]:
        return [(signer.sign(f"{choice.person.pk}{mark}"), choice) for choice in options]

    return TemplateResponse(
        request,
        "tournaments/public/player_page/name_choice.html",
        {
            "event": event,
            "choices": choices,
            "at_table": seal_choices(choices.table_choices, CARD_MARK),
            "called": seal_choices(choices.search_results),
            "seal": seal if choices.table_choices else "",
            "is_off": has_former_owner(request, event),
            **_get_story(event),
        },
    )


def render_refused_page(request: HttpRequest, event: Event, person: Person) -> HttpResponse:
    """Show the whole page with a refusal; its next refresh loads all of it again."""
    revision = f"{get_watched_revision(event)}.refused"
    return _render_page(person, _get_phone_rights(request, event, person), request, event, revision)


@dataclass(frozen=True, slots=True, kw_only=True)
class _PhoneRights:
    """Rights of a phone: whether it may act for the person (``may_speak``), open their table (``may_open_table``),
    and receives alerts (``has_alerts``). ``mail`` is the offer of e-mail alerts, if any."""

    may_speak: bool
    may_open_table: bool
    has_alerts: bool
    mail: MailOffer | None


def _get_phone_rights(request: HttpRequest, event: Event, person: Person) -> _PhoneRights:
    alert = find_phone_alert(request, event)
    is_own = can_act_for(request, event, person)
    mail = build_mail_offer(event, person) if is_own else None
    owner = find_owner(request, event.topic)
    has_card = owner is not None and owner.has_card
    return _PhoneRights(may_speak=is_own, may_open_table=is_own or has_card, has_alerts=alert is not None, mail=mail)


def _render_page(
    person: Person, phone: _PhoneRights, request: HttpRequest, event: Event, revision: str
) -> HttpResponse:
    context = {
        "event": event,
        "seen": event.visible,
        "own_page": build_player_page(event, person),
        "attendance": build_player_attendance(event, person.pk) if phone.may_speak else None,
        "counts_games": event.counts_games,
        "is_own": phone.may_speak,
        "opens_table": phone.may_open_table,
        "is_told": phone.has_alerts,
        "mail": phone.mail,
        "application_key": get_application_key(),
        "typed": request.POST,
        "whole_address": build_absolute_url(request, event.get_absolute_url()),
        **_get_story(event),
        "etag": get_part_etag(request, revision),
    }
    return TemplateResponse(
        request, get_template_or_part(request, "tournaments/public/player_page/page.html#live"), context
    )


def _get_story(event: Event) -> dict[str, PressReport]:
    """Return the story of an event that has ended, for the last visit of its players."""
    return {"press_report": get_press_report(event)} if event.state == EventState.ENDED else {}


@require_post_from("own-page", "short")
@public_event_required
def choose_player(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose whose phone this is, or nobody's."""
    response = redirect("own-page", event.short)
    alert = find_phone_alert(request, event)
    if alert is not None:  # alerts of the phone's owner until now
        stop_alerts(alert.pk)
    try:
        person, _, card = _get_signer(event).unsign(request.POST.get(CHOICE_FIELD, "")).partition(" ")
        owner = PhoneOwner(person=int(person), has_card=card != "")
    except BadSignature:
        owner = None
    remember_owner(request, response, event.topic, owner)
    return response


@require_safe
@public_event_required
def open_own_table(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Open the page where the player's table records its hands, without its card. The phone must have opened
    a table of the event by a card, or shown the badge letters."""
    owner = find_owner(request, event.topic)
    is_let_in = owner is not None and (owner.has_card or owner.has_letters)
    card = find_player_card(event, owner.person, number) if owner is not None and is_let_in else None
    return redirect("own-page", event.short) if card is None else redirect(build_card_path(card))


@require_safe
@public_event_required
def player_picture(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a picture of the player's rank to send, or that of the event if the phone has no owner."""
    person = get_phone_person(request, event)
    picture = (
        build_event_picture(event) if person is None else build_player_picture(event, build_player_page(event, person))
    )
    return conditional_page(request, picture.digest, partial(build_picture_response, picture, event.club))


def _get_signer(event: Event) -> Signer:
    """Return the event's signer: a choice is valid only in the event that offered it."""
    return Signer(salt=f"{SALT} {event.short}")


LETTER_ATTEMPTS, EVENT_LETTER_ATTEMPTS = "own letters", "own letters of event {}"
MAX_ATTEMPTS, MAX_EVENT_ATTEMPTS = 200, 1000
"""Wrong letters allowed in ten minutes: per address, as a whole hall may share one, and per event from all
addresses. There are 64 million codes: a day of guessing finds one of an event with a chance of 0.2 %."""


@require_safe
@player_link_required
def follow_link(request: HttpRequest, event: Event, pk: int, letters: str) -> HttpResponse:
    """Open a player's own page by the QR code of their badge. From now on this phone shows it, and may report
    their attendance."""
    try:
        person = _find_person(request, event, pk, letters)
    except Refusal as refusal:
        note_refusal(request, refusal)
        return render_choices(request, event)
    return _remember_device(request, event, person)


@require_post_from("own-page", "short")
@public_event_required
def enter_letters(request: HttpRequest, event: Event) -> HttpResponse:
    """Open a player's own page by the letters of their badge, once their name was chosen."""
    chosen = get_phone_person(request, event)
    if chosen is None:
        return redirect("own-page", event.short)
    try:
        person = _find_person(request, event, chosen.pk, request.POST.get("letters", ""))
    except Refusal as refusal:
        note_refusal(request, refusal)
        return render_refused_page(request, event, chosen)
    return _remember_device(request, event, person)


@require_post_from("own-page", "short")
@public_event_required
def report_attendance(request: HttpRequest, event: Event) -> HttpResponse:
    """Report a player as here, late, away or leaving; for both players of a pair."""
    person = get_phone_person(request, event)
    if person is None or not can_act_for(request, event, person):
        return redirect("own-page", event.short)
    origin = f"{person.name}, {get_origin(request)}"[:ORIGIN_LENGTH]
    by = Actor(key=get_request_key(request), origin=origin)
    try:
        say_attendance(event=event, person_id=person.pk, report=_parse_report(request.POST.get("word", "")), by=by)
    except Refusal as refusal:
        note_refusal(request, refusal)
        return render_refused_page(request, event, person)
    return redirect("own-page", event.short)


@require_safe
@public_event_required
def player_nights_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the nights that a player has played with the club. It needs the badge letters: together, the
    nights tell more about a person than each does."""
    person = get_phone_person(request, event)
    if person is None:
        return render_choices(request, event)
    if not can_act_for(request, event, person):
        return redirect("own-page", event.short)
    context = {"event": event, "nights": list_player_nights(event, person)}
    return TemplateResponse(request, "tournaments/public/player_page/nights.html", context)


def _find_person(request: HttpRequest, event: Event, person_id: int, letters: str) -> Person:
    """Return the person with these badge letters. Refuses: own_letters_wrong, too_many_own_letters, entry_removed."""
    attempts = (LETTER_ATTEMPTS, get_client_address(request)), (EVENT_LETTER_ATTEMPTS.format(event.pk), "")
    misses, event_misses = rate_limit.get_miss_counts(*attempts)
    if misses >= MAX_ATTEMPTS or event_misses >= MAX_EVENT_ATTEMPTS:
        raise Refusal("too_many_own_letters", field="letters")
    if not are_badge_letters(letters, event, person_id):
        for counter, address in attempts:
            rate_limit.record_miss(counter, address)
        raise Refusal("own_letters_wrong", field="letters")
    person = find_event_player(event, person_id)
    if person is None:
        raise Refusal("entry_removed", field="letters")
    return person


def _remember_device(request: HttpRequest, event: Event, person: Person) -> HttpResponse:
    response = redirect("own-page", event.short)
    alert = find_phone_alert(request, event)
    owner = find_owner(request, event.topic)
    if owner is None or owner.person != person.pk:  # another person's phone until now
        if alert is not None:
            stop_alerts(alert.pk)
        owner = PhoneOwner(person=person.pk)
    remember_owner(request, response, event.topic, replace(owner, has_letters=True))
    return response


def _parse_report(text: str) -> AttendanceReport:
    """Read a report of attendance. Refuses: no_such_choice."""
    try:
        return AttendanceReport(text)
    except ValueError:
        raise Refusal("no_such_choice", value=text, choices=tuple(AttendanceReport)) from None
