"""The pencil of a match passes from phone to phone."""

from django.db import transaction
from django.utils import timezone

from scoring.models import Match
from scoring.pencil import Pencil

from .saving import lock_match, save_change


@transaction.atomic
def ask_for_pencil(*, match_id: int, device: str) -> None:
    """This device wants to mark: it holds the pencil at once where nobody does, and else its holder is asked.
    Safe to repeat. Refuses: no_such_match."""
    match, now = lock_match(match_id), timezone.now()
    _pass_pencil(match, match.pencil.at(now).asked_for_by(device, now))


@transaction.atomic
def answer_for_pencil(*, match_id: int, device: str, gives: bool) -> None:
    """The holder gives the pencil to whoever asked, or keeps it; from another device it changes nothing.
    Safe to repeat. Refuses: no_such_match."""
    match = lock_match(match_id)
    _pass_pencil(match, match.pencil.at(timezone.now()).answered_by(device, gives=gives))


def _pass_pencil(match: Match, pencil: Pencil) -> None:
    if pencil == match.pencil:
        return
    match.pencil = pencil
    save_change(match)
