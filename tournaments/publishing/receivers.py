"""Signal receivers that remove what a change no longer releases."""

from typing import Any

from django.dispatch import receiver

from tournaments.signals import EventDifference, event_changed

from .services.publishing import apply_release


@receiver(event_changed)
def apply_release_on_change(*, difference: EventDifference, **_: Any) -> None:
    """Remove what would reveal more than is public now. Refuses: counts_in_closed_season."""
    if difference.has_visibility_change:
        apply_release(difference.event, stops_counting=difference.stops_counting)
