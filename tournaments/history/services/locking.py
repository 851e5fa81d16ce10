"""Locks that every change of an event takes first."""

from django.db.models import QuerySet

from errors import Refusal, get_or_refuse
from tournaments.models import PROOFS, Event, Round
from web.compiled_query import CompiledQuery, Slot

_EVENT = Event.objects.select_related("club", "terms").filter(pk=Slot("pk", Event._meta.pk))
_EVENT_QUERY = CompiledQuery(_EVENT)
_LOCKED_EVENT_QUERY = CompiledQuery(_EVENT.select_for_update(of=("self",), no_key=True))


def lock_event(event_id: int) -> Event:
    """Return the event, locked until the transaction ends. Refuses: no_such_event.

    Rows that only refer to it (a line of its history) can still be written by others meanwhile.
    """
    return _get_event(_LOCKED_EVENT_QUERY, event_id)


def get_event(event_id: int) -> Event:
    """Return the event without a lock, for reading only. Refuses: no_such_event."""
    return _get_event(_EVENT_QUERY, event_id)


def _get_event(events: CompiledQuery[Event], event_id: int) -> Event:
    return get_or_refuse(events.fetch_first(pk=event_id), "no_such_event")


def lock_round(event: Event, number: int) -> Round:
    """Return a round of a locked event, without its proofs. Refuses: no_such_round."""
    return _get_round(event.rounds.select_for_update(), number)


def get_round(event: Event, number: int) -> Round:
    """Return a round without a lock, for reading only. Refuses: no_such_round."""
    return _get_round(event.rounds.all(), number)


def _get_round(rounds: QuerySet[Round], number: int) -> Round:
    try:
        return rounds.defer(*PROOFS).get(number=number)
    except Round.DoesNotExist:
        raise Refusal("no_such_round", round=number) from None
