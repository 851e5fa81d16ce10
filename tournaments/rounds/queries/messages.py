"""Queries for the current messages of the desk. No query: an event has its messages with it."""

from collections.abc import Collection
from datetime import datetime

from scoring.desk_messages import DeskMessage, mark_of, messages_from_json, standing_messages
from tournaments.lifecycle import EventState
from tournaments.models import Event


def messages_of(event: Event, *, last_round: int, now: datetime) -> tuple[DeskMessage, ...]:
    """Return all current messages, given the last published round; none once the event has ended."""
    if event.state != EventState.RUNNING:
        return ()
    return tuple(
        each
        for each in standing_messages(messages_from_json(event.messages), now=now)
        if each.stands_in(last_round)
    )


def messages_for(
    event: Event, *, last_round: int, now: datetime, tables: Collection[int] = ()
) -> tuple[DeskMessage, ...]:
    """Return the current messages to everyone, and to these tables."""
    return tuple(
        each
        for each in messages_of(event, last_round=last_round, now=now)
        if each.is_for_all or each.table in tables
    )


def messages_mark(event: Event, *, now: datetime) -> str:
    """Return a value that changes when a message expires, which does not change the event."""
    return mark_of(standing_messages(messages_from_json(event.messages), now=now))
