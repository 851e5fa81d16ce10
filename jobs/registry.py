"""The registered kinds of jobs, one function each, and the context in which they run."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise

from jobs.models import Job, LongWrite
from jobs.queues import Queue

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


Work = Callable[[JobContext], Mapping[str, Any] | None]
UndoLongWrite = Callable[[LongWrite], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubLimit:
    """Limit of a kind for each club: the most jobs that run or wait, the ``code`` that refuses one more, and
    a ``check`` that refuses a new one of this club's id."""

    most: int | None = None
    code: str = ""
    check: Callable[[int], None] | None = None


NO_LIMIT = ClubLimit()


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    """A kind of jobs: its function, and how its jobs run.

    The function may run again after it ran in part or in whole: its effect must be repeatable.
    Its result is stored with the job: small JSON, in which ``page`` is the address of the result's page.

    Jobs of a kind with a ``name`` appear on pages. Each ``queue`` has a worker of its own, so that short jobs do
    not wait for long ones. With ``goes_first``, its jobs run before the others in their queue.

    A worker that is silent for longer than the ``lease`` counts as dead. If a job is stopped or fails for good,
    ``undo`` deletes the rows that it wrote, by its long write of the same kind and key. ``backoff`` is the wait after
    the first failure; each later wait is four times as long. It is for work that needs another server.

    Use ``pauses_between_runs`` for a kind that is requested after each change: it runs a third of the time at
    most, so that one run serves many requests. Beyond the ``club_limit``, a club's new jobs are refused, and so
    is another try of a stopped one.
    """

    work: Work
    name: str | Promise = ""
    queue: Queue = Queue.SHORT
    goes_first: bool = False
    lease: timedelta = timedelta(minutes=1)
    undo: UndoLongWrite | None = None
    backoff: timedelta = timedelta()
    pauses_between_runs: bool = False
    club_limit: ClubLimit = NO_LIMIT


_kinds: dict[str, JobKind] = {}


def job(kind: str, **options: Any) -> Callable[[Work], Work]:
    """Register the decorated function for this kind of job; ``options`` are the other fields of ``JobKind``."""

    def register(work: Work) -> Work:
        if kind in _kinds:
            raise ValueError(f"two functions for the kind of job {kind!r}")
        _kinds[kind] = JobKind(work=work, **options)
        return work

    return register


def get_kind(kind: str) -> JobKind:
    """Return the registered kind. Raises LookupError if there is none: a bug."""
    try:
        return _kinds[kind]
    except KeyError:
        raise LookupError(f"no function for the kind of job {kind!r}") from None


def find_kind(kind: str) -> JobKind:
    """Return the registered kind; for an unknown one, of an absent feature or another version, the usual values."""
    return _kinds.get(kind, _UNKNOWN_KIND)


def _refuse_unknown(context: JobContext) -> None:
    raise LookupError("no function for this kind of job")


_UNKNOWN_KIND = JobKind(work=_refuse_unknown)


def list_kinds(queue: Queue) -> list[str]:
    """Return the names of the kinds whose jobs are in that queue."""
    return [name for name, kind in _kinds.items() if kind.queue == queue]


def get_leases() -> dict[str, timedelta]:
    """Return the longest silence of a worker, by kind."""
    return {name: kind.lease for name, kind in _kinds.items()}


def list_visible_kinds() -> list[str]:
    """Return the names of the kinds whose jobs pages show."""
    return [name for name, kind in _kinds.items() if kind.name]
