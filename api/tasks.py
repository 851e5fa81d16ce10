"""Tasks of webhooks, for the worker for long work, so that a slow address does not delay standings; and of
idempotency keys.

Every process registers the kinds of tasks. Only the worker imports the code behind them.
"""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from clubs.models import IdempotencyKey
from clubs.services.webhooks import CHECK_JOB, DELIVERY_JOB, RECORD_JOB, WRITE_OWNERS
from jobs.queues import Queue
from jobs.registry import JobContext, job


@job(CHECK_JOB, queue=Queue.LONG)
def look_for_news(context: JobContext) -> None:
    """Write the news of a topic; ``key`` is the topic of an event or a calendar."""
    from .webhooks.change_detection import write_news

    write_news(context.key)


@job(RECORD_JOB, queue=Queue.LONG)
def record_public_facts(context: JobContext) -> None:
    """Note what is public in a club; ``key`` is the club's id."""
    from .webhooks.change_detection import note_what_is_public

    note_what_is_public(int(context.key), context.report)


@job(DELIVERY_JOB, queue=Queue.OUTGOING, lease=timedelta(minutes=2))
def deliver_webhooks(context: JobContext) -> None:
    """Send deliveries; ``key`` is the id of the webhook and, after a space, the ordering key."""
    from .webhooks.dispatch import deliver

    webhook, _, ordering_key = context.key.partition(" ")
    deliver(int(webhook), ordering_key)


@job(WRITE_OWNERS, queue=Queue.OUTGOING, backoff=timedelta(seconds=10))
def write_webhook_owners(context: JobContext) -> None:
    """Send e-mail to the owners; ``key`` is the id of the webhook."""
    from .webhooks.mails import mail_webhook_failure

    mail_webhook_failure(int(context.key))


@shared_task(name="api.sweep_webhooks")
def sweep_webhooks() -> None:
    from .webhooks.dispatch import request_due_deliveries

    request_due_deliveries()


@shared_task(name="api.sweep_idempotency_keys")
def sweep_idempotency_keys() -> None:
    IdempotencyKey.objects.filter(claimed_at__lt=timezone.now() - IdempotencyKey.RETENTION).delete()
