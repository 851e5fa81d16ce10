"""Form fields of the event details."""

from dataclasses import fields
from typing import Any

from tournaments.announcement import DAYS, HOURS, LENGTHS, Announcement, announcement_to_json
from web.form_lists import Typed, first_of
from web.forms import FormReader


def read_announcement(form: FormReader, typed: Typed) -> Announcement:
    """Read the event details; errors are added to the form. Codes: not_an_hour, not_a_day."""
    said: dict[str, Any] = {name: form.hour(name) for name in HOURS}
    said |= {name: form.day(name) for name in DAYS}
    said |= {name: first_of(typed, name) for name in LENGTHS}
    return Announcement(**said)


def typed_announcement(announcement: Announcement) -> dict[str, str]:
    """Return the field values of these event details, as ``read_announcement`` reads them, and whether the
    event is cancelled."""
    plain = announcement_to_json(announcement)
    return {each.name: plain.get(each.name, "") for each in fields(Announcement)}
