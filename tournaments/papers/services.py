"""Services of papers of an event or a club, which the worker makes."""

from django.db import transaction

from clubs.disk_quota import check_space
from clubs.models import Club
from jobs.models import Job
from jobs.services import enqueue
from tournaments.models import Event

from .orders import Order
from .paper_files import topic_of


@transaction.atomic
def order_paper(*, order: Order, of: Event | Club) -> Job:
    """Enqueue the task that makes a paper. The history does not record it, as the event does not change. Safe
    to repeat: an equal order that waits is not enqueued twice. Refuses: club_disk_full."""
    check_space(of.pk if isinstance(of, Club) else of.club_id)
    return enqueue(kind=order.kind, key=order.key, topic=topic_of(of))
