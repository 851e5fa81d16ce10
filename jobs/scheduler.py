"""The scheduler of the workers, in a process of its own."""

import logging
from typing import Any

from celery import beat
from kombu.exceptions import OperationalError

from .schedules import LONG_AGO

logger = logging.getLogger(__name__)


class Scheduler(beat.Scheduler):
    """A scheduler that copes with a clock set back. Celery's own keeps the times it has worked out before,
    and would start nothing until then."""

    _ticked_at = LONG_AGO

    def tick(self, *args: Any, **options: Any) -> float:
        """Return the seconds until something is due."""
        now = self.app.now()
        if now < self._ticked_at:
            self._heap = None
        self._ticked_at = now
        seconds: float = super().tick(*args, **options)
        return seconds

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Send the message of a schedule. Failures of Redis or a full disk are reported by `up` in one line,
        instead of here with a traceback each time."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except beat.SchedulingError as error:
            if not isinstance(error.__context__, (OperationalError, OSError)):
                logger.exception("%s", error)
