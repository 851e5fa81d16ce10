"""A player's own link, from the QR code of a badge or the letters beside it. Only its holder can report the
player's attendance."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from clubs.actor import origin_of, request_key
from clubs.audit.log import Actor
from clubs.models import ORIGIN_LENGTH, Person
from clubs.phone_owner import PhoneOwner, owner_in, remember_owner
from clubs.post_only import posted_from
from clubs.services import rate_limit
from errors import Refusal
from tournaments.alerts.phones import remembered_alert
from tournaments.alerts.services import stop_alerts
from tournaments.entries.badge_codes import are_own_letters
from tournaments.entries.phone_owner import may_speak_for, remembered_person
from tournaments.entries.services.own_attendance import OwnWord, say_attendance
from tournaments.events.views.access import for_link_of_a_player, for_watchers
from tournaments.models import Event
from tournaments.public.presenters.own_nights import own_nights
from tournaments.rounds.queries.presence import player_in
from web.client_address import client_address

from .own_page import shown_choices, shown_own_page

TRIES, TRIES_TOGETHER = "own letters", "own letters of event {}"
MOST_TRIES, MOST_TOGETHER = 200, 1000
"""Wrong letters allowed in ten minutes: per address, as a whole hall may share one, and per event from all
addresses. There are 64 million codes: a day of guessing finds one of an event with a chance of 0.2 %."""


@require_safe
@for_link_of_a_player
def follow_link(request: HttpRequest, event: Event, pk: int, letters: str) -> HttpResponse:
    """Open a player's own page by the QR code of their badge. From now on this phone shows it, and may report
    their attendance."""
    try:
        person = _person_with(request, event, pk, letters)
    except Refusal as refusal:
        return shown_choices(request, event, refusal)
    return _remember_device(request, event, person)


@posted_from("own-page", "short")
@for_watchers
def type_letters(request: HttpRequest, event: Event) -> HttpResponse:
    """Open a player's own page by the letters of their badge, once their name was chosen."""
    chosen = remembered_person(request, event)
    if chosen is None:
        return redirect("own-page", event.short)
    try:
        person = _person_with(request, event, chosen.pk, request.POST.get("letters", ""))
    except Refusal as refusal:
        return shown_own_page(request, event, chosen, refusal)
    return _remember_device(request, event, person)


@posted_from("own-page", "short")
@for_watchers
def say_own_attendance(request: HttpRequest, event: Event) -> HttpResponse:
    """Report a player as here, late, away or leaving; for both players of a pair."""
    person = remembered_person(request, event)
    if person is None or not may_speak_for(request, event, person):
        return redirect("own-page", event.short)
    origin = f"{person.name}, {origin_of(request)}"[:ORIGIN_LENGTH]
    by = Actor(key=request_key(request), origin=origin)
    try:
        say_attendance(event=event, person_id=person.pk, word=_word(request.POST.get("word", "")), by=by)
    except Refusal as refusal:
        return shown_own_page(request, event, person, refusal)
    return redirect("own-page", event.short)


@require_safe
@for_watchers
def own_nights_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the nights that a player has played with the club. It needs the badge letters: together, the
    nights tell more about a person than each does."""
    person = remembered_person(request, event)
    if person is None:
        return shown_choices(request, event)
    if not may_speak_for(request, event, person):
        return redirect("own-page", event.short)
    context = {"event": event, "nights": own_nights(event, person)}
    return TemplateResponse(request, "tournaments/public/own_page/nights.html", context)


def _person_with(request: HttpRequest, event: Event, person_id: int, letters: str) -> Person:
    """Return the person with these badge letters. Refuses: own_letters_wrong, too_many_own_letters."""
    tries = (TRIES, client_address(request)), (TRIES_TOGETHER.format(event.pk), "")
    alone, together = rate_limit.misses_of(*tries)
    if alone >= MOST_TRIES or together >= MOST_TOGETHER:
        raise Refusal("too_many_own_letters", field="letters")
    person = player_in(event, person_id) if are_own_letters(letters, event, person_id) else None
    if person is None:
        for what, address in tries:
            rate_limit.count_miss(what, address)
        raise Refusal("own_letters_wrong", field="letters")
    return person


def _remember_device(request: HttpRequest, event: Event, person: Person) -> HttpResponse:
    response = redirect("own-page", event.short)
    told = remembered_alert(request, event)
    owner = owner_in(request, event.topic)
    if owner is None or owner.person != person.pk:  # another person's phone until now
        if told is not None:
            stop_alerts(told.pk)
        owner = PhoneOwner(person=person.pk)
    remember_owner(request, response, event.topic, replace(owner, has_letters=True))
    return response


def _word(text: str) -> OwnWord:
    """Read a report of attendance. Refuses: no_such_choice."""
    try:
        return OwnWord(text)
    except ValueError:
        raise Refusal("no_such_choice", value=text, choices=tuple(OwnWord)) from None
