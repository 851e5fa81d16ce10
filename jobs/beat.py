"""The beat of the workers: one process, which lets each schedule strike."""

import logging
from typing import Any

from celery import beat
from kombu.exceptions import OperationalError

from .schedules import LONG_AGO

logger = logging.getLogger(__name__)


class Scheduler(beat.Scheduler):
    """Asks each of them when it strikes next, also after the clock of the computer was set back: Celery's own
    goes on with the moments that it worked out before, and would let nothing strike until then."""

    _ticked_at = LONG_AGO

    def tick(self, *args: Any, **options: Any) -> float:
        """Seconds until something is due."""
        now = self.app.now()
        if now < self._ticked_at:
            self._heap = None
        self._ticked_at = now
        seconds: float = super().tick(*args, **options)
        return seconds

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Sends the message of a schedule. That Redis is away, or the disk full, is said by `up`, in a line,
        and not here at each strike with the whole way of the call."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except beat.SchedulingError as error:
            if not isinstance(error.__context__, (OperationalError, OSError)):
                logger.exception("%s", error)
