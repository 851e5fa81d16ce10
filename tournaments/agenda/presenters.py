"""Events for calendar programs, and places left in an event."""

from clubs.day_words import describe_calling_off
from clubs.ical import Appointment, place_and_address
from tournaments.models import Event


def event_appointment(event: Event, address: str) -> Appointment:
    """Return the calendar entry of an event, with an id that is the same in all feeds."""
    said = event.announcement
    off = describe_calling_off(said.reason_off) if said.is_called_off else ""
    return Appointment(
        uid=f"event-{event.pk}.{event.short}@charlemagne",
        name=event.name,
        starts=event.begins,
        ends=event.ends,
        place=place_and_address(event.place, event.address),
        about="\n".join(part for part in (off, event.club.name, said.about) if part),
        is_cancelled=said.is_called_off,
        address=address,
    )


def places_left(event: Event) -> int | None:
    """Return the number of entries still possible; None without a limit. One query, or none."""
    if event.most_entries is None:
        return None
    return max(0, event.most_entries - event.entries.filter(is_waiting=False).count())
