"""Background tasks of seasons."""

from jobs.registry import JobContext, job

from .services import refresh_seasons


@job("refresh_seasons")
def refresh_seasons_task(context: JobContext) -> None:
    """Compute the season standings of a club; ``key`` is its id."""
    refresh_seasons(club_id=int(context.key))
