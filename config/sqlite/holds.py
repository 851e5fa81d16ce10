"""Measurement of how long each transaction holds the write lock, and which function it was: phones wait for
it.

A long one is logged. With a file's name in ``CHARLEMAGNE_HOLDS`` each is a line there, for measuring.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from time import monotonic, thread_time
from types import FrameType, FunctionType

logger = logging.getLogger(__name__)

LONG = 0.2
"""Seconds from which a hold is too long during a night."""
VARIABLE = "CHARLEMAGNE_HOLDS"

OURS = ("tournaments.", "scoring.", "clubs.", "live.", "jobs.services", "jobs.running")
FOR_OTHERS = "tournaments.history.services.optimistic"
"""Module that holds the lock on behalf of its caller."""


class Hold:
    """A hold of the write lock, from its beginning."""

    def __init__(self) -> None:
        self._since, self._worked = monotonic(), thread_time()

    def end(self) -> None:
        """End the hold and record it. A line has the milliseconds, and those of processor time."""
        seconds, worked = monotonic() - self._since, thread_time() - self._worked
        file = os.environ.get(VARIABLE)
        if file:
            with Path(file).open("a", encoding="utf-8") as lines:
                lines.write(f"{1000 * seconds:.1f} {1000 * worked:.1f} {_holder()}\n")
        elif seconds > LONG and (holder := _holder()):
            logger.warning("%s held the writer for %.1f s", holder, seconds)


def _holder() -> str:
    """Return the innermost function of this project in the call stack.

    "" if there is none, as for a migration: nobody plays meanwhile.
    """
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001
    while frame is not None:
        decorated = frame.f_locals.get("func")  # contextlib's, of @transaction.atomic
        if isinstance(decorated, FunctionType) and decorated.__module__.startswith(OURS):
            return f"{decorated.__module__}.{decorated.__qualname__}"
        name = str(frame.f_globals.get("__name__"))
        if name.startswith(OURS) and name != FOR_OTHERS:
            return f"{name}.{frame.f_code.co_qualname}"
        frame = frame.f_back
    return ""
