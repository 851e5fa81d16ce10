"""What a public page says to search engines, in the words of schema.org.

No person is in it: what names people is for those who read the page (``docs/operating/privacy.md``).
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
"""From a path to the address that others know it by."""


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
    """The event with its club, and those that play along; what it costs, while it can be paid."""
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
    """Where it is, until when, and what it is, as far as somebody has said."""
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
    """The way to a page: the names and addresses of those above it, and its own name."""
    above = [{"name": name, "item": address} for name, address in steps]
    lines = [*above, {"name": here}] if here else above
    numbered = [{"@type": "ListItem", "position": place, **line} for place, line in enumerate(lines, start=1)]
    return {"@type": "BreadcrumbList", "itemListElement": numbered}
