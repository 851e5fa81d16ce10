"""What is planned as a file that phones and agendas subscribe to (RFC 5545).

Each evening is an event of its own, an hour in UTC or a whole day, under an id that stays with it: an agenda
that has it moves it, or strikes it out, and never shows it twice.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import icalendar

from .calendar import HeldNight
from .day_words import changed_in_words
from .models import Club

PRODUCT = "-//Charlemagne//calendar//EN"
ASK_AGAIN_AFTER = timedelta(hours=6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """An evening in an agenda; where no hour is known, it ``starts`` on a day. ``address`` is where people
    read of it."""

    uid: str
    name: str
    starts: datetime | date
    address: str
    ends: datetime | None = None
    place: str = ""
    about: str = ""
    is_cancelled: bool = False


def appointment_of(held: HeldNight, club: Club, address: str) -> Appointment:
    """An evening of the club's own calendar, known by the day for which it was planned."""
    return Appointment(
        uid=f"night-{held.night.pk}-{held.planned_on:%Y%m%d}.{club.slug}@charlemagne",
        name=held.night.name,
        starts=held.starts,
        ends=held.ends,
        place=held.night.place,
        about=changed_in_words(held) if held.is_changed else "",
        is_cancelled=held.is_cancelled,
        address=address,
    )


def feed(club: Club, appointments: Iterable[Appointment], *, revision: int, now: datetime) -> bytes:
    """The file, under the club's name. ``revision`` tells an agenda what is newer."""
    calendar = icalendar.Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", icalendar.vText(club.name))
    calendar.add("x-wr-timezone", club.time_zone)
    calendar.add("refresh-interval", ASK_AGAIN_AFTER, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", ASK_AGAIN_AFTER)
    for each in appointments:
        calendar.add_component(_event(each, revision=revision, now=now))
    return bytes(calendar.to_ical())


def _event(appointment: Appointment, *, revision: int, now: datetime) -> icalendar.Event:
    event = icalendar.Event()
    event.add("uid", appointment.uid)
    event.add("dtstamp", now.astimezone(UTC))
    event.add("sequence", revision)
    event.add("summary", appointment.name)
    event.add("dtstart", _in_utc(appointment.starts))
    if appointment.ends is not None:
        event.add("dtend", _in_utc(appointment.ends))
    event.add("status", "CANCELLED" if appointment.is_cancelled else "CONFIRMED")
    if appointment.place:
        event.add("location", appointment.place)
    if appointment.about:
        event.add("description", appointment.about)
    event.add("url", appointment.address)
    return event


def _in_utc(starts: datetime | date) -> datetime | date:
    return starts.astimezone(UTC) if isinstance(starts, datetime) else starts
