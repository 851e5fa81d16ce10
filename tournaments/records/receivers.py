"""Signal receivers that update ratings and records when an ended event changes."""

from typing import Any

from django.dispatch import receiver

from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.signals import EventDifference, ended_event_corrected, event_changed
from tournaments.standings.queries.delays import RECORDS_KIND
from tournaments.standings.services import enqueue_club_task


@receiver(event_changed)
def request_records_on_change(*, difference: EventDifference, **_: Any) -> None:
    """Request ratings and records if the event has ended, or had, or does not count any more."""
    if difference.stops_counting or EventState.ENDED in (difference.previous_state, difference.event.state):
        enqueue_club_task(RECORDS_KIND, difference.event.club_id)


@receiver(ended_event_corrected)
def request_corrected_records(*, event: Event, **_: Any) -> None:
    """Request ratings and records, even if only hands changed."""
    enqueue_club_task(RECORDS_KIND, event.club_id)
