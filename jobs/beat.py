"""The beat of the workers: one process, which lets each schedule strike."""

from typing import Any

from celery import beat

from .schedules import LONG_AGO


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
