"""Measurement of how long each transaction holds the write lock, and which function it was: phones wait for
it.

A long one is logged. With a file's name in ``CHARLEMAGNE_HOLDS`` each is a line there, for measuring.
"""

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

PROJECT_MODULES = ("tournaments.", "scoring.", "clubs.", "live.", "jobs.services", "jobs.registry")
DELEGATING_MODULE = "tournaments.history.services.optimistic"
"""Module that holds the lock on behalf of its caller."""


class Hold:
    """A hold of the write lock, from its beginning."""

    def __init__(self) -> None:
        self._started, self._cpu_start = monotonic(), thread_time()

    def end(self) -> None:
        """End the hold and record it. A line has the milliseconds, and those of processor time."""
        seconds, cpu_seconds = monotonic() - self._started, thread_time() - self._cpu_start
        file = os.environ.get(VARIABLE)
        if file:
            with Path(file).open("a", encoding="utf-8") as lines:
                lines.write(f"{1000 * seconds:.1f} {1000 * cpu_seconds:.1f} {_find_holder()}\n")
        elif seconds > LONG and (holder := _find_holder()):
            logger.warning("%s held the writer for %.1f s", holder, seconds)


def _find_holder() -> str:
    """Return the innermost function of this project in the call stack.

    "" if there is none, as for a migration: nobody plays meanwhile.
    """
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001
    while frame is not None:
        wrapped = frame.f_locals.get("func")  # contextlib's, of @transaction.atomic
        if isinstance(wrapped, FunctionType) and wrapped.__module__.startswith(PROJECT_MODULES):
            return f"{wrapped.__module__}.{wrapped.__qualname__}"
        name = str(frame.f_globals.get("__name__"))
        if name.startswith(PROJECT_MODULES) and name != DELEGATING_MODULE:
            return f"{name}.{frame.f_code.co_qualname}"
        frame = frame.f_back
    return ""
