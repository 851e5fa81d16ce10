"""Structured data of public pages for search engines, in the vocabulary of schema.org.

It names no people: names are for readers of the page (``docs/operating/privacy.md``).
"""

from collections.abc import Callable, Iterable
from typing import Any

from django.urls import reverse

from clubs.models import Club
from clubs.money_words import CURRENCY
from tournaments.lifecycle import EventState
from tournaments.models import Event

Facts = dict[str, Any]
Whole = Callable[[str], str]
"""Function that makes a path a whole address."""


def club_facts(club: Club, whole: Whole) -> Facts:
    facts: Facts = {
        "@type": "SportsOrganization",
        "name": club.name,
        "sport": "Charlemagne",
        "url": whole(reverse("front", args=[club.slug])),
    }
    if club.hall or club.hall_address:
        facts["location"] = _place(club.hall, club.hall_address)
    if club.about:
        facts["description"] = club.about
    if club.website:
        facts["sameAs"] = club.website
    return facts


def event_facts(event: Event, guests: Iterable[Club], whole: Whole) -> Facts:
    """Describe the event with its club and guest clubs, and its fees until it has ended."""
    host, is_off = club_facts(event.club, whole), event.announcement.is_called_off
    facts: Facts = {
        "@type": "SportsEvent",
        "name": event.name,
        "sport": "Charlemagne",
        "url": whole(event.get_absolute_url()),
        "startDate": event.begins.isoformat(),
        "eventStatus": f"https://schema.org/{'EventCancelled' if is_off else 'EventScheduled'}",
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "organizer": host,
        "image": whole(reverse("event-picture", args=[event.short])),
    }
    facts |= _announcement_of(event)
    invited = [club_facts(club, whole) for club in guests]
    if invited:
        facts["competitor"] = [host, *invited]
    if event.state != EventState.ENDED and not is_off and (event.member_fee or event.guest_fee):
        facts["offers"] = [
            {
                "@type": "Offer",
                "price": f"{cents / 100:.2f}",
                "priceCurrency": CURRENCY,
                "url": facts["url"],
                "availability": f"https://schema.org/{'InStock' if event.takes_sign_ups else 'InStoreOnly'}",
            }
            for cents in sorted({event.member_fee, event.guest_fee})
        ]
    return facts


def _announcement_of(event: Event) -> Facts:
    """Describe the event's place, end and description, as far as they are known."""
    facts: Facts = {}
    if event.place or event.address:
        facts["location"] = _place(event.place, event.address)
    if event.ends is not None:
        facts["endDate"] = event.ends.isoformat()
    if event.announcement.about:
        facts["description"] = event.announcement.about
    return facts


def _place(name: str, address: str) -> Facts:
    return {"@type": "Place", "name": name or address, "address": address or name}


def trail(steps: Iterable[tuple[str, str]], here: str) -> Facts:
    """Describe the path to a page: the names and addresses of the pages above it, and its own name."""
    above = [{"name": name, "item": address} for name, address in steps]
    lines = [*above, {"name": here}] if here else above
    numbered = [{"@type": "ListItem", "position": place, **line} for place, line in enumerate(lines, start=1)]
    return {"@type": "BreadcrumbList", "itemListElement": numbered}
