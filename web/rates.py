"""Rates in the memory of each process, for what is too frequent to be counted in the database."""

import time

from django.core.cache import caches

MINUTE = 60.0


def take(name: str, cost: int, *, most: int) -> bool:
    """Take from a bucket that holds ``most`` and fills up evenly within a minute. Return whether it had
    enough."""
    now = time.monotonic()
    left, at = caches["rates"].get(name) or (float(most), now)
    left = min(most, left + (now - at) * most / MINUTE)
    is_enough = cost <= left
    if is_enough:
        caches["rates"].set(name, (left - cost, now))
    return is_enough
