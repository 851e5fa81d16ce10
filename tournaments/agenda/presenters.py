"""Events for calendar programs."""

from clubs.date_formats import describe_calling_off
from clubs.ical import FeedEntry, join_place_and_address
from tournaments.models import Event


def build_event_appointment(event: Event, address: str) -> FeedEntry:
    """Return the calendar entry of an event, with an id that is the same in all feeds."""
    announcement = event.announcement
    cancellation = describe_calling_off(announcement.reason_off) if announcement.is_called_off else ""
    return FeedEntry(
        uid=f"event-{event.pk}.{event.short}@charlemagne",
        name=event.name,
        starts=event.begins,
        ends=event.ends,
        place=join_place_and_address(event.place, event.address),
        about="\n".join(part for part in (cancellation, event.club.name, announcement.about) if part),
        is_cancelled=announcement.is_called_off,
        address=address,
    )
