"""What an event does when one of its matches changed."""

from typing import Any

from django.dispatch import receiver

from jobs.services import enqueue
from scoring.models import Match
from scoring.signals import match_changed


@receiver(match_changed)
def refresh_standings_of(*, match: Match, result_changed: bool, **_: Any) -> None:
    """A result that changed changes the standings: one job for all the changes of the next moment."""
    if not result_changed:
        return
    table = getattr(match, "table", None)
    if table is not None:
        enqueue(kind="refresh_standings", key=str(table.round.event_id))
