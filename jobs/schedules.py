"""Schedules of the workers."""

from datetime import UTC, datetime

from celery.schedules import schedstate, schedule

LONG_AGO = datetime(1900, 1, 1, tzinfo=UTC)
"""Earlier than the time of any computer that lost its clock: those without a battery begin in 1970."""


class IntervalSchedule(schedule):
    """A schedule of every so many seconds that copes with a clock set back. Celery's own would
    wait until the old time."""

    def is_due(self, last_run_at: datetime) -> schedstate:
        is_ahead = self.maybe_make_aware(last_run_at) > self.now()
        return super().is_due(LONG_AGO if is_ahead else last_run_at)
