"""The registered kinds of jobs: one function each, in the `tasks` of its app."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from jobs.models import Course
from jobs.queues import Queue
from jobs.running import JobContext

Work = Callable[[JobContext], Mapping[str, Any] | None]
TakeBack = Callable[[Course], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    work: Work
    lease: timedelta
    is_shown: bool
    queue: Queue
    goes_first: bool
    take_back: TakeBack | None
    backoff: timedelta
    rests: bool


_kinds: dict[str, JobKind] = {}


def job(
    kind: str,
    *,
    is_shown: bool = False,
    queue: Queue = Queue.SHORT,
    goes_first: bool = False,
    lease: timedelta = timedelta(minutes=1),
    take_back: TakeBack | None = None,
    backoff: timedelta = timedelta(),
    rests: bool = False,
) -> Callable[[Work], Work]:
    """Register the decorated function for this kind of job. ``is_shown`` jobs appear on pages. Each ``queue``
    has a worker of its own, so that nothing short waits for what takes long. A kind that ``goes_first`` is
    taken before the others in its queue.

    The function may run again after it ran in part or in whole: its effect must be repeatable.
    Its result is stored with the job: small JSON, in which ``page`` is the address of what was
    made. A worker that is silent for longer than the lease counts as dead. If a job is stopped
    or fails for good, ``take_back`` deletes what it wrote, its course of the same kind and key.
    ``backoff`` is the wait after the first failure, and each later one takes four times as
    long: for work that needs somebody elsewhere. A kind that ``rests`` is requested after each
    change: it runs a third of the time at most, so that one run serves many requests.
    """

    def register(work: Work) -> Work:
        if kind in _kinds:
            raise ValueError(f"two functions for the kind of job {kind!r}")
        _kinds[kind] = JobKind(
            work=work,
            lease=lease,
            is_shown=is_shown,
            queue=queue,
            goes_first=goes_first,
            take_back=take_back,
            backoff=backoff,
            rests=rests,
        )
        return work

    return register


def kind_named(kind: str) -> JobKind:
    """Return the registered kind. Raises LookupError if there is none: a bug."""
    try:
        return _kinds[kind]
    except KeyError:
        raise LookupError(f"no function for the kind of job {kind!r}") from None


def queue_of(kind: str) -> Queue:
    """Return the queue of its jobs; the short one for an unknown kind."""
    return _kinds[kind].queue if kind in _kinds else Queue.SHORT


def kinds_in(queue: Queue) -> list[str]:
    """Return the names of the kinds whose jobs are in that queue."""
    return [name for name, kind in _kinds.items() if kind.queue == queue]


def goes_first(kind: str) -> bool:
    """Return whether its jobs go before the others in their queue; False for an unknown kind."""
    return kind in _kinds and _kinds[kind].goes_first


def leases() -> dict[str, timedelta]:
    """Return the longest silence of a worker, by kind."""
    return {name: kind.lease for name, kind in _kinds.items()}


def take_back_of(kind: str) -> TakeBack | None:
    """Return the function that deletes what stopped jobs have written; None without one, or for
    an unknown kind."""
    return _kinds[kind].take_back if kind in _kinds else None


def backoff_of(kind: str) -> timedelta:
    """Return the wait after the first failure; none for an unknown kind."""
    return _kinds[kind].backoff if kind in _kinds else timedelta()


def visible_kinds() -> list[str]:
    """Return the names of the kinds whose jobs pages show."""
    return [name for name, kind in _kinds.items() if kind.is_shown]
