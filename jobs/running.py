"""What the function of a kind is given: the job under way."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from jobs.models import Job

PAUSE = 0.5  # seconds between two writes: nobody looks more often


class Cancelled(Exception):  # noqa: N818 -- not an error: a wish
    """Somebody asked to stop, or another worker has the job by now: this work ends here."""


class JobContext:
    """A job under way: ``key`` says about what, ``report`` tells how far it is."""

    def __init__(self, claimed: Job, *, lease: timedelta) -> None:
        self.key = claimed.key
        self._job = claimed
        self._lease = lease
        self._silent_until = 0.0

    def report(self, done: int, of: int) -> None:
        """Show progress, keep the lease, and see whether to go on. As often as you like: it seldom writes.

        Call it outside of transactions, in which nobody would see it: RuntimeError. Readers never see less
        than before, even if a dead worker's job begins again. Raises Cancelled: let it pass.
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
