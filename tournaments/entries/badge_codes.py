"""The six badge letters of a player in an event: they open the player's page and confirm attendance.

Why: ``docs/decisions/0043-authorize-players-by-badge-letters.md``.
"""

from urllib.parse import urljoin

from django.urls import reverse

from tournaments.models import Event
from web.letters import are_letters, letters_for

SALT = "tournaments.own_letters"
"""Printed badges depend on this salt: it is data, not the name of a module."""

COUNT = 6


def own_letters(event: Event, person_id: int) -> str:
    return letters_for(SALT, f"{event.short}/{person_id}", count=COUNT)


def are_own_letters(typed: str, event: Event, person_id: int) -> bool:
    """Check badge letters as typed, also in lower case or with spaces."""
    return are_letters(typed, own_letters(event, person_id))


def own_link(event: Event, person_id: int, origin: str = "") -> str:
    """Return the link in the QR code of a badge; without an ``origin``, a path on this site."""
    path = reverse("own-link", args=[event.short, person_id, own_letters(event, person_id)])
    return urljoin(origin, path)
