"""Background tasks of alerts."""

from datetime import timedelta

from celery import shared_task

from jobs.queues import Queue
from jobs.registry import job
from jobs.running import JobContext

from .channels import CHANNELS, AddressGone
from .presenters import message_of
from .services import (
    LOOK,
    TELL,
    due_alert,
    enqueue_alerts,
    forget_old_alerts,
    keep_told,
    stop_alerts,
)


@job(LOOK)
def look_for_alerts(running: JobContext) -> None:
    """Queue the alerts due in an event; ``key`` is its id."""
    enqueue_alerts(int(running.key))


@job(TELL, queue=Queue.OUTGOING, backoff=timedelta(seconds=10))
def tell_alert(running: JobContext) -> None:
    """Send an alert; ``due_alert`` reads from ``key`` the subscription and the news."""
    due = due_alert(running.key)
    if due is None:
        return
    subscription, news = due
    channel = CHANNELS[subscription.channel]
    address = channel.address_now(subscription.address, subscription.person)
    try:
        channel.send(address, message_of(subscription, subscription.event, news))
    except AddressGone:
        stop_alerts(subscription.pk)
    else:
        keep_told(subscription.pk, news)


@shared_task(name="tournaments.sweep_alerts")
def sweep_alerts() -> None:
    forget_old_alerts()
