"""Signal receivers that remove what a change no longer releases."""

from typing import Any

from django.dispatch import receiver

from tournaments.signals import EventDifference, event_changed

from .services.release_effects import follow_release


@receiver(event_changed)
def follow_release_of(*, difference: EventDifference, **_: Any) -> None:
    """Remove what would reveal more than is public now. Refuses: counts_in_closed_season."""
    if difference.is_release:
        follow_release(difference.event, before=difference.seen_before)
