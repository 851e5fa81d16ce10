"""A clock that stands still until it is advanced, and random values that repeat in each run."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

from django.utils import timezone

FIXED_TIME = datetime(2026, 11, 17, 23, 30, tzinfo=UTC)
"""18:30 in Montréal, on the day on which the builders' nights are held."""


class FixedValues:
    """Fixed values of every run: the time and all random values."""

    def __init__(self) -> None:
        self._now = FIXED_TIME
        self._lots = random.Random(0)

    def get_time(self) -> datetime:
        return self._now

    def get_timestamp(self) -> float:
        return self._now.timestamp()

    def wait(self, **length: int) -> None:
        """Advance the clock: ``wait(minutes=5)``."""
        self._now += timedelta(**length)

    def get_bytes(self, count: int) -> bytes:
        return self._lots.randbytes(count)

    def begin(self, name: str) -> None:
        """Seed the random values with ``name``, so that they do not depend on earlier ones."""
        self._lots.seed(name)


@contextmanager
def patch_fixed_values() -> Iterator[FixedValues]:
    """Fix the clock and all randomness while the block runs.

    Enter it before any model is imported: fields default to ``timezone.now``. Keys (``uuid4``) take random bytes from
    `os`; ``secrets`` and Django's secrets take them from `random`.
    """
    still = FixedValues()
    with (
        patch.object(timezone, "now", still.get_time),
        patch.object(time, "time", still.get_timestamp),
        patch.object(os, "urandom", still.get_bytes),
        patch.object(random, "_urandom", still.get_bytes),
    ):
        yield still
