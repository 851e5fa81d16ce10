"""When the worker's clock strikes."""

from datetime import UTC, datetime

from celery.schedules import schedstate, schedule

LONG_AGO = datetime(1900, 1, 1, tzinfo=UTC)
"""Before whatever a computer believes that has forgotten the day: those without a battery begin in 1970."""


class Every(schedule):
    """Every so many seconds, also after the clock of the computer was set back: Celery's own would wait until
    it is again as late as it was."""

    def is_due(self, last_run_at: datetime) -> schedstate:
        is_ahead = self.maybe_make_aware(last_run_at) > self.now()
        return super().is_due(LONG_AGO if is_ahead else last_run_at)
