"""Adding entries from a list. Bad lines are skipped; the others are added."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from clubs.audit.log import NOBODY, Actor
from clubs.services.people import find_or_add_people, save_found_people
from errors import Refusal
from jobs.pieces import ROWS_PER_PIECE, short_transaction, split_into_portions
from tournaments.entries.entry_import.couples import TypedLines
from tournaments.entries.entry_import.text_list import read_entry_list
from tournaments.entries.entry_import.values import EntryList, ListedEntry, is_guest_team
from tournaments.entries.queries.entries import get_entries, names_taken
from tournaments.events.services.lifecycle import check_preparing
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import get_event
from tournaments.history.services.optimistic import OutdatedResult, is_done, write_optimistically
from tournaments.models import Entry, Event
from web.names import fold_name

from .bonds import add_apart_groups
from .entries import build_entries, get_next_number, get_repeated_entries, save_entries
from .identities import NO_IDENTITIES, Identities


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedEntries:
    """The entries added from a list, and its bad lines, which were not; ``apart`` are pairs that it keeps
    apart."""

    entries: list[Entry]
    apart: Sequence[tuple[Entry, Entry]] = ()
    refused_lines: frozenset[int] = frozenset()


def add_entry_list(
    *,
    event_id: int,
    text: str,
    as_typed: TypedLines = None,
    identities: Identities = NO_IDENTITIES,
    by: Actor = NOBODY,
) -> ImportedEntries:
    """Add the entries of a typed or pasted list, except its bad lines. Couples keep their names ``as_typed``
    (``TypedLines``). Safe to repeat.

    Refuses: list_refused, with every ``refusals`` of ``read_entry_list``, if no line is good; list_empty;
    event_started; no_such_person, entered_twice, of the ``identities``.
    """

    def read_list(event: Event, excluded_ids: Collection[int]) -> EntryList:
        taken_names = names_taken(event, excluded_ids=excluded_ids)
        return read_entry_list(text, size=event.entry_size, taken_names=taken_names, as_typed=as_typed)

    return import_entries(event_id, read_list, identities, field="entries", empty="list_empty", by=by)


ListReader = Callable[[Event, Collection[int]], EntryList]
"""Function that reads a list for an event, as if entries of these ids were not in it."""


def import_entries(
    event_id: int, read: ListReader, identities: Identities, *, field: str, empty: str, by: Actor
) -> ImportedEntries:
    """Add the listed entries. Reading takes place outside the transaction, and the people of a long list are
    saved first, so that others hardly wait. All entries are then written at once, unless the event has
    changed meanwhile."""
    event = get_event(event_id)
    if not is_done(event, by):
        listed_entries = _check_list(event, read, field=field, empty=empty).entries
        if len(listed_entries) > ROWS_PER_PIECE:
            _add_people(event, listed_entries, identities)

    def build_import(event: Event) -> ImportedEntries:
        if is_done(event, by):
            return ImportedEntries(entries=[])
        entry_list = _check_list(event, read, field=field, empty=empty)
        entries_by_number = dict(enumerate(entry_list.entries, start=get_next_number(event)))
        if entry_list.is_numbered:
            entries_by_number = {entry.number: entry for entry in entry_list.entries}
        rows = build_entries(event, entries_by_number, identities=identities, field=field)
        return ImportedEntries(
            entries=rows,
            apart=_list_apart_pairs(event, entry_list.entries, rows),
            refused_lines=entry_list.refused_lines,
        )

    def write(new: ImportedEntries) -> ImportedEntries:
        change = Change(event_id, "add_entries", by)
        if change.is_repeat:
            existing_entries = get_repeated_entries(change)
            entry_list = read(change.event, [entry.pk for entry in existing_entries])
            return ImportedEntries(entries=existing_entries, refused_lines=entry_list.refused_lines)
        people = [person for entry in new.entries for person in entry.players]
        if not save_found_people(club=change.event.club, people=people, identities=identities):
            raise OutdatedResult
        save_entries(change, new.entries)
        if new.apart:
            add_apart_groups(Change(event_id, "keep_apart", replace(by, key=None)), new.apart, always=True)
        return new

    return write_optimistically(event_id, build_import, write)


def _list_apart_pairs(
    event: Event, listed_entries: Sequence[ListedEntry], rows: Sequence[Entry]
) -> Sequence[tuple[Entry, Entry]]:
    """Return the pairs that the list keeps apart: two new entries, or a new one and one already entered. One
    query, or none."""
    if not any(entry.apart for entry in listed_entries):
        return ()
    entries_by_number = {entry.number: entry for entry in get_entries(event)}
    entries_by_number |= {entry.number: row for entry, row in zip(listed_entries, rows, strict=True)}
    return [
        (row, entries_by_number[other_number])
        for entry, row in zip(listed_entries, rows, strict=True)
        for other_number in entry.apart
    ]


def _check_list(event: Event, read: ListReader, *, field: str, empty: str) -> EntryList:
    """Read the list and check that it has good lines. Refuses: event_started, list_refused, and ``empty``."""
    check_preparing(event, field=field)
    entry_list = read(event, ())
    if entry_list.refusals and not entry_list.entries:
        raise Refusal("list_refused", field=field, refusals=entry_list.refusals)
    if not entry_list.entries:
        raise Refusal(empty, field=field)
    return entry_list


def _add_people(event: Event, listed_entries: Iterable[ListedEntry], identities: Identities) -> None:
    """Add unknown people whom nobody has identified yet, in portions."""
    guest_flags = {
        name: is_guest_team(entry.team, event.club.name)
        for entry in listed_entries
        for name in entry.players
        if fold_name(name) not in identities
    }
    for is_guest in (False, True):
        for portion in split_into_portions(
            [name for name, is_other_club in guest_flags.items() if is_other_club is is_guest]
        ):
            with short_transaction():
                find_or_add_people(club=event.club, full_names=portion, is_guest=is_guest)
