"""Slowing down whoever guesses a code: misses are counted by address, and forgotten in time.

Each process counts for itself, by a clock that nobody sets: no page waits for a server that keeps counts, and
nobody is kept out for longer because the computer's time was put right.
"""

import time
from threading import Lock

ALLOWED = 20
FORGOTTEN_AFTER = 600.0
"""Seconds. At 20 guesses in ten minutes, finding one of fifty cards among a million codes takes a week."""

MOST_COUNTED = 10_000
"""Addresses; when there are more, those who missed first are forgotten."""

_misses: dict[tuple[str, str], tuple[int, float]] = {}
_mutex = Lock()


def has_missed_too_often(what: str, address: str, *, allowed: int = ALLOWED) -> bool:
    return _missed(what, address)[0] >= allowed


def count_miss(what: str, address: str) -> None:
    with _mutex:
        count, since = _missed(what, address)
        _misses[what, address] = (count + 1, since)
        if len(_misses) > MOST_COUNTED:
            del _misses[next(iter(_misses))]


def _missed(what: str, address: str) -> tuple[int, float]:
    """How often within the last while, and since when."""
    now = time.monotonic()
    count, since = _misses.get((what, address), (0, now))
    return (count, since) if now - since < FORGOTTEN_AFTER else (0, now)
