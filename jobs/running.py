"""The context that a job's function receives."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from jobs.models import Job

PAUSE = 0.5  # seconds between two writes: pages are not read more often


class Cancelled(Exception):  # noqa: N818 -- not an error: a wish
    """Raised when the job was stopped, or another worker has it by now: its work ends here."""


class JobContext:
    """A running job: ``key`` says what it is about, ``report`` shows its progress."""

    def __init__(self, claimed: Job, *, lease: timedelta) -> None:
        self.key = claimed.key
        self._job = claimed
        self._lease = lease
        self._silent_until = 0.0

    def report(self, done: int, of: int) -> None:
        """Show progress, keep the lease, and check whether to continue. Call it often: it seldom writes.

        Raises RuntimeError inside a transaction, where nobody would see it. Readers never see less than
        before, even if a dead worker's job begins again. Raises Cancelled: do not catch it.
        """
        now = time.monotonic()
        if now < self._silent_until:
            return
        self._silent_until = now + PAUSE
        changes: dict[str, Any] = {"lease_until": timezone.now() + self._lease}
        if not self._job.of or done * self._job.of > self._job.done * of:
            self._job.done, self._job.of = min(done, of), of
            changes |= {"done": self._job.done, "of": of}
        with transaction.atomic(durable=True):
            may_go_on = self._job.this_attempt().filter(is_stop_asked=False).update(**changes)
        if not may_go_on:
            raise Cancelled
