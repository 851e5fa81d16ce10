"""Background tasks of mirrors."""

from datetime import timedelta

from celery import shared_task

from jobs.queues import Queue
from jobs.registry import job
from jobs.running import JobContext

from .services.asking import ASK, FOLLOW, ask_for_snapshots, follow_as_asked, request_due_questions
from .services.pairing import PAIR_SITE, pair_as_asked
from .services.sending import SEND, request_due_snapshots, send_snapshot


@job(SEND, queue=Queue.OUTGOING, goes_first=True, lease=timedelta(minutes=3))
def send_snapshot_of(running: JobContext) -> None:
    """Send a snapshot of an event to its copy; ``key`` is the event's id."""
    send_snapshot(int(running.key))


@job(ASK, queue=Queue.OUTGOING, goes_first=True, lease=timedelta(minutes=3))
def ask_for_snapshots_of(running: JobContext) -> None:
    """Fetch snapshots from the other installation of a club; ``key`` is the club's id."""
    ask_for_snapshots(int(running.key))


@job(PAIR_SITE, is_shown=True, queue=Queue.OUTGOING, lease=timedelta(minutes=3))
def pair_with_site(running: JobContext) -> None:
    """Link a club to a public site; ``key`` is what was asked."""
    pair_as_asked(running.key)


@job(FOLLOW, is_shown=True, queue=Queue.OUTGOING, lease=timedelta(minutes=3))
def follow_site(running: JobContext) -> None:
    """Replace an event by the public site's; ``key`` is what was asked."""
    follow_as_asked(running.key)


@shared_task(name="tournaments.sweep_snapshots")
def sweep_snapshots() -> None:
    request_due_snapshots()
    request_due_questions()
