"""Queries for the current messages of the desk. No query: an event has its messages with it."""

from collections.abc import Collection
from datetime import datetime

from scoring.desk_messages import DeskMessage, build_version_tag, filter_current_messages, messages_from_json
from tournaments.lifecycle import EventState
from tournaments.models import Event


def list_current_messages(event: Event, *, last_round: int, now: datetime) -> tuple[DeskMessage, ...]:
    """Return all current messages, given the last published round; none once the event has ended."""
    if event.state != EventState.RUNNING:
        return ()
    return tuple(
        message
        for message in filter_current_messages(messages_from_json(event.messages), now=now)
        if message.is_shown_in_round(last_round)
    )


def list_messages_for_tables(
    event: Event, *, last_round: int, now: datetime, tables: Collection[int] = ()
) -> tuple[DeskMessage, ...]:
    """Return the current messages to everyone, and to these tables."""
    return tuple(
        message
        for message in list_current_messages(event, last_round=last_round, now=now)
        if message.is_for_all or message.table in tables
    )


def compute_messages_mark(event: Event, *, now: datetime) -> str:
    """Return a value that changes when a message expires, which does not change the event."""
    return build_version_tag(filter_current_messages(messages_from_json(event.messages), now=now))
