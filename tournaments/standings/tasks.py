"""Background tasks of standings."""

from jobs.registry import JobContext, job

from .services import refresh_standings


@job("refresh_standings", pauses_between_runs=True)
def refresh_event_standings(context: JobContext) -> None:
    """Compute the standings of an event; ``key`` is its id."""
    refresh_standings(event_id=int(context.key))
