"""Background tasks of standings."""

from jobs.registry import job
from jobs.running import JobContext

from .services import refresh_standings


@job("refresh_standings", rests=True)
def refresh(running: JobContext) -> None:
    """Compute the standings of an event; ``key`` is its id."""
    refresh_standings(event_id=int(running.key))
