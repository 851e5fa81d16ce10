"""Event details (time, place, prizes, contact), and cancelling or reinstating an event."""

from dataclasses import replace
from datetime import date
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.services.changes import validate_length
from errors import Refusal
from tournaments.announcement import MAX_DURATION, REASON_LENGTH, TEXT_LENGTHS, Announcement, announcement_to_json
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
    current = change.event.announcement
    cleaned = _check_announcement(announcement, change.event)
    return _save_announcement(
        change, replace(cleaned, is_called_off=current.is_called_off, reason_off=current.reason_off)
    )


@transaction.atomic
def call_off_event(*, event_id: int, reason: str = "", by: Actor = NOBODY) -> Event:
    """Cancel an event, with a reason, for example a storm. Nobody can sign up for it, and it cannot be
    started. Safe to repeat.

    Refuses: event_started, text_too_long.
    """
    change = Change(event_id, "call_off_event", by)
    check_preparing(change.event, field="reason")
    reason = clean_text(reason)
    validate_length(reason, field="reason", max_length=REASON_LENGTH)
    cancelled = replace(change.event.announcement, is_called_off=True, reason_off=reason)
    return _save_announcement(change, cancelled, reason=reason or "–")


@transaction.atomic
def reinstate_event(*, event_id: int, by: Actor = NOBODY) -> Event:
    """Reinstate a cancelled event. Safe to repeat."""
    change = Change(event_id, "reinstate_event", by)
    return _save_announcement(change, replace(change.event.announcement, is_called_off=False, reason_off=""))


def _save_announcement(change: Change, announcement: Announcement, **details: Any) -> Event:
    event, data = change.event, announcement_to_json(announcement)
    if not change.is_repeat and data != event.announcement_data:
        change.update(event, announcement_data=data)
        change.record(**details)
    return event


def _check_announcement(announcement: Announcement, event: Event) -> Announcement:
    texts: dict[str, Any] = {name: clean_lines(getattr(announcement, name)) for name in TEXT_LENGTHS}
    for name, text in texts.items():
        validate_length(text, field=name, max_length=TEXT_LENGTHS[name])
    if announcement.ends_at is not None and announcement.starts_at is None:
        raise Refusal("end_without_beginning", field="starts_at")
    last_day = _check_last_day(announcement.last_day or event.held_on, event)
    if announcement.sign_up_until is not None and announcement.sign_up_until > event.held_on:
        raise Refusal("deadline_after_event", field="sign_up_until")
    return replace(announcement, **texts, last_day=last_day)


def _check_last_day(last_day: date, event: Event) -> date | None:
    if last_day < event.held_on:
        raise Refusal("last_before_first", field="last_day")
    if last_day - event.held_on > MAX_DURATION:
        raise Refusal("event_too_long", field="last_day", most=MAX_DURATION.days + 1)
    return None if last_day == event.held_on else last_day
