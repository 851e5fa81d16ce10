"""Signed cookie with the sign-ups of this phone, so that it finds their pages again."""

from datetime import timedelta
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from tournaments.entries.queries.entries import sign_up_of
from tournaments.models import Entry, Event
from web.signed_cookies import get_signed_value, set_signed_value

COOKIE_NAME = "signed-up"
SALT = "tournaments.sign_ups"
COOKIE_AGE = timedelta(days=60)
MAX_SIGN_UPS = 6
"""Most sign-ups that a phone remembers, for example of a whole family."""


def list_remembered_sign_ups(request: HttpRequest, event: Event) -> list[tuple[UUID, Entry]]:
    """Return the key and the entry of each sign-up from this phone that is still listed. At most twelve
    queries, or none."""
    keys = [UUID(key) for short, key in _read_sign_ups(request) if short == event.short]
    entries_by_key = ((key, sign_up_of(event, key)[1]) for key in keys)
    return [(key, entry) for key, entry in entries_by_key if entry is not None]


def remember_sign_up(request: HttpRequest, response: HttpResponse, event: Event, key: UUID) -> None:
    """Remember a sign-up on this phone, with the last few others."""
    new = (event.short, key.hex)
    sign_ups = [*(sign_up for sign_up in _read_sign_ups(request) if sign_up != new), new]
    value = "|".join(map(".".join, sign_ups[-MAX_SIGN_UPS:]))
    set_signed_value(request, response, COOKIE_NAME, value, salt=SALT, path="/", max_age=COOKIE_AGE)


def _read_sign_ups(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the event's short name and the key of each sign-up, newest last."""
    value = get_signed_value(request, COOKIE_NAME, salt=SALT)
    pairs = (part.partition(".") for part in value.split("|")) if value else ()
    return [(short, key) for short, _, key in pairs]
