"""Who takes part."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Max

from clubs.services import find_or_add_people
from rules import Refusal
from tournaments import selectors
from tournaments.entry_list import read_entry_list
from tournaments.models import Entry

from .changes import NOBODY, By, Change
from .events import check_preparing


@transaction.atomic
def add_entry_list(*, event_id: int, text: str, by: By = NOBODY) -> list[Entry]:
    """The entries of a typed or pasted list, all of them or, if a line is bad, none.

    Refuses: list_refused, with every ``refusals`` of ``read_entry_list``; list_empty; event_started.
    """
    change = Change(event_id, "add_entries", by)
    event = change.event
    check_preparing(event, field="entries")
    taken = [person.name for entry in selectors.entries_of(event) for person in entry.players]
    listed = read_entry_list(text, size=event.entry_size, taken=taken)
    if listed.refusals:
        raise Refusal("list_refused", field="entries", refusals=listed.refusals)
    if not listed.entries:
        raise Refusal("list_empty", field="entries")
    first = (event.entries.aggregate(last=Max("number"))["last"] or 0) + 1
    return _add(change, dict(enumerate(listed.entries, start=first)))


@transaction.atomic
def add_entries(*, event_id: int, entries: Mapping[int, Sequence[str]], by: By = NOBODY) -> list[Entry]:
    """Entries by their numbers and their players' names. Refuses: event_started."""
    change = Change(event_id, "add_entries", by)
    check_preparing(change.event, field="entries")
    return _add(change, entries)


@transaction.atomic
def remove_entry(*, event_id: int, number: int, by: By = NOBODY) -> None:
    """Takes an entry off the list; the others keep their numbers. Safe to repeat. Refuses: event_started."""
    change = Change(event_id, "remove_entry", by)
    check_preparing(change.event, field="entries")
    entry = change.event.entries.filter(number=number).first()
    if entry is not None:
        change.remove(entry)
        change.done(entry=number)


def _add(change: Change, entries: Mapping[int, Sequence[str]]) -> list[Entry]:
    event = change.event
    everybody = [name for players in entries.values() for name in players]
    people = iter(find_or_add_people(club=event.club, full_names=everybody))
    added = []
    for number, players in entries.items():
        first, *second = [next(people) for _ in players]
        added.append(
            Entry(event=event, number=number, player_1=first, player_2=second[0] if second else None)
        )
    change.add_all(added)
    change.done(entries=[entry.number for entry in added])
    return added
