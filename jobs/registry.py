"""The registered kinds of jobs: one function each, in the `tasks` of its app."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from jobs.models import Course
from jobs.queues import Queue
from jobs.running import JobContext

Work = Callable[[JobContext], Mapping[str, Any] | None]
UndoCourse = Callable[[Course], None]


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

    Jobs with ``is_visible`` appear on pages. Each ``queue`` has a worker of its own, so that short jobs do not wait
    for long ones. With ``goes_first``, its jobs run before the others in their queue.

    A worker that is silent for longer than the ``lease`` counts as dead. If a job is stopped or fails for good,
    ``undo`` deletes the rows that it wrote, by its course of the same kind and key. ``backoff`` is the wait after
    the first failure; each later wait is four times as long. It is for work that needs another server.

    Use ``pauses_between_runs`` for a kind that is requested after each change: it runs a third of the time at
    most, so that one run serves many requests. Beyond the ``club_limit``, a club's new jobs are refused, and so
    is another try of a stopped one.
    """

    work: Work
    is_visible: bool = False
    queue: Queue = Queue.SHORT
    goes_first: bool = False
    lease: timedelta = timedelta(minutes=1)
    undo: UndoCourse | None = None
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


def get_queue(kind: str) -> Queue:
    """Return the queue of its jobs; the short one for an unknown kind."""
    return _kinds[kind].queue if kind in _kinds else Queue.SHORT


def list_kinds(queue: Queue) -> list[str]:
    """Return the names of the kinds whose jobs are in that queue."""
    return [name for name, kind in _kinds.items() if kind.queue == queue]


def has_priority(kind: str) -> bool:
    """Return whether its jobs go before the others in their queue; False for an unknown kind."""
    return kind in _kinds and _kinds[kind].goes_first


def get_leases() -> dict[str, timedelta]:
    """Return the longest silence of a worker, by kind."""
    return {name: kind.lease for name, kind in _kinds.items()}


def get_undo(kind: str) -> UndoCourse | None:
    """Return the function that deletes what stopped jobs have written; None without one, or for
    an unknown kind."""
    return _kinds[kind].undo if kind in _kinds else None


def get_backoff(kind: str) -> timedelta:
    """Return the wait after the first failure; none for an unknown kind."""
    return _kinds[kind].backoff if kind in _kinds else timedelta()


def list_visible_kinds() -> list[str]:
    """Return the names of the kinds whose jobs pages show."""
    return [name for name, kind in _kinds.items() if kind.is_visible]
