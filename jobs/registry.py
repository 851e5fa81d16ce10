"""The kinds of work there are: one function each, registered where its app keeps its `tasks`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

Work = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    work: Work
    lease: timedelta


_kinds: dict[str, Kind] = {}


def job(kind: str, *, lease: timedelta = timedelta(minutes=1)) -> Callable[[Work], Work]:
    """Register the decorated function of a key as the work of this kind.

    It may run again after it ran in part or in whole: its effect must be repeatable. It should end well
    within its lease, after which its worker is thought dead.
    """

    def register(work: Work) -> Work:
        if kind in _kinds:
            raise ValueError(f"two functions for the kind of job {kind!r}")
        _kinds[kind] = Kind(work=work, lease=lease)
        return work

    return register


def kind_named(kind: str) -> Kind:
    """The registered kind. Raises LookupError if there is none: a bug."""
    try:
        return _kinds[kind]
    except KeyError:
        raise LookupError(f"no function for the kind of job {kind!r}") from None
