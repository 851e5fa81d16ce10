"""Signal receivers that update ratings and records when an ended event changes."""

from typing import Any

from django.dispatch import receiver

from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.signals import EventDifference, ended_event_corrected, event_changed
from tournaments.standings.queries.delays import RECORDS
from tournaments.standings.services import request_of_club


@receiver(event_changed)
def request_records(*, difference: EventDifference, **_: Any) -> None:
    """Request ratings and records if the event has ended, or had."""
    if EventState.ENDED in (difference.state_before, difference.event.state):
        request_of_club(RECORDS, difference.event.club_id)


@receiver(ended_event_corrected)
def request_records_anew(*, event: Event, **_: Any) -> None:
    """Request ratings and records, even if only hands changed."""
    request_of_club(RECORDS, event.club_id)
