"""The link of a team's captain: its letters open the page on which the captain gives the line-up.

Why: ``docs/decisions/0073-seat-teams-by-hidden-line-ups.md``.
"""

from collections.abc import Iterable
from urllib.parse import urljoin

from django.urls import reverse

from tournaments.entries.captain_keys import get_captain_key
from tournaments.models import Event
from web.letters import derive_check_letters, match_letters

CAPTAIN_SALT = "tournaments.captain_letters"
"""Links already sent depend on this salt: it is data, not the name of a module."""

LETTER_COUNT = 10


def get_captain_letters(event: Event, team: str) -> str:
    return derive_check_letters(CAPTAIN_SALT, f"{event.short}/{get_captain_key(event, team)}", count=LETTER_COUNT)


def find_captain_team(event: Event, letters: str, teams: Iterable[str]) -> str | None:
    """Return the team whose captain has these letters; None if no team's has."""
    return next((team for team in teams if match_letters(letters, get_captain_letters(event, team))), None)


def build_captain_link(event: Event, team: str, origin: str = "") -> str:
    """Return the link for a team's captain; without an ``origin``, a path on this site."""
    return urljoin(origin, reverse("team-lineup", args=[event.short, get_captain_letters(event, team)]))
