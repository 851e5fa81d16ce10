"""Services of papers of an event or a club, which the worker makes."""

from django.db import transaction

from jobs.models import Job
from jobs.services import enqueue

from .orders import Order


@transaction.atomic
def order_paper(*, order: Order, topic: str, club_id: int) -> Job:
    """Enqueue the task that makes a paper. The history does not record it, as the event does not change. Safe
    to repeat: an equal order that waits is not enqueued twice. Refuses: club_disk_full."""
    return enqueue(kind=order.kind, key=order.key, topic=topic, club_id=club_id)
