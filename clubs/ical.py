"""Calendar feeds for phones and calendar programs (RFC 5545).

Each evening is an entry with a permanent id, at an hour in the club's time zone or all day. Calendars move or
cancel it by that id instead of adding it again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

import icalendar

from .calendar import NightOccurrence
from .date_formats import describe_change_of_day
from .models import Club

PRODUCT = "-//Charlemagne//calendar//EN"
REFRESH_INTERVAL = timedelta(hours=6)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
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


def build_feed_entry(occurrence: NightOccurrence, club: Club, address: str) -> FeedEntry:
    """Return the entry for a date of a recurring night; its id contains the day originally planned."""
    return FeedEntry(
        uid=f"night-{occurrence.night.pk}-{occurrence.planned_on:%Y%m%d}.{club.slug}@charlemagne",
        name=occurrence.night.name,
        starts=occurrence.starts,
        ends=occurrence.ends,
        place=join_place_and_address(occurrence.night.hall, club.get_place_address(occurrence.night.hall)),
        about=describe_change_of_day(occurrence) if occurrence.is_changed else "",
        is_cancelled=occurrence.is_cancelled,
        address=address,
    )


def join_place_and_address(place: str, address: str) -> str:
    """Join place and street address in one line that maps can find."""
    return ", ".join(part for part in (place, address) if part)


def build_calendar_feed(club: Club, entries: Iterable[FeedEntry], *, revision: int, now: datetime) -> bytes:
    """Return the feed, named after the club. A higher ``revision`` marks newer entries."""
    calendar = icalendar.Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", icalendar.vText(club.name))
    calendar.add("x-wr-timezone", club.time_zone)
    calendar.add("refresh-interval", REFRESH_INTERVAL, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", icalendar.vDuration(REFRESH_INTERVAL))
    entry_list = list(entries)
    for each in entry_list:
        calendar.add_component(_build_event(each, revision=revision, now=now))
    _add_time_zones(calendar, [each.starts for each in entry_list])
    return bytes(calendar.to_ical())


def _add_time_zones(calendar: icalendar.Calendar, starts: Iterable[datetime | date]) -> None:
    """Add the time zones of the entries, from the year before the first to the year after the last."""
    years = [each.year for each in starts if isinstance(each, datetime)]
    if years:
        first, last = date(min(years) - 1, 1, 1), date(max(years) + 2, 1, 1)
        calendar.add_missing_timezones(first_date=first, last_date=last)


def _build_event(entry: FeedEntry, *, revision: int, now: datetime) -> icalendar.Event:
    event = icalendar.Event()
    event.add("uid", entry.uid)
    event.add("dtstamp", now.astimezone(UTC))
    event.add("sequence", revision)
    event.add("summary", entry.name)
    event.add("dtstart", entry.starts)
    ends = _get_end(entry)
    if ends is not None:
        event.add("dtend", ends)
    event.add("status", "CANCELLED" if entry.is_cancelled else "CONFIRMED")
    if entry.place:
        event.add("location", entry.place)
    if entry.about:
        event.add("description", entry.about)
    event.add("url", entry.address)
    return event


def _get_end(entry: FeedEntry) -> datetime | date | None:
    """Return the end as calendars expect it: the following day, or its midnight if the start has an hour."""
    starts, ends = entry.starts, entry.ends
    if ends is None or isinstance(ends, datetime):
        return ends
    tomorrow = ends + timedelta(days=1)
    return datetime.combine(tomorrow, time.min, starts.tzinfo) if isinstance(starts, datetime) else tomorrow
