"""Background tasks of ratings and records."""

from datetime import timedelta

from jobs.queues import Queue
from jobs.registry import JobContext, job

from .services import refresh_ratings


@job("refresh_ratings", queue=Queue.LONG, lease=timedelta(minutes=5))
def refresh_ratings_task(context: JobContext) -> None:
    """Compute the ratings of a club; ``key`` is its id."""
    refresh_ratings(club_id=int(context.key), progress=context.report)
