"""Locks that every change of an event takes first."""

from django.db.models import QuerySet

from errors import Refusal
from tournaments.models import PROOFS, Event, Round
from web.compiled_query import CompiledQuery, Slot

_EVENT = Event.objects.select_related("club", "terms").filter(pk=Slot("pk", Event._meta.pk))
_FOUND_EVENT = CompiledQuery(_EVENT)
_LOCKED_EVENT = CompiledQuery(_EVENT.select_for_update(of=("self",), no_key=True))


def locked_event(event_id: int) -> Event:
    """Return the event, locked until the transaction ends. Refuses: no_such_event.

    Rows that only refer to it (a line of its history) can still be written by others meanwhile.
    """
    return _event_of(_LOCKED_EVENT, event_id)


def get_event(event_id: int) -> Event:
    """Return the event without a lock, for reading only. Refuses: no_such_event."""
    return _event_of(_FOUND_EVENT, event_id)


def _event_of(events: CompiledQuery[Event], event_id: int) -> Event:
    event = events.one(pk=event_id)
    if event is None:
        raise Refusal("no_such_event")
    return event


def locked_round(event: Event, number: int) -> Round:
    """Return a round of a locked event, without its proofs. Refuses: no_such_round."""
    return _round_of(event.rounds.select_for_update(), number)


def get_round(event: Event, number: int) -> Round:
    """Return a round without a lock, for reading only. Refuses: no_such_round."""
    return _round_of(event.rounds.all(), number)


def _round_of(rounds: QuerySet[Round], number: int) -> Round:
    try:
        return rounds.defer(*PROOFS).get(number=number)
    except Round.DoesNotExist:
        raise Refusal("no_such_round", round=number) from None
