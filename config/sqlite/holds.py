"""How long each transaction has held the writer, and whose it was: phones in a hall wait for it.

A long one is logged. With a file's name in ``CHARLEMAGNE_HOLDS`` each is a line there, for measuring."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from time import monotonic, thread_time
from types import FrameType, FunctionType

logger = logging.getLogger(__name__)

LONG = 0.2
"""Seconds. Nobody may hold the writer so long while a night is on."""
VARIABLE = "CHARLEMAGNE_HOLDS"

OURS = ("tournaments.", "scoring.", "clubs.", "live.", "jobs.services", "jobs.running")
FOR_OTHERS = "tournaments.history.services.optimistic"
"""Holds it for who calls."""


class Hold:
    """From the moment the writer is held."""

    def __init__(self) -> None:
        self._since, self._worked = monotonic(), thread_time()

    def end(self) -> None:
        """The writer is free again. A line has the milliseconds, and those that the processor took."""
        seconds, worked = monotonic() - self._since, thread_time() - self._worked
        file = os.environ.get(VARIABLE)
        if file:
            with Path(file).open("a", encoding="utf-8") as lines:
                lines.write(f"{1000 * seconds:.1f} {1000 * worked:.1f} {_holder()}\n")
        elif seconds > LONG and (holder := _holder()):
            logger.warning("%s held the writer for %.1f s", holder, seconds)


def _holder() -> str:
    """The innermost function of the house that holds it, by the calls that are under way; "" where there is
    none, as for a migration: nobody plays meanwhile."""
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
