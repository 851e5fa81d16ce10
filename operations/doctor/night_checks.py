"""Checks of what a night needs in its hall: addresses, a phone, and papers with the names of its people."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from django.conf import settings
from django.utils.translation import get_language

from clubs.calendar import get_club_today
from clubs.models import Club
from errors import Refusal
from operations.environment import is_environment_right
from operations.up.addresses import AddressKind
from operations.up.reach import find_last_reached, phone_addresses
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.papers.contents.documents import document_of
from tournaments.papers.orders import Order, Paper
from tournaments.papers.typesetting.layout import find_cut_texts, find_missing_letters

from .findings import Finding, report_fine, report_warning

NAME_CHECK_PERIOD = timedelta(days=7)
"""Time before an event in which its names are checked."""
LONG_TEXT = 24
"""Characters of a text from which it is set to see whether it fits."""


def check_environment() -> Finding:
    return report_fine("environment") if is_environment_right() else report_warning("environment_outdated")


def check_addresses() -> Iterator[Finding]:
    """Check that this computer has an address that phones in the hall can reach."""
    if not settings.NAMES.is_hall:
        return
    addresses = [
        phone_address for phone_address in phone_addresses() if phone_address.address.way is not AddressKind.NAME
    ]
    hosts = ", ".join(phone_address.host for phone_address in addresses)
    if not addresses:
        yield report_warning("no_network")
    elif all(phone_address.address.way is not AddressKind.NETWORK for phone_address in addresses):
        yield report_warning("no_hall_network", hosts=hosts)
    else:
        yield report_fine("addresses", hosts=hosts)


def check_phone() -> Iterator[Finding]:
    """Check whether a phone has reached this computer since the start."""
    if not settings.NAMES.is_hall:
        return
    last_address = find_last_reached(phone_addresses())
    yield (
        report_fine("phone_arrived", host=last_address.host, at=last_address.arrived_at)
        if last_address
        else report_warning("no_phone_yet")
    )


def check_papers(get_club_path: Club | None = None) -> Iterator[Finding]:
    """Set the names of the coming events, of this club alone if given: letters that no font has, and texts
    that their badge cuts."""
    names, missing_by_letter, cut = set[str](), dict[str, str](), set[str]()
    for event in _list_coming_events(get_club_path):
        entries = list(event.entries.select_related("player_1", "player_2"))
        event_names = {person.name for entry in entries for person in entry.players}
        names |= event_names
        texts = event_names | {event.name, event.club.name} | {entry.team for entry in entries}
        for letter in find_missing_letters(texts):
            missing_by_letter.setdefault(letter, min(text for text in texts if letter in text))
        cut |= _find_cut_texts(event)
    yield from (
        report_warning("letter_missing", letter=letter, name=name) for letter, name in missing_by_letter.items()
    )
    yield from (report_warning("badge_cut", name=name) for name in sorted(cut))
    if not missing_by_letter and not cut:
        yield report_fine("papers", count=len(names)) if names else report_fine("no_names_yet")


def _list_coming_events(get_club_path: Club | None) -> list[Event]:
    """Return the events of this club, or of all clubs, that are played these days."""
    events = Event.objects if get_club_path is None else get_club_path.events
    open_events = events.filter(state__in=(EventState.PREPARING, EventState.RUNNING), is_put_away=False).select_related(
        "club", "terms"
    )
    days = {event: get_club_today(event.club) for event in open_events}
    return [event for event, today in days.items() if event.held_on - NAME_CHECK_PERIOD <= today <= event.last_day]


def _find_cut_texts(event: Event) -> set[str]:
    """Return the texts that its badges cut; with QR codes, which leave names the least room."""
    order = Order(paper=Paper.BADGES, of=event.pk, language=get_language() or "fr", origin="http://192.0.2.1/")
    try:
        badges = document_of(order)
    except Refusal:  # nobody has entered yet
        return set()
    long = [item for item in badges.items if max(len(item["name"]), len(item["below"])) >= LONG_TEXT]
    document = replace(badges, items=long or badges.items[:1], items_per_part=0)
    return set(find_cut_texts(document.layout, next(document.iter_parts())))
