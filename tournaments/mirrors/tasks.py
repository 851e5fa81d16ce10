"""Background tasks of mirrors."""

from datetime import timedelta

from celery import shared_task
from django.utils.translation import gettext_lazy as _

from jobs.queues import Queue
from jobs.registry import JobContext, job

from .services.delivery import SEND_SNAPSHOT, enqueue_due_snapshots, send_snapshot
from .services.disagreements import record_overdue_handovers
from .services.pairing import PAIR_SITE, run_pairing
from .services.polling import FOLLOW_SITE, POLL_SITE, enqueue_due_polls, fetch_snapshots, run_follow


@job(SEND_SNAPSHOT, queue=Queue.OUTGOING, goes_first=True, lease=timedelta(minutes=3))
def send_snapshot_task(context: JobContext) -> None:
    """Send a snapshot of an event to its copy; ``key`` is the event's id."""
    send_snapshot(int(context.key))


@job(POLL_SITE, queue=Queue.OUTGOING, goes_first=True, lease=timedelta(minutes=3))
def fetch_snapshots_task(context: JobContext) -> None:
    """Fetch snapshots from the other installation of a club; ``key`` is the club's id."""
    fetch_snapshots(int(context.key))


@job(PAIR_SITE, name=_("Linking to the public site"), queue=Queue.OUTGOING, lease=timedelta(minutes=3))
def pair_with_site_task(context: JobContext) -> None:
    """Link a club to a public site; ``key`` is what was asked."""
    run_pairing(context.key)


@job(FOLLOW_SITE, name=_("Taking the public site’s version"), queue=Queue.OUTGOING, lease=timedelta(minutes=3))
def follow_site_task(context: JobContext) -> None:
    """Replace an event by the public site's; ``key`` is what was asked."""
    run_follow(context.key)


@shared_task(name="tournaments.sweep_snapshots")
def sweep_snapshots() -> None:
    enqueue_due_snapshots()
    enqueue_due_polls()
    record_overdue_handovers()
