"""Signal receivers that look for news after a change."""

from typing import Any

from django.dispatch import receiver

from tournaments.signals import EventDifference, event_changed

from .services import request_alerts


@receiver(event_changed)
def request_alerts_on_change(*, difference: EventDifference, **_: Any) -> None:
    """Look for news to send, if the change may have some."""
    if difference.needs_notification:
        request_alerts(difference.event)
