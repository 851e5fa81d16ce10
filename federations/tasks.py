"""Tasks of federations, for the worker for long work, so that a slow club does not delay standings."""

from datetime import timedelta

from celery import shared_task

from federations.services.federation_settings import ADD_UP, FETCH
from federations.services.feed_refresh import combine_feeds, fetch_feed, request_due_fetches
from federations.services.publishing import WRITE, request_due_feeds, write_feed
from jobs.queues import Queue
from jobs.registry import JobContext, job


@job(WRITE, queue=Queue.LONG, lease=timedelta(minutes=2))
def run_write_feed(context: JobContext) -> None:
    """Write a club's feed; ``key`` is the club's id."""
    write_feed(int(context.key))


@job(FETCH, queue=Queue.OUTGOING, lease=timedelta(minutes=2))
def run_fetch_feed(context: JobContext) -> None:
    """Fetch a feed; ``key`` is the feed's id."""
    fetch_feed(int(context.key))


@job(ADD_UP, queue=Queue.LONG, lease=timedelta(minutes=5))
def run_combine_feeds(context: JobContext) -> None:
    """Combine the feeds of a federation; ``key`` is the federation's id."""
    combine_feeds(int(context.key))


@shared_task(name="federations.sweep_feeds")
def sweep_feeds() -> None:
    request_due_feeds()
    request_due_fetches()
