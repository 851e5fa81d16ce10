"""A clock that stands still until it is put on, and lots that fall the same way each time."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

from django.utils import timezone

EVENING = datetime(2026, 11, 17, 23, 30, tzinfo=UTC)
"""Half past six in the evening of the day on which the builders' nights are held."""


class Still:
    """Fixed values of every run: the hour, and whatever is drawn by lot."""

    def __init__(self) -> None:
        self._now = EVENING
        self._lots = random.Random(0)

    def now(self) -> datetime:
        return self._now

    def seconds(self) -> float:
        return self._now.timestamp()

    def wait(self, **length: int) -> None:
        """Puts the clock on: ``wait(minutes=5)``."""
        self._now += timedelta(**length)

    def bytes(self, count: int) -> bytes:
        return self._lots.randbytes(count)

    def begin(self, name: str) -> None:
        """From here on the lots are those of that name, however many were drawn before."""
        self._lots.seed(name)


@contextmanager
def stillness() -> Iterator[Still]:
    """Has to begin before any model is imported, since fields take ``timezone.now`` as their default.

    The system's chance is asked at two places: all of ``secrets`` and of Django's secrets goes through the
    second, keys (``uuid4``) through the first.
    """
    still = Still()
    with (
        patch.object(timezone, "now", still.now),
        patch.object(time, "time", still.seconds),
        patch.object(os, "urandom", still.bytes),
        patch.object(random, "_urandom", still.bytes),
    ):
        yield still
