"""A player's own link, from the QR code of a badge or the letters beside it. Only its holder can report the
player's attendance."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.audit.log import Actor
from clubs.models import ORIGIN_LENGTH, Person
from clubs.pages import get_origin, get_request_key, note_refusal, require_post_from
from clubs.phone_owner import PhoneOwner, find_owner, remember_owner
from clubs.services import rate_limit
from errors import Refusal
from tournaments.alerts.phones import find_phone_alert
from tournaments.alerts.services import stop_alerts
from tournaments.entries.badge_codes import are_badge_letters
from tournaments.entries.phone_owner import can_act_for, get_phone_person
from tournaments.entries.services.player_attendance import AttendanceReport, say_attendance
from tournaments.events.views.access import player_link_required, public_event_required
from tournaments.models import Event
from tournaments.public.presenters.player_nights import list_player_nights
from tournaments.rounds.queries.presence import find_event_player
from web.client_address import get_client_address

from .player_page import render_choices, render_refused_page

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
    return TemplateResponse(request, "tournaments/public/own_page/nights.html", context)


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
