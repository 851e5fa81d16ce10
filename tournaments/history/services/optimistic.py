"""Optimistic writes: slow results are computed without a lock, and written in a moment."""

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

from clubs.audit.log import Actor
from errors import Refusal
from live.conditional_pages import read_snapshot
from tournaments.models import Event

from .locking import get_event, lock_event

_Computed = TypeVar("_Computed")
_Written = TypeVar("_Written")


MAX_ATTEMPTS = 3
"""How often it is computed without a lock. Where others keep changing the event, each try takes a second."""


class OutdatedResult(Exception):  # noqa: N818 - no error: it is worked out again
    """The computed result is outdated: it would be another by now."""


def write_optimistically(
    event_id: int, compute: Callable[[Event], _Computed], write: Callable[[_Computed], _Written]
) -> _Written:
    """Compute without a lock, then return what ``write`` gives in a transaction that locks the event. If the
    event changed meanwhile, or ``write`` raises Outdated, it is computed again; the last try computes under
    the lock, so that the request succeeds whatever others do.

    Only what the history covers may be computed so: hands of open rounds are not in it.

    Refuses: changed_since, if ``write`` raises Outdated even then, since others change what no lock holds.
    """
    for _ in range(MAX_ATTEMPTS):
        with read_snapshot():
            event = get_event(event_id)
            last_action, result = get_last_action_id(event), compute(event)
        try:
            with transaction.atomic():
                if get_last_action_id(lock_event(event_id)) == last_action:
                    return write(result)
        except OutdatedResult:
            pass
    try:
        with transaction.atomic():
            return write(compute(lock_event(event_id)))
    except OutdatedResult:
        raise Refusal("changed_since") from None


def is_done(event: Event, by: Actor) -> bool:
    """Return whether the client has asked for this before, and it was done. One query, none without a key."""
    return by.key is not None and event.actions.filter(key=by.key).exists()


def check_unchanged(event: Event, by: Actor, *, expected: str, current: str) -> None:
    """Check that the event is as the client has seen it, unless the request repeats one already done.
    Refuses: changed_since."""
    if expected != current and not is_done(event, by):
        raise Refusal("changed_since")


def get_last_action_id(event: Event) -> int:
    """Return the key of the last line of the event's history, 0 before the first. One query."""
    return event.actions.order_by("-pk").values_list("pk", flat=True).first() or 0
