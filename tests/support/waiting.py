"""Waiting for what another process or thread does."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMEOUT_SECONDS = 180.0  # seconds, far more than needed, however busy the machine: a test that waits so long failed


def wait_until(condition: Callable[[], bool], *, action: Callable[[], None] = lambda: None) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        action()
        time.sleep(0.05)
