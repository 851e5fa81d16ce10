"""The kinds of work there are: one function each, registered where its app keeps its `tasks`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from jobs.models import Course
from jobs.running import JobContext

Work = Callable[[JobContext], Mapping[str, Any] | None]
TakeBack = Callable[[Course], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    work: Work
    lease: timedelta
    is_shown: bool
    is_long: bool
    take_back: TakeBack | None
    backoff: timedelta
    rests: bool


_kinds: dict[str, JobKind] = {}


def job(
    kind: str,
    *,
    is_shown: bool = False,
    is_long: bool = False,
    lease: timedelta = timedelta(minutes=1),
    take_back: TakeBack | None = None,
    backoff: timedelta = timedelta(),
    rests: bool = False,
) -> Callable[[Work], Work]:
    """Register the decorated function as the work of this kind. ``is_shown``: people see its jobs;
    ``is_long``: they have a worker of their own, so that nothing short waits for them.

    It may run again after it ran in part or in whole: its effect must be repeatable. What it returns is kept
    with the job: small, as JSON has it; its ``page`` is the address of what came of it. After its lease
    without a report its worker is thought dead. Where it is stopped, or fails for good, ``take_back`` deletes
    what it wrote of its course, the one of the same kind and key. ``backoff`` is how long it waits after it
    broke for the first time, and each time four times as long: for work that somebody elsewhere has to take.
    What ``rests`` is asked for after each change: it is done a third of the time at most, so that one serves
    many.
    """

    def register(work: Work) -> Work:
        if kind in _kinds:
            raise ValueError(f"two functions for the kind of job {kind!r}")
        _kinds[kind] = JobKind(
            work=work,
            lease=lease,
            is_shown=is_shown,
            is_long=is_long,
            take_back=take_back,
            backoff=backoff,
            rests=rests,
        )
        return work

    return register


def kind_named(kind: str) -> JobKind:
    """The registered kind. Raises LookupError if there is none: a bug."""
    try:
        return _kinds[kind]
    except KeyError:
        raise LookupError(f"no function for the kind of job {kind!r}") from None


def is_long(kind: str) -> bool:
    """Whether its jobs have a worker of their own; not, if there is no such kind any more."""
    return kind in _kinds and _kinds[kind].is_long


def leases() -> dict[str, timedelta]:
    """How long a worker of each kind may be silent."""
    return {name: kind.lease for name, kind in _kinds.items()}


def take_back_of(kind: str) -> TakeBack | None:
    """What deletes what its stopped jobs have written; None if there is nothing, or no such kind any more."""
    return _kinds[kind].take_back if kind in _kinds else None


def backoff_of(kind: str) -> timedelta:
    """How long its jobs wait after they broke for the first time; not, if there is no such kind any more."""
    return _kinds[kind].backoff if kind in _kinds else timedelta()


def visible_kinds() -> list[str]:
    """The names of the kinds whose jobs people see."""
    return [name for name, kind in _kinds.items() if kind.is_shown]
