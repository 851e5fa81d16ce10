"""Structured data of public pages for search engines, in the vocabulary of schema.org.

It names no people: names are for readers of the page (``docs/operating/privacy.md``).
"""

from collections.abc import Callable, Iterable
from typing import Any

from django.urls import reverse

from clubs.models import Club
from tournaments.lifecycle import EventState
from tournaments.models import Event
from web.money_words import CURRENCY

StructuredData = dict[str, Any]
UrlBuilder = Callable[[str], str]
"""Function that makes a path a whole address."""


def describe_club(club: Club, build_url: UrlBuilder) -> StructuredData:
    data: StructuredData = {
        "@type": "SportsOrganization",
        "name": club.name,
        "sport": "Charlemagne",
        "url": build_url(reverse("front", args=[club.slug])),
    }
    if club.hall or club.hall_address:
        data["location"] = _describe_place(club.hall, club.hall_address)
    if club.about:
        data["description"] = club.about
    if club.website:
        data["sameAs"] = club.website
    return data


def describe_event(event: Event, guests: Iterable[Club], build_url: UrlBuilder) -> StructuredData:
    """Describe the event with its club and guest clubs, and its fees until it has ended."""
    host, is_off = describe_club(event.club, build_url), event.announcement.is_called_off
    data: StructuredData = {
        "@type": "SportsEvent",
        "name": event.name,
        "sport": "Charlemagne",
        "url": build_url(event.get_absolute_url()),
        "startDate": event.begins.isoformat(),
        "eventStatus": f"https://schema.org/{'EventCancelled' if is_off else 'EventScheduled'}",
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "organizer": host,
        "image": build_url(reverse("event-picture", args=[event.short])),
    }
    data |= _describe_details(event)
    guest_clubs = [describe_club(club, build_url) for club in guests]
    if guest_clubs:
        data["competitor"] = [host, *guest_clubs]
    if event.state != EventState.ENDED and not is_off and (event.member_fee or event.guest_fee):
        data["offers"] = [
            {
                "@type": "Offer",
                "price": f"{cents / 100:.2f}",
                "priceCurrency": CURRENCY,
                "url": data["url"],
                "availability": f"https://schema.org/{'InStock' if event.is_sign_up_open else 'InStoreOnly'}",
            }
            for cents in sorted({event.member_fee, event.guest_fee})
        ]
    return data


def _describe_details(event: Event) -> StructuredData:
    """Describe the event's place, end and description, as far as they are known."""
    data: StructuredData = {}
    if event.place or event.address:
        data["location"] = _describe_place(event.place, event.address)
    if event.ends is not None:
        data["endDate"] = event.ends.isoformat()
    if event.announcement.about:
        data["description"] = event.announcement.about
    return data


def _describe_place(name: str, address: str) -> StructuredData:
    return {"@type": "Place", "name": name or address, "address": address or name}


def describe_breadcrumbs(steps: Iterable[tuple[str, str]], page_name: str) -> StructuredData:
    """Describe the path to a page: the names and addresses of the pages above it, and its own name."""
    above = [{"name": name, "item": address} for name, address in steps]
    lines = [*above, {"name": page_name}] if page_name else above
    items = [{"@type": "ListItem", "position": place, **line} for place, line in enumerate(lines, start=1)]
    return {"@type": "BreadcrumbList", "itemListElement": items}
