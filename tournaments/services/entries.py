"""Who takes part."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Max

from clubs.services import find_or_add_people
from live.revisions import raise_revision
from rules import Refusal
from tournaments import selectors
from tournaments.entry_list import read_entry_list
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event

from .events import locked_event


@transaction.atomic
def add_entry_list(*, event_id: int, text: str) -> list[Entry]:
    """The entries of a typed or pasted list, all of them or, if a line is bad, none.

    Refuses: list_refused, with every ``refusals`` of ``read_entry_list``; list_empty; event_started.
    """
    event = _in_preparation(event_id)
    taken = [person.name for entry in selectors.entries_of(event) for person in entry.players]
    listed = read_entry_list(text, size=entry_size(event), taken=taken)
    if listed.refusals:
        raise Refusal("list_refused", field="entries", refusals=listed.refusals)
    if not listed.entries:
        raise Refusal("list_empty", field="entries")
    first = (event.entries.aggregate(last=Max("number"))["last"] or 0) + 1
    return _add(event, dict(enumerate(listed.entries, start=first)))


@transaction.atomic
def add_entries(*, event_id: int, entries: Mapping[int, Sequence[str]]) -> list[Entry]:
    """Entries by their numbers and their players' names. Refuses: event_started."""
    return _add(_in_preparation(event_id), entries)


@transaction.atomic
def remove_entry(*, event_id: int, number: int) -> None:
    """Takes an entry off the list; the others keep their numbers. Safe to repeat. Refuses: event_started."""
    event = _in_preparation(event_id)
    if event.entries.filter(number=number).delete()[0]:
        raise_revision(event.topic)


def entry_size(event: Event) -> int:
    """How many people make one entry: two partners, or one where two people play."""
    return int(event.terms.ruleset.seats) // 2


def _in_preparation(event_id: int) -> Event:
    event = locked_event(event_id)
    if event.state != EventState.PREPARING:
        raise Refusal("event_started", field="entries")
    return event


def _add(event: Event, entries: Mapping[int, Sequence[str]]) -> list[Entry]:
    everybody = [name for players in entries.values() for name in players]
    people = iter(find_or_add_people(club=event.club, full_names=everybody))
    added = []
    for number, players in entries.items():
        first, *second = [next(people) for _ in players]
        added.append(
            Entry(event=event, number=number, player_1=first, player_2=second[0] if second else None)
        )
    Entry.objects.bulk_create(added)
    raise_revision(event.topic)
    return added
