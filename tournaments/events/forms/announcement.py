"""The fields of what an event says of itself: read, and written back."""

from dataclasses import fields
from typing import Any

from tournaments.agenda.announcement import DAYS, HOURS, LENGTHS, Announcement, announcement_to_json
from web.form_lists import Typed, first_of
from web.forms import FormReader


def read_announcement(form: FormReader, typed: Typed) -> Announcement:
    """What was typed; whatever is not right is refused in the form. Codes: not_an_hour, not_a_day."""
    said: dict[str, Any] = {name: form.hour(name) for name in HOURS}
    said |= {name: form.day(name) for name in DAYS}
    said |= {name: first_of(typed, name) for name in LENGTHS}
    return Announcement(**said)


def typed_announcement(announcement: Announcement) -> dict[str, str]:
    """What the fields hold for it: the inverse of ``read_announcement``, and whether it is held."""
    plain = announcement_to_json(announcement)
    return {each.name: plain.get(each.name, "") for each in fields(Announcement)}
