"""Signed cookie with the sign-ups of this phone, so that it finds their pages again."""

from datetime import timedelta
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from tournaments.entries.queries.entries import sign_up_of
from tournaments.models import Entry, Event
from web.signed_cookies import remember_value, signed_value

COOKIE = "signed-up"
SALT = "tournaments.sign_ups"
REMEMBERED = timedelta(days=60)
MOST = 6
"""Most sign-ups that a phone remembers, for example of a whole family."""


def remembered_sign_ups(request: HttpRequest, event: Event) -> list[tuple[UUID, Entry]]:
    """Return the key and the entry of each sign-up from this phone that is still listed. At most twelve
    queries, or none."""
    keys = [UUID(key) for short, key in _read_sign_ups(request) if short == event.short]
    found = ((key, sign_up_of(event, key)[1]) for key in keys)
    return [(key, entry) for key, entry in found if entry is not None]


def remember_sign_up(request: HttpRequest, response: HttpResponse, event: Event, key: UUID) -> None:
    """Remember a sign-up on this phone, with the last few others."""
    new = (event.short, key.hex)
    known = [*(each for each in _read_sign_ups(request) if each != new), new]
    value = "|".join(map(".".join, known[-MOST:]))
    remember_value(request, response, COOKIE, value, salt=SALT, path="/", lasts=REMEMBERED)


def _read_sign_ups(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the event's short name and the key of each sign-up, newest last."""
    value = signed_value(request, COOKIE, salt=SALT)
    pairs = (each.partition(".") for each in value.split("|")) if value else ()
    return [(short, key) for short, _, key in pairs]
