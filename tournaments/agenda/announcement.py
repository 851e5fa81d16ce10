"""What a poster says of an event and nothing else in the program knows."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, time, timedelta
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """Hour and place, as far as they are not those of the calendar and the club; what is played for; what to
    bring; whom to ask. "" or None where nobody has said. ``last_day`` is that of an event of several days,
    None of one day. ``sign_up_until`` is the last day to sign up by oneself. Hours are those of the club's
    clock, the same each day; one that ends before it begins ends after midnight.
    ``is_called_off``: it is not held, perhaps for the ``reason_off``, as a storm.
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

    def of_another_day(self, *, is_of_calendar: bool) -> "Announcement":
        """The same for an evening like it: of one day, without its deadline, not called off, and at the hour
        and place of the calendar where that has the evening."""
        again = replace(self, last_day=None, sign_up_until=None, is_called_off=False, reason_off="")
        return replace(again, starts_at=None, ends_at=None, place="", address="") if is_of_calendar else again

    def move(self, by: timedelta) -> "Announcement":
        """The same of an event on as many days, so much later."""
        return self if self.last_day is None else replace(self, last_day=self.last_day + by)


NOTHING = Announcement()
LONGEST = timedelta(days=31)
"""So long after its first day an event may have its last; what goes on longer is a season."""

LENGTHS: Mapping[str, int] = {
    "place": 120,
    "address": 200,
    "about": 1_000,
    "prizes": 300,
    "bring": 300,
    "contact": 120,
}
"""The texts, each with the most characters that it has."""
HOURS = ("starts_at", "ends_at")
DAYS = ("last_day", "sign_up_until")
REASON_LENGTH = 120
"""The most characters of why it is called off."""


def announcement_to_json(announcement: Announcement) -> dict[str, Any]:
    """As JSON has it: what was said, and nothing else."""
    said = {each.name: getattr(announcement, each.name) for each in fields(announcement)}
    return {name: _plain(value) for name, value in said.items() if value}


def announcement_from_json(plain: Mapping[str, Any]) -> Announcement:
    """The inverse of ``announcement_to_json``."""
    said = dict(plain)
    for name in HOURS:
        if name in said:
            said[name] = time.fromisoformat(said[name])
    for name in DAYS:
        if name in said:
            said[name] = date.fromisoformat(said[name])
    return Announcement(**said)


def _plain(value: object) -> object:
    if isinstance(value, time):
        return f"{value:%H:%M}"
    return value.isoformat() if isinstance(value, date) else value
