"""One number a topic, raised in the transaction of each change: none goes unseen, none is seen early."""

from django.db import IntegrityError, transaction
from django.db.models import F, Sum

from .models import Revision


def raise_revision(topic: str) -> None:
    """Says that what the topic names has changed. Call it inside the transaction of the change, last."""
    if Revision.objects.filter(topic=topic).update(number=F("number") + 1):
        return
    try:
        with transaction.atomic():
            Revision.objects.create(topic=topic)
    except IntegrityError:  # another writer created it in between
        Revision.objects.filter(topic=topic).update(number=F("number") + 1)


def revision_of(*topics: str) -> int:
    """The revision that a page of these topics shows: another one after each change of any of them, 0 while
    nothing has happened. One query."""
    return Revision.objects.filter(topic__in=topics).aggregate(all=Sum("number"))["all"] or 0
