"""Event details (time, place, prizes, contact), and cancelling or reinstating an event."""

from dataclasses import replace
from datetime import date
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.services.validators import check_length
from errors import Refusal
from tournaments.announcement import LENGTHS, LONGEST, REASON_LENGTH, Announcement, announcement_to_json
from tournaments.history.services.changes import Change
from tournaments.models import Event
from web.names import clean_lines, clean_text

from .lifecycle import check_preparing


@transaction.atomic
def announce_event(*, event_id: int, announcement: Announcement, by: Actor = NOBODY) -> Event:
    """Update the event details, shown to everybody who can see the event. A cancelled event stays cancelled.
    Safe to repeat.

    Refuses: text_too_long, end_without_beginning, last_before_first, event_too_long,
    deadline_after_event.
    """
    change = Change(event_id, "announce_event", by)
    said = change.event.announcement
    checked = _check_announcement(announcement, change.event)
    return _say(change, replace(checked, is_called_off=said.is_called_off, reason_off=said.reason_off))


@transaction.atomic
def call_off_event(*, event_id: int, reason: str = "", by: Actor = NOBODY) -> Event:
    """Cancel an event, with a reason, for example a storm. Nobody can sign up for it, and it cannot be
    started. Safe to repeat.

    Refuses: event_started, text_too_long.
    """
    change = Change(event_id, "call_off_event", by)
    check_preparing(change.event, field="reason")
    reason = clean_text(reason)
    check_length(reason, field="reason", most=REASON_LENGTH)
    said = replace(change.event.announcement, is_called_off=True, reason_off=reason)
    return _say(change, said, reason=reason or "–")


@transaction.atomic
def reinstate_event(*, event_id: int, by: Actor = NOBODY) -> Event:
    """Reinstate a cancelled event. Safe to repeat."""
    change = Change(event_id, "reinstate_event", by)
    return _say(change, replace(change.event.announcement, is_called_off=False, reason_off=""))


def _say(change: Change, announcement: Announcement, **details: Any) -> Event:
    event, plain = change.event, announcement_to_json(announcement)
    if not change.is_repeat and plain != event.announcement_data:
        change.alter(event, announcement_data=plain)
        change.record(**details)
    return event


def _check_announcement(announcement: Announcement, event: Event) -> Announcement:
    texts: dict[str, Any] = {name: clean_lines(getattr(announcement, name)) for name in LENGTHS}
    for name, text in texts.items():
        check_length(text, field=name, most=LENGTHS[name])
    if announcement.ends_at is not None and announcement.starts_at is None:
        raise Refusal("end_without_beginning", field="starts_at")
    last_day = _check_last_day(announcement.last_day or event.held_on, event)
    if announcement.sign_up_until is not None and announcement.sign_up_until > event.held_on:
        raise Refusal("deadline_after_event", field="sign_up_until")
    return replace(announcement, **texts, last_day=last_day)


def _check_last_day(last_day: date, event: Event) -> date | None:
    if last_day < event.held_on:
        raise Refusal("last_before_first", field="last_day")
    if last_day - event.held_on > LONGEST:
        raise Refusal("event_too_long", field="last_day", most=LONGEST.days + 1)
    return None if last_day == event.held_on else last_day
