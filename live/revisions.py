"""One number a topic, raised in the transaction of each change: none goes unseen, none is seen early."""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import F, Sum

from .announcements import announce
from .models import Revision


class Reach(StrEnum):
    """Who may notice a change: everybody; only those who work there, such as a draft; everybody, for the last
    time: from then on nobody else may watch the topic."""

    EVERYBODY = "everybody"
    STAFF = "staff"
    WITHDRAWN = "withdrawn"


def raise_revision(topic: str, reach: Reach = Reach.EVERYBODY) -> None:
    """Says that what the topic names has changed, to its watchers as soon as it is committed. Call it inside
    the transaction of the change, last."""
    if not _raise(topic, reach):
        try:
            with transaction.atomic():
                Revision.objects.create(topic=topic, is_withdrawn=reach is not Reach.EVERYBODY)
        except IntegrityError:  # another writer created it in between
            _raise(topic, reach)
    transaction.on_commit(partial(announce, topic))


def _raise(topic: str, reach: Reach) -> int:
    values: dict[str, object] = {"number": F("number") + 1}
    if reach is not Reach.STAFF:
        values |= {"public_number": F("number") + 1, "is_withdrawn": reach is Reach.WITHDRAWN}
    return Revision.objects.filter(topic=topic).update(**values)


def revision_of(*topics: str) -> int:
    """The revision of these topics together: another one after each change of any of them, 0 while nothing
    has happened. One query."""
    return _sum_of("number", topics)


def public_revision_of(*topics: str) -> int:
    """The same for a page that everybody reads: another one after each change that everybody may see."""
    return _sum_of("public_number", topics)


def _sum_of(name: str, topics: Sequence[str]) -> int:
    return Revision.objects.filter(topic__in=topics).aggregate(all=Sum(name))["all"] or 0
