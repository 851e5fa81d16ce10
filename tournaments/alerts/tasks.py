"""Background tasks of alerts."""

from datetime import timedelta

from celery import shared_task

from jobs.queues import Queue
from jobs.registry import JobContext, job

from .channels import CHANNELS, AddressGone
from .presenters import build_message
from .services import (
    CHECK_ALERTS,
    SEND_ALERT,
    delete_old_alerts,
    enqueue_alerts,
    find_due_alert,
    record_sent_news,
    stop_alerts,
)


@job(CHECK_ALERTS)
def check_alerts(context: JobContext) -> None:
    """Queue the alerts due in an event; ``key`` is its id."""
    enqueue_alerts(int(context.key))


@job(SEND_ALERT, queue=Queue.OUTGOING, backoff=timedelta(seconds=10))
def send_alert(context: JobContext) -> None:
    """Send the alert that ``find_due_alert`` finds by the job's key: a subscription and its news."""
    alert = find_due_alert(context.key)
    if alert is None:
        return
    subscription, news = alert
    channel = CHANNELS[subscription.channel]
    address = channel.get_current_address(subscription.address, subscription.person)
    try:
        channel.send(address, build_message(subscription, subscription.event, news))
    except AddressGone:
        stop_alerts(subscription.pk)
    else:
        record_sent_news(subscription.pk, news)


@shared_task(name="tournaments.sweep_alerts")
def sweep_alerts() -> None:
    delete_old_alerts()
