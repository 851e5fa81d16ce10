"""One number a topic, raised in the transaction of each change: none goes unseen, none is seen early."""

from django.db import IntegrityError, transaction
from django.db.models import F

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


def revision_of(topic: str) -> int:
    """The revision that a page of this topic shows; 0 while nothing has happened."""
    return Revision.objects.filter(topic=topic).values_list("number", flat=True).first() or 0
