"""One number per topic, raised in the transaction of each change: none is missed, and none
shows too early."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import partial

from django.db import connection, transaction

from .announcements import announce_change


class Reach(StrEnum):
    """The people who may notice a change: everybody, or only staff, as for a draft. ``WITHDRAWN`` is noticed
    by everybody for the last time; afterwards only staff may watch the topic."""

    EVERYBODY = "everybody"
    STAFF = "staff"
    WITHDRAWN = "withdrawn"


_RAISE = """INSERT INTO "live_revision" (topic, number, public_number, is_withdrawn) VALUES {rows}
    ON CONFLICT (topic) DO UPDATE SET
        number = live_revision.number + 1,
        public_number = CASE excluded.public_number
            WHEN 1 THEN live_revision.number + 1 ELSE live_revision.public_number END,
        is_withdrawn = CASE excluded.public_number
            WHEN 1 THEN excluded.is_withdrawn ELSE live_revision.is_withdrawn END
"""
"""A new row is not public either, until there is a public change."""


def raise_revision(topic: str, reach: Reach = Reach.EVERYBODY) -> None:
    """Raise the topic's revision, which watchers hear of after the commit. Call it last in the
    transaction of the change."""
    raise_revisions({topic: reach})


def raise_revisions(reaches: Mapping[str, Reach]) -> None:
    """Raise the revisions of several topics, in one statement. Their rows are locked in this order, which
    must be the same for all callers with common topics."""
    rows = ", ".join(["(%s, 1, %s, %s)"] * len(reaches))
    values: list[str | int] = []
    for topic, reach in reaches.items():
        values += [topic, 0 if reach is Reach.STAFF else 1, reach is not Reach.EVERYBODY]
    with connection.cursor() as cursor:
        cursor.execute(_RAISE.format(rows=rows), values)
    for topic in reaches:
        transaction.on_commit(partial(announce_change, topic))


def get_revision(*topics: str) -> int:
    """Return a number that grows with each change of any of these topics, 0 if there was none. One query."""
    return _sum_numbers("number", topics)


def get_public_revision(*topics: str) -> int:
    """Return a number that grows with each public change of these topics, for pages that everybody reads."""
    return _sum_numbers("public_number", topics)


def _sum_numbers(name: str, topics: Sequence[str]) -> int:
    if not topics:
        return 0
    places = ", ".join(["%s"] * len(topics))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT SUM({name}) FROM live_revision WHERE topic IN ({places})", topics)  # noqa: S608
        return int(cursor.fetchone()[0] or 0)
