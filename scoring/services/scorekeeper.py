"""Passing of the scorekeeper's role from phone to phone."""

from django.db import transaction
from django.utils import timezone

from scoring.models import Match
from scoring.scorekeeper import Scorekeeper

from .match_changes import lock_match, save_change


@transaction.atomic
def request_scorekeeper_role(*, match_id: int, device: str) -> None:
    """Ask for this device to become scorekeeper: at once if there is none, else the current one is asked.

    Safe to repeat. Refuses: no_such_match.
    """
    match, now = lock_match(match_id), timezone.now()
    _set_scorekeeper(match, match.scorekeeper.apply_timeout(now).add_request(device, now))


@transaction.atomic
def answer_scorekeeper_request(*, match_id: int, device: str, gives: bool) -> None:
    """Answer the request to become scorekeeper; an answer from a device other than the scorekeeper changes
    nothing.

    Safe to repeat. Refuses: no_such_match.
    """
    match = lock_match(match_id)
    _set_scorekeeper(match, match.scorekeeper.apply_timeout(timezone.now()).answer_request(device, gives=gives))


def _set_scorekeeper(match: Match, scorekeeper: Scorekeeper) -> None:
    if scorekeeper == match.scorekeeper:
        return
    match.scorekeeper = scorekeeper
    save_change(match)
