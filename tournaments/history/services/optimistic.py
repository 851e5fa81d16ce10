"""What takes long is worked out beside the hall, and written in a moment."""

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

from clubs.audit.log import Actor
from live.snapshots import snapshot
from rules import Refusal
from tournaments.models import Event

from .locking import get_event, locked_event

_Worked = TypeVar("_Worked")
_Written = TypeVar("_Written")


TRIES = 3
"""As often it is worked out beside the hall. Where others act again and again, each takes them a second."""


class Outdated(Exception):  # noqa: N818 - no error: it is worked out again
    """What was worked out is no longer what it would be by now."""


def write_optimistically(
    event_id: int, work_out: Callable[[Event], _Worked], write: Callable[[_Worked], _Written]
) -> _Written:
    """What ``write`` gives, in one transaction with the event locked, of what was worked out while nobody
    waited. If anything was done to the event meanwhile, or ``write`` raises Outdated, it is worked out again;
    in the end while all others wait, so that whoever asked for it has it, whatever they do.

    Of the event, only what stands in its history may be worked out so: hands of open rounds do not.

    Refuses: changed_since, if ``write`` raises Outdated even then, since others change what no lock holds.
    """
    for _ in range(TRIES):
        with snapshot():
            event = get_event(event_id)
            last, worked = last_line(event), work_out(event)
        try:
            with transaction.atomic():
                if last_line(locked_event(event_id)) == last:
                    return write(worked)
        except Outdated:
            pass
    try:
        with transaction.atomic():
            return write(work_out(locked_event(event_id)))
    except Outdated:
        raise Refusal("changed_since") from None


def is_done(event: Event, by: Actor) -> bool:
    """Whether the same client has asked for this before, and it was done. One query, none without a key."""
    return by.key is not None and event.actions.filter(key=by.key).exists()


def check_unchanged(event: Event, by: Actor, *, seen: str, now: str) -> None:
    """That what somebody decides about is as they have seen it. What was asked for before and done may be
    asked for again. Refuses: changed_since."""
    if seen != now and not is_done(event, by):
        raise Refusal("changed_since")


def last_line(event: Event) -> int:
    """The key of the last line of its history, 0 before the first. One query."""
    return event.actions.order_by("-pk").values_list("pk", flat=True).first() or 0
