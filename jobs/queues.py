"""Queues of the broker, each with a worker of its own, and how clubs share them."""

from enum import StrEnum


class Queue(StrEnum):
    """A queue. ``OUTGOING`` is for requests to other machines: its worker waits for many at once."""

    SHORT = "jobs"
    LONG = "jobs-long"
    OUTGOING = "jobs-outgoing"


OUTGOING_AT_ONCE = 16
"""Outgoing requests at once."""
MOST_OF_CLUB = {Queue.LONG: 2, Queue.OUTGOING: OUTGOING_AT_ONCE // 2}
"""Jobs of one club that run at once, by queue; in the others nothing takes long."""
LAST_TURN = 9
"""The lowest priority of a message (0 is the highest)."""
