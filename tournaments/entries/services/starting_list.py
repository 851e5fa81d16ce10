"""Order of the starting list, until the start; prepared schedules and brackets use its numbers."""

from collections.abc import Callable, Mapping
from random import Random

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from errors import check_choice
from tournaments.events.services.lifecycle import check_preparing
from tournaments.history.services.changes import Change
from tournaments.models import Entry, Event

EntryOrder = Callable[[Event, list[Entry]], list[Entry]]


@transaction.atomic
def order_entries(*, event_id: int, way: str, by: Actor = NOBODY) -> Event:
    """Renumber the entries from 1 in the given order. The waiting list comes last. Safe to repeat.

    Refuses: no_such_choice, event_started.
    """
    check_choice(way, WAYS, field="way")
    order, is_seeded = WAYS[way]
    return _reorder(Change(event_id, "order_entries", by), order, way=way, is_seeded=is_seeded)


@transaction.atomic
def place_entries(*, event_id: int, places: Mapping[int, int], by: Actor = NOBODY) -> Event:
    """Move some entries to other places, given by number; the others close up around them. Safe to repeat
    with the same key.

    Refuses: event_started.
    """

    def order_by_hand(event: Event, entries: list[Entry]) -> list[Entry]:
        def place_wanted(entry: Entry) -> tuple[int, int, int]:
            place = places.get(entry.number, entry.number)
            return place, (place > entry.number) - (place < entry.number), entry.number

        return sorted(entries, key=place_wanted)

    return _reorder(Change(event_id, "order_entries", by), order_by_hand, way="hand", is_seeded=True)


@transaction.atomic
def move_entry(*, event_id: int, number: int, is_up: bool, by: Actor = NOBODY) -> Event:
    """Swap an entry with the one above or below it in the list. Safe to repeat with the same idempotency key.

    Refuses: event_started.
    """

    def move_in_list(event: Event, entries: list[Entry]) -> list[Entry]:
        order = sorted(entries, key=lambda entry: entry.number)
        index = next((place for place, entry in enumerate(order) if entry.number == number), None)
        if index is not None:
            new_index = max(index - 1, 0) if is_up else min(index + 1, len(order) - 1)
            order[index], order[new_index] = order[new_index], order[index]
        return order

    return _reorder(Change(event_id, "order_entries", by), move_in_list, way="hand", is_seeded=True)


def _order_as_entered(event: Event, entries: list[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: entry.pk)


def _order_by_rating(event: Event, entries: list[Entry]) -> list[Entry]:
    """Sort by rating, highest first, those without one last; equal ratings keep their order."""
    return sorted(entries, key=lambda entry: (entry.rating is None, -(entry.rating or 0), entry.number))


def _order_by_lot(event: Event, entries: list[Entry]) -> list[Entry]:
    """Sort at random by the event's lot: the result depends only on it, not on the order before."""
    chance = Random(event.lot)  # noqa: S311 - anybody may draw this again: no secret
    lots = {entry.pk: chance.random() for entry in _order_as_entered(event, entries)}
    return sorted(entries, key=lambda entry: lots[entry.pk])


WAYS: Mapping[str, tuple[EntryOrder, bool]] = {
    "typed": (_order_as_entered, False),
    "rating": (_order_by_rating, True),
    "lot": (_order_by_lot, True),
}
"""Ways to order the list, each with whether the event counts as seeded afterwards."""


def _reorder(change: Change, order: EntryOrder, *, way: str, is_seeded: bool) -> Event:
    event = change.event
    if change.is_repeat:
        return event
    check_preparing(event, field="places")
    entries = list(event.entries.order_by("number"))
    waiting = [entry for entry in entries if entry.is_waiting]
    ordered = order(event, [entry for entry in entries if not entry.is_waiting]) + waiting
    if event.is_seeded != is_seeded or [entry.number for entry in ordered] != [*range(1, len(ordered) + 1)]:
        change.renumber_entries(ordered, range(1, len(ordered) + 1))
        change.update(event, is_seeded=is_seeded)
        change.record(way=way, lot=event.lot)
    return event
