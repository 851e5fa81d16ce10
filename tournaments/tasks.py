"""Work that the background worker does for events."""

from jobs.registry import job
from jobs.running import Running

from .services import refresh_standings


@job("refresh_standings")
def refresh(running: Running) -> None:
    """``key`` is the event's id."""
    refresh_standings(event_id=int(running.key))
