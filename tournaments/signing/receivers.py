"""Signal receivers that sign what a change releases."""

from typing import Any

from django.dispatch import receiver

from tournaments.signals import EventDifference, event_changed

from .services import update_log


@receiver(event_changed)
def sign_release(*, difference: EventDifference, **_: Any) -> None:
    """Append the final standings to the club's log when they are released, corrected or withdrawn."""
    if difference.has_visibility_change or difference.event.final != difference.previous_final:
        update_log(difference.event, difference.prepared_value)
