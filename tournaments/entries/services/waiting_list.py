"""Places of an event, where they are limited, and its waiting list."""

from tournaments.history.services.changes import Change
from tournaments.models import Entry, Event


def count_free_places(event: Event) -> int | None:
    """Return how many more entries can be admitted; None for no limit. New entries go behind those that wait
    already."""
    if event.most_entries is None:
        return None
    if list_waiting_entries(event):
        return 0
    return max(event.most_entries - event.entries.filter(is_waiting=False).count(), 0)


def list_waiting_entries(event: Event) -> list[Entry]:
    """Return the entries that wait for a place, in order; not those looking for a partner. One query."""
    waiting = event.entries.filter(is_waiting=True).order_by("number")
    return [entry for entry in waiting if not entry.looks_for_partner]


def fill_places(change: Change) -> list[int]:
    """Admit waiting entries in order, as long as there are places. Return their numbers."""
    event = change.event
    waiting = list_waiting_entries(event)
    if event.most_entries is not None:
        taken_places = event.entries.filter(is_waiting=False).count()
        waiting = waiting[: max(event.most_entries - taken_places, 0)]
    for entry in waiting:
        change.update(entry, is_waiting=False)
    return [entry.number for entry in waiting]
