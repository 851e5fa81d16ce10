"""The places of an event, where they are limited, and who waits for one."""

from tournaments.history.services.changes import Change
from tournaments.models import Entry, Event


def places_left(event: Event) -> int | None:
    """How many more are let in; None: as many as come. Who is new goes behind those who wait already."""
    if event.most_entries is None:
        return None
    if waiting_entries(event):
        return 0
    return max(event.most_entries - event.entries.filter(is_waiting=False).count(), 0)


def waiting_entries(event: Event) -> list[Entry]:
    """Those who wait for a place, the first one first; who looks for a partner waits for none. One query."""
    waiting = event.entries.filter(is_waiting=True).order_by("number")
    return [entry for entry in waiting if not entry.looks_for_partner]


def fill_places(change: Change) -> list[int]:
    """Lets in those who wait, in their order, as far as there is room. Gives their numbers."""
    event = change.event
    waiting = waiting_entries(event)
    if event.most_entries is not None:
        taken = event.entries.filter(is_waiting=False).count()
        waiting = waiting[: max(event.most_entries - taken, 0)]
    for entry in waiting:
        change.alter(entry, is_waiting=False)
    return [entry.number for entry in waiting]
