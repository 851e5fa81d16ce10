"""Waiting for what another process or thread does."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 180.0  # seconds, far more than needed, however busy the machine: a test that waits so long failed


def wait_until(is_so: Callable[[], bool], *, meanwhile: Callable[[], None] = lambda: None) -> None:
    """Asks often at first, then less: what takes seconds may end a moment later, and each question costs
    the others the processor."""
    begun = time.monotonic()
    while not is_so():
        waited = time.monotonic() - begun
        assert waited < PATIENCE, "it did not come to pass"
        meanwhile()
        time.sleep(min(0.05 + waited / 20, 0.25))
