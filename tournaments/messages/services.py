"""Services for messages of the desk: send and withdraw them, and call tables."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from errors import Refusal
from scoring.desk_messages import DeskMessage, filter_current_messages, messages_from_json, messages_to_json
from scoring.models import TableCard
from tournaments.events.services.lifecycle import check_running
from tournaments.history.services.changes import Change
from tournaments.rounds.queries.rounds import get_published_rounds
from web.names import clean_text

MAX_MESSAGE_LENGTH = 70
"""Length of a line on a wall screen that can be read from the back of the hall."""
MAX_MESSAGES = 20
MAX_MINUTES = 240


@transaction.atomic
def send_message(
    *, event_id: int, text: str, table: int | None = None, minutes: int | None = None, by: Actor = NOBODY
) -> None:
    """Send a message to a table, or to everybody, for some minutes or until the next round is published. Safe
    to repeat with the same idempotency key.

    Refuses: event_not_running, message_required, message_too_long, no_such_table_now, number_too_small,
    number_too_large, too_many_messages.
    """
    change = Change(event_id, "send_message" if table is None else "message_table", by)
    if change.is_repeat:
        return
    text = clean_text(text)
    if not text:
        raise Refusal("message_required", field="text")
    if len(text) > MAX_MESSAGE_LENGTH:
        raise Refusal("message_too_long", field="text", most=MAX_MESSAGE_LENGTH)
    if minutes is not None and minutes < 1:
        raise Refusal("number_too_small", field="minutes", value=minutes, least=1)
    if minutes is not None and minutes > MAX_MINUTES:
        raise Refusal("number_too_large", field="minutes", value=minutes, most=MAX_MINUTES)
    _add_message(change, text=text, table=table, minutes=minutes)
    if table is None:
        change.record(text=text)
    else:
        change.record(text=text, table=table)


@transaction.atomic
def call_table(*, event_id: int, table: int, by: Actor = NOBODY) -> None:
    """Call a table to the desk. Its phones and the wall screens show it until the call ends or the next round
    is published. Safe to repeat.

    Refuses: event_not_running, no_such_table_now, too_many_messages.
    """
    change = Change(event_id, "call_table", by)
    open_calls = [message for message in _list_current_messages(change) if message.is_call and message.table == table]
    if change.is_repeat or open_calls:
        return
    _add_message(change, table=table)
    change.record(table=table)


@transaction.atomic
def end_call(*, event_id: int, table: int, by: Actor = NOBODY) -> None:
    """End a table's call. Its phones and the wall screens no longer show it. Safe to repeat."""
    change = Change(event_id, "end_call", by)
    if _end_messages(
        change, [message for message in _list_current_messages(change) if message.is_call and message.table == table]
    ):
        change.record(table=table)


@transaction.atomic
def take_back_message(*, event_id: int, number: int, by: Actor = NOBODY) -> None:
    """Withdraw a message. Safe to repeat."""
    change = Change(event_id, "take_back_message", by)
    withdrawn = [
        message for message in _list_current_messages(change) if message.number == number and not message.is_call
    ]
    if _end_messages(change, withdrawn):
        change.record(text=withdrawn[0].text)


def _end_messages(change: Change, ended: Sequence[DeskMessage]) -> bool:
    """End these current messages; return whether this change did."""
    if not ended or change.is_repeat:
        return False
    messages = [
        replace(message, ends_at=timezone.now()) if message in ended else message
        for message in messages_from_json(change.event.messages)
    ]
    change.update(change.event, messages=messages_to_json(messages))
    return True


def _add_message(change: Change, *, text: str = "", table: int | None = None, minutes: int | None = None) -> None:
    """Add a message. Messages that ended are dropped, and numbers continue from the highest stored one."""
    event, now = change.event, timezone.now()
    check_running(event)
    if table is not None and not TableCard.objects.filter(topic=event.topic, number=table).exists():
        raise Refusal("no_such_table_now", field="table", table=table)
    current = _list_current_messages(change)
    if len(current) >= MAX_MESSAGES:
        raise Refusal("too_many_messages", most=MAX_MESSAGES)
    message = DeskMessage(
        number=max((stored["number"] for stored in event.messages), default=0) + 1,
        text=text,
        table=table,
        round_number=_get_last_round(change),
        sent_at=now,
        ends_at=None if minutes is None else now + timedelta(minutes=minutes),
    )
    change.update(event, messages=messages_to_json([*current, message]))


def _list_current_messages(change: Change) -> list[DeskMessage]:
    messages = filter_current_messages(messages_from_json(change.event.messages), now=timezone.now())
    last_round = _get_last_round(change)
    return [message for message in messages if message.is_shown_in_round(last_round)]


def _get_last_round(change: Change) -> int:
    return max(get_published_rounds(change.event).values_list("number", flat=True), default=0)
