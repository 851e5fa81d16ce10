"""What a phone has signed up in an event, signed: it finds the page of each again."""

from datetime import timedelta
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from tournaments.entries.queries.entries import sign_up_of
from tournaments.models import Entry, Event
from web.signed_cookies import remember_value, signed_value

COOKIE = "signed-up"
REMEMBERED = timedelta(days=60)
MOST = 6
"""As many of the last ones as a phone remembers: somebody may write down a whole family."""


def remembered_sign_ups(request: HttpRequest, event: Event) -> list[tuple[UUID, Entry]]:
    """The key of each form that this phone sent, and its entry while that is on the list. At most twelve
    queries, or none."""
    found = ((key, sign_up_of(event, key)[1]) for key in _keys(request, event))
    return [(key, entry) for key, entry in found if entry is not None]


def remember_sign_up(request: HttpRequest, response: HttpResponse, event: Event, key: UUID) -> None:
    keys = [*(known for known in _keys(request, event) if known != key), key]
    remember_value(
        request,
        response,
        COOKIE,
        ".".join(known.hex for known in keys[-MOST:]),
        salt=event.short,
        path=reverse("sign-up", args=[event.short]),
        lasts=REMEMBERED,
    )


def _keys(request: HttpRequest, event: Event) -> list[UUID]:
    known = signed_value(request, COOKIE, salt=event.short)
    return [] if known is None else [UUID(key) for key in known.split(".")]
