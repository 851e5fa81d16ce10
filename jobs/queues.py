"""Queues of the broker, each with a worker of its own, and how clubs share them."""

from enum import StrEnum


class Queue(StrEnum):
    """A queue. ``OUTGOING`` is for requests to other machines: its worker waits for many at once."""

    SHORT = "jobs"
    LONG = "jobs-long"
    OUTGOING = "jobs-outgoing"


MAX_OUTGOING = 16
"""Outgoing requests at once."""
MAX_JOBS_PER_CLUB = {Queue.LONG: 2, Queue.OUTGOING: MAX_OUTGOING // 2}
"""Jobs of one club that run at once, by queue; those of the short one run one after another."""
MAX_POSITION = 9
"""The lowest priority of a message (0 is the highest)."""
