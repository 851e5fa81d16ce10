"""Calendar feeds for phones and calendar programs (RFC 5545).

Each evening is an entry with a permanent id, at an hour in the club's time zone or all day. Calendars move or
cancel it by that id instead of adding it again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

import icalendar

from .calendar import HeldNight
from .day_words import describe_change_of_day
from .models import Club

PRODUCT = "-//Charlemagne//calendar//EN"
ASK_AGAIN_AFTER = timedelta(hours=6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """An evening in a calendar feed. Without a known hour, it ``starts`` on a date, and ``ends`` on its last
    date. ``address`` is its web page."""

    uid: str
    name: str
    starts: datetime | date
    address: str
    ends: datetime | date | None = None
    place: str = ""
    about: str = ""
    is_cancelled: bool = False


def appointment_of(held: HeldNight, club: Club, address: str) -> Appointment:
    """Return the entry for a date of a recurring night; its id contains the day originally planned."""
    return Appointment(
        uid=f"night-{held.night.pk}-{held.planned_on:%Y%m%d}.{club.slug}@charlemagne",
        name=held.night.name,
        starts=held.starts,
        ends=held.ends,
        place=place_and_address(held.night.hall, club.address_of(held.night.hall)),
        about=describe_change_of_day(held) if held.is_changed else "",
        is_cancelled=held.is_cancelled,
        address=address,
    )


def place_and_address(place: str, address: str) -> str:
    """Join place and street address in one line that maps can find."""
    return ", ".join(part for part in (place, address) if part)


def calendar_feed(club: Club, appointments: Iterable[Appointment], *, revision: int, now: datetime) -> bytes:
    """Return the feed, named after the club. A higher ``revision`` marks newer entries."""
    calendar = icalendar.Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", icalendar.vText(club.name))
    calendar.add("x-wr-timezone", club.time_zone)
    calendar.add("refresh-interval", ASK_AGAIN_AFTER, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", icalendar.vDuration(ASK_AGAIN_AFTER))
    listed = list(appointments)
    for each in listed:
        calendar.add_component(_event(each, revision=revision, now=now))
    _describe_zones(calendar, [each.starts for each in listed])
    return bytes(calendar.to_ical())


def _describe_zones(calendar: icalendar.Calendar, starts: Iterable[datetime | date]) -> None:
    """Add the time zones of the entries, from the year before the first to the year after the last."""
    years = [each.year for each in starts if isinstance(each, datetime)]
    if years:
        first, last = date(min(years) - 1, 1, 1), date(max(years) + 2, 1, 1)
        calendar.add_missing_timezones(first_date=first, last_date=last)


def _event(appointment: Appointment, *, revision: int, now: datetime) -> icalendar.Event:
    event = icalendar.Event()
    event.add("uid", appointment.uid)
    event.add("dtstamp", now.astimezone(UTC))
    event.add("sequence", revision)
    event.add("summary", appointment.name)
    event.add("dtstart", appointment.starts)
    ends = _whole_day_over(appointment)
    if ends is not None:
        event.add("dtend", ends)
    event.add("status", "CANCELLED" if appointment.is_cancelled else "CONFIRMED")
    if appointment.place:
        event.add("location", appointment.place)
    if appointment.about:
        event.add("description", appointment.about)
    event.add("url", appointment.address)
    return event


def _whole_day_over(appointment: Appointment) -> datetime | date | None:
    """Return the end as calendars expect it: the following day, or its midnight if the start has an hour."""
    starts, ends = appointment.starts, appointment.ends
    if ends is None or isinstance(ends, datetime):
        return ends
    tomorrow = ends + timedelta(days=1)
    return datetime.combine(tomorrow, time.min, starts.tzinfo) if isinstance(starts, datetime) else tomorrow
