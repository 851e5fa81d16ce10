"""The calendar as a feed that phones and agendas subscribe to (RFC 5545).

Each evening is an event of its own, in UTC, under an id that stays with the day for which it was planned: an
agenda that has it moves it, or strikes it out, and never shows it twice.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import icalendar

from .calendar import HeldNight
from .day_words import changed_in_words
from .models import Club

PRODUCT = "-//Charlemagne//calendar//EN"
ASK_AGAIN_AFTER = timedelta(hours=6)


def feed(club: Club, held: Iterable[HeldNight], *, revision: int, address: str, now: datetime) -> bytes:
    """The file. ``revision`` tells an agenda what is newer; ``address`` is where people read the calendar."""
    calendar = icalendar.Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", icalendar.vText(club.name))
    calendar.add("x-wr-timezone", club.time_zone)
    calendar.add("refresh-interval", ASK_AGAIN_AFTER, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", ASK_AGAIN_AFTER)
    for each in held:
        calendar.add_component(_event(club, each, revision=revision, address=address, now=now))
    return bytes(calendar.to_ical())


def _event(club: Club, held: HeldNight, *, revision: int, address: str, now: datetime) -> icalendar.Event:
    event = icalendar.Event()
    event.add("uid", f"night-{held.night.pk}-{held.planned_on:%Y%m%d}.{club.slug}@charlemagne")
    event.add("dtstamp", now.astimezone(UTC))
    event.add("sequence", revision)
    event.add("summary", held.night.name)
    event.add("dtstart", held.starts.astimezone(UTC))
    if held.ends is not None:
        event.add("dtend", held.ends.astimezone(UTC))
    event.add("status", "CANCELLED" if held.is_cancelled else "CONFIRMED")
    if held.night.place:
        event.add("location", held.night.place)
    if held.is_changed:
        event.add("description", changed_in_words(held))
    event.add("url", address)
    return event
