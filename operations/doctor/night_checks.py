"""Checks of what a night needs in its hall: addresses, a phone, and papers with the names of its people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from django.conf import settings
from django.utils.translation import get_language

from clubs.calendar import today_in
from errors import Refusal
from operations.environment import is_environment_right
from operations.up.addresses import Way
from operations.up.reach import last_reached, phone_addresses
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.papers.contents.documents import document_of
from tournaments.papers.orders import Order, Paper
from tournaments.papers.typesetting import cut_texts, missing_letters

from .findings import Finding, fine, warning

AHEAD = timedelta(days=7)
"""Time before an event in which its names are checked."""
LONG = 24
"""Characters of a text from which it is set to see whether it fits."""


def check_environment() -> Finding:
    return fine("environment") if is_environment_right() else warning("environment_outdated")


def check_addresses() -> Iterator[Finding]:
    """Check that this computer has an address that phones in the hall can reach."""
    if not settings.NAMES.is_hall:
        return
    found = [one for one in phone_addresses() if one.address.way is not Way.NAME]
    hosts = ", ".join(one.host for one in found)
    if not found:
        yield warning("no_network")
    elif all(one.address.way is not Way.NETWORK for one in found):
        yield warning("no_hall_network", hosts=hosts)
    else:
        yield fine("addresses", hosts=hosts)


def check_phone() -> Iterator[Finding]:
    """Check whether a phone has reached this computer since the start."""
    if not settings.NAMES.is_hall:
        return
    last = last_reached(phone_addresses())
    yield fine("phone_arrived", host=last.host, at=last.arrived_at) if last else warning("no_phone_yet")


def check_papers() -> Iterator[Finding]:
    """Set the names of the coming events: letters that no font has, and texts that their badge cuts."""
    names, missing, cut = set[str](), dict[str, str](), set[str]()
    for event in _coming_events():
        entries = list(event.entries.select_related("player_1", "player_2"))
        own = {person.name for entry in entries for person in entry.players}
        names |= own
        texts = own | {event.name, event.club.name} | {entry.team for entry in entries}
        for letter in missing_letters(texts):
            missing.setdefault(letter, min(text for text in texts if letter in text))
        cut |= _cut_on_badges(event)
    yield from (warning("letter_missing", letter=letter, name=name) for letter, name in missing.items())
    yield from (warning("badge_cut", name=name) for name in sorted(cut))
    if not missing and not cut:
        yield fine("papers", count=len(names)) if names else fine("no_names_yet")


def _coming_events() -> list[Event]:
    """Return the events of all clubs that are played these days."""
    unfinished = Event.objects.filter(
        state__in=(EventState.PREPARING, EventState.RUNNING), is_put_away=False
    ).select_related("club", "terms")
    days = {event: today_in(event.club) for event in unfinished}
    return [event for event, today in days.items() if event.held_on - AHEAD <= today <= event.last_day]


def _cut_on_badges(event: Event) -> set[str]:
    """Return the texts that its badges cut; with QR codes, which leave names the least room."""
    order = Order(
        paper=Paper.BADGES, of=event.pk, language=get_language() or "fr", origin="http://192.0.2.1/"
    )
    try:
        badges = document_of(order)
    except Refusal:  # nobody has entered yet
        return set()
    long = [item for item in badges.items if max(len(item["name"]), len(item["below"])) >= LONG]
    document = replace(badges, items=long or badges.items[:1], in_a_part=0)
    return set(cut_texts(document.layout, next(document.parts())))
