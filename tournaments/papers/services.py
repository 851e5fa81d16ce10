"""Papers of an event or a club, made by the worker."""

from django.db import transaction

from jobs.models import Job
from jobs.services import enqueue

from .orders import Order


@transaction.atomic
def order_paper(*, order: Order, topic: str) -> Job:
    """The job that makes it. Nothing of the event changes, so no line of the history says it. Safe to repeat:
    while the same order waits, it is that one."""
    return enqueue(kind=order.kind, key=order.key, topic=topic)
