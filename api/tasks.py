"""What the worker does for programs that are told. It goes to the worker for long work: an address that
answers slowly keeps no standings waiting.

Every command registers the kinds; only who does the work loads what it takes.
"""

from datetime import timedelta

from celery import shared_task

from clubs.services.webhooks import DELIVER, LOOK, NOTE, WRITE_OWNERS
from jobs.registry import job
from jobs.running import JobContext


@job(LOOK, is_long=True)
def look_for_news(running: JobContext) -> None:
    """``key`` is the topic of an event or a calendar."""
    from .webhooks.looking import write_news

    write_news(running.key)


@job(NOTE, is_long=True)
def note_public(running: JobContext) -> None:
    """``key`` is the club's id."""
    from .webhooks.looking import note_what_is_public

    note_what_is_public(int(running.key), running.report)


@job(DELIVER, is_long=True, lease=timedelta(minutes=2))
def deliver_webhooks(running: JobContext) -> None:
    """``key`` is the id of the address, and after a space the lane."""
    from .webhooks.sending import deliver

    webhook, _, lane = running.key.partition(" ")
    deliver(int(webhook), lane)


@job(WRITE_OWNERS, backoff=timedelta(seconds=10))
def write_webhook_owners(running: JobContext) -> None:
    """``key`` is the id of the address."""
    from .webhooks.mails import write_owners

    write_owners(int(running.key))


@shared_task(name="api.sweep_webhooks")
def sweep_webhooks() -> None:
    from .webhooks.sending import request_due_deliveries

    request_due_deliveries()
