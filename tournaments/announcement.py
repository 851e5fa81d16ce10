"""Event details that are stored nowhere else."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, time, timedelta
from typing import Any

from engine.json_values import read_value


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """Details of an event: time and place, prizes, what to bring, and a contact.

    Values not given are "" or None; time and place are then those of the calendar and the club. ``last_day``
    is that of an event of several days, None for one day. ``sign_up_until`` is the last day of self sign-up.
    Times are in the club's time zone, the same each day; an end before the start is after midnight.
    ``is_called_off`` if cancelled, with an optional ``reason_off``, such as a storm.
    """

    last_day: date | None = None
    starts_at: time | None = None
    ends_at: time | None = None
    place: str = ""
    address: str = ""
    about: str = ""
    prizes: str = ""
    bring: str = ""
    contact: str = ""
    sign_up_until: date | None = None
    is_called_off: bool = False
    reason_off: str = ""

    def copy_to_other_day(self, *, is_of_calendar: bool) -> "Announcement":
        """Return the details for a copy of the event: one day, no deadline, not cancelled. If the copy is a
        night of the calendar, that gives time and place."""
        details = replace(self, last_day=None, sign_up_until=None, is_called_off=False, reason_off="")
        return replace(details, starts_at=None, ends_at=None, place="", address="") if is_of_calendar else details

    def move(self, delta: timedelta) -> "Announcement":
        """Return the details for the event moved by this time."""
        return self if self.last_day is None else replace(self, last_day=self.last_day + delta)


NO_DETAILS = Announcement()
MAX_DURATION = timedelta(days=31)
"""Maximum time between the first and last day of an event; anything longer is a season."""

TEXT_LENGTHS: Mapping[str, int] = {
    "place": 120,
    "address": 200,
    "about": 1_000,
    "prizes": 300,
    "bring": 300,
    "contact": 120,
}
"""Text fields, with their maximum number of characters."""
TIME_FIELDS = ("starts_at", "ends_at")
DATE_FIELDS = ("last_day", "sign_up_until")
REASON_LENGTH = 120
"""Maximum number of characters of the reason for a cancellation."""


def announcement_to_json(announcement: Announcement) -> dict[str, Any]:
    """Convert the details to JSON, only those given."""
    values = {field.name: getattr(announcement, field.name) for field in fields(announcement)}
    return {name: _to_json_value(value) for name, value in values.items() if value}


def announcement_from_json(data: Mapping[str, Any]) -> Announcement:
    """Read the details from JSON, as written by ``announcement_to_json``."""
    announcement: Announcement = read_value(Announcement, data)
    return announcement


def _to_json_value(value: object) -> object:
    if isinstance(value, time):
        return f"{value:%H:%M}"
    return value.isoformat() if isinstance(value, date) else value
