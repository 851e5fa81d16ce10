"""Waiting for what another process or thread does."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 180.0  # seconds, far more than needed, however busy the machine: a test that waits so long failed


def wait_until(is_so: Callable[[], bool], *, meanwhile: Callable[[], None] = lambda: None) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "it did not come to pass"
        meanwhile()
        time.sleep(0.05)
