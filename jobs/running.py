"""The context that a job's function receives."""

import time
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from jobs.models import Job

PAUSE = 0.5  # seconds between two writes: pages are not read more often


class JobCancelledError(Exception):
    """Raised when the job was stopped, or another worker has it by now: its work ends here."""


class JobContext:
    """A running job: ``key`` says what it is about, ``report`` shows its progress."""

    def __init__(self, job_row: Job, *, lease: timedelta) -> None:
        self.key = job_row.key
        self._job = job_row
        self._lease = lease
        self._silent_until = 0.0

    def report(self, done: int, total: int) -> None:
        """Show progress, keep the lease, and check whether to continue. Call it often: it seldom writes.

        Raises RuntimeError inside a transaction, where nobody would see it. Readers never see less than
        before, even if a dead worker's job begins again. Raises JobCancelledError: do not catch it.
        """
        now = time.monotonic()
        if now < self._silent_until:
            return
        self._silent_until = now + PAUSE
        changes: dict[str, Any] = {"lease_until": timezone.now() + self._lease}
        if not self._job.of or done * self._job.of > self._job.done * total:
            self._job.done, self._job.of = min(done, total), total
            changes |= {"done": self._job.done, "of": total}
        with transaction.atomic(durable=True):
            can_continue = self._job.query_attempt().filter(is_stop_asked=False).update(**changes)
        if not can_continue:
            raise JobCancelledError
