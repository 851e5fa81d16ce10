"""The six badge letters of a player in an event: they open the player's page and confirm attendance.

Why: ``docs/decisions/0043-authorize-players-by-badge-letters.md``.
"""

from urllib.parse import urljoin

from django.urls import reverse

from tournaments.models import Event
from web.letters import derive_check_letters, match_letters

BADGE_SALT = "tournaments.own_letters"
"""Printed badges depend on this salt: it is data, not the name of a module."""

LETTER_COUNT = 6


def get_badge_letters(event: Event, person_id: int) -> str:
    return derive_check_letters(BADGE_SALT, f"{event.short}/{person_id}", count=LETTER_COUNT)


def are_badge_letters(text: str, event: Event, person_id: int) -> bool:
    """Check badge letters as typed, also in lower case or with spaces."""
    return match_letters(text, get_badge_letters(event, person_id))


def build_player_link(event: Event, person_id: int, origin: str = "") -> str:
    """Return the link in the QR code of a badge; without an ``origin``, a path on this site."""
    path = reverse("own-link", args=[event.short, person_id, get_badge_letters(event, person_id)])
    return urljoin(origin, path)
