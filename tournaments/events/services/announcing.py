"""What an event says of itself: hour and place, what is played for, what to bring, whom to ask."""

from dataclasses import replace
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.services.validators import check_length
from rules import Refusal
from tournaments.agenda.announcement import LENGTHS, Announcement, announcement_to_json
from tournaments.history.services.changes import Change
from tournaments.models import Event
from web.names import clean_lines


@transaction.atomic
def announce_event(*, event_id: int, announcement: Announcement, by: Actor = NOBODY) -> Event:
    """Says a text to everybody who may see the event. Safe to repeat.

    Refuses: text_too_long, end_without_beginning, deadline_after_event.
    """
    change = Change(event_id, "announce_event", by)
    event = change.event
    plain = announcement_to_json(_check_announcement(announcement, event))
    if not change.is_repeat and plain != event.announcement_data:
        change.alter(event, announcement_data=plain)
        change.record()
    return event


def _check_announcement(announcement: Announcement, event: Event) -> Announcement:
    texts: dict[str, Any] = {name: clean_lines(getattr(announcement, name)) for name in LENGTHS}
    for name, text in texts.items():
        check_length(text, field=name, most=LENGTHS[name])
    if announcement.ends_at is not None and announcement.starts_at is None:
        raise Refusal("end_without_beginning", field="starts_at")
    if announcement.sign_up_until is not None and announcement.sign_up_until > event.held_on:
        raise Refusal("deadline_after_event", field="sign_up_until")
    return replace(announcement, **texts)
