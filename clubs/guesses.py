"""Slowing down whoever guesses a code: misses are counted by address, and forgotten in time."""

from django.core.cache import cache

ALLOWED = 20
FORGOTTEN_AFTER = 600
"""Seconds. At 20 guesses in ten minutes, finding one of fifty cards among a million codes takes a week."""


def has_missed_too_often(what: str, address: str, *, allowed: int = ALLOWED) -> bool:
    return int(cache.get(_key(what, address), 0)) >= allowed


def count_miss(what: str, address: str) -> None:
    cache.add(_key(what, address), 0, FORGOTTEN_AFTER)
    cache.incr(_key(what, address))


def _key(what: str, address: str) -> str:
    return f"missed-{what}:{address}"
