"""Wait for another process or thread."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMEOUT_SECONDS = 180.0  # far more than needed, however busy the machine


def wait_until(condition: Callable[[], bool], *, action: Callable[[], None] = lambda: None) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        action()
        time.sleep(0.05)
