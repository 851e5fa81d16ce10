"""Work that the background worker does for events."""

from jobs.registry import job

from .services import refresh_standings


@job("refresh_standings")
def refresh(key: str) -> None:
    """``key`` is the event's id."""
    refresh_standings(event_id=int(key))
