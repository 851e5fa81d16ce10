"""One number a topic, raised in the transaction of each change: none goes unseen, none is seen early."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import partial

from django.db import connection, transaction

from .announcements import announce


class Reach(StrEnum):
    """Who may notice a change: everybody; only those who work there, such as a draft; everybody, for the last
    time: from then on nobody else may watch the topic."""

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
"""A row that is not there yet is not public either before everybody may see a change of it."""


def raise_revision(topic: str, reach: Reach = Reach.EVERYBODY) -> None:
    """Says that what the topic names has changed, to its watchers as soon as it is committed. Call it inside
    the transaction of the change, last."""
    raise_revisions({topic: reach})


def raise_revisions(reaches: Mapping[str, Reach]) -> None:
    """The same for several topics, in one statement. Their rows are locked in this order, which has to be the
    same for all who name some of them together."""
    rows = ", ".join(["(%s, 1, %s, %s)"] * len(reaches))
    values: list[str | int] = []
    for topic, reach in reaches.items():
        values += [topic, 0 if reach is Reach.STAFF else 1, reach is not Reach.EVERYBODY]
    with connection.cursor() as cursor:
        cursor.execute(_RAISE.format(rows=rows), values)
    for topic in reaches:
        transaction.on_commit(partial(announce, topic))


def revision_of(*topics: str) -> int:
    """The revision of these topics together: another one after each change of any of them, 0 while nothing
    has happened. One query."""
    return _sum_of("number", topics)


def public_revision_of(*topics: str) -> int:
    """The same for a page that everybody reads: another one after each change that everybody may see."""
    return _sum_of("public_number", topics)


def _sum_of(name: str, topics: Sequence[str]) -> int:
    if not topics:
        return 0
    places = ", ".join(["%s"] * len(topics))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT SUM({name}) FROM live_revision WHERE topic IN ({places})", topics)  # noqa: S608
        return int(cursor.fetchone()[0] or 0)
