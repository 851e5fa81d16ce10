"""Adding entries from a list: typed, pasted, or from a file. Bad lines are skipped; the others are added."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from clubs.audit.log import NOBODY, Actor
from clubs.services import find_or_add_people, save_found_people
from errors import Refusal
from jobs.pieces import ROWS, in_portions, short_transaction
from tournaments.entries.entry_import import EntryList, ListedEntry, is_of_others, read_entry_list
from tournaments.entries.queries.entries import entries_of, entry_sheet, names_taken
from tournaments.events.services.lifecycle import check_preparing
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import get_event
from tournaments.history.services.optimistic import Outdated, is_done, write_optimistically
from tournaments.models import Entry, Event
from web.names import fold_name
from web.sheets import Layout

from .bonds import keep_groups_apart
from .entries import entries_added_before, keep_entries, new_rows, next_number
from .identities import AS_KNOWN, Identities


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedEntries:
    """The entries added from a list, and its bad lines, which were not; ``apart`` are pairs that it keeps
    apart."""

    entries: list[Entry]
    apart: Sequence[tuple[Entry, Entry]] = ()
    held_back: frozenset[int] = frozenset()


def add_entry_list(
    *, event_id: int, text: str, identities: Identities = AS_KNOWN, by: Actor = NOBODY
) -> ImportedEntries:
    """Add the entries of a typed or pasted list, except its bad lines. Safe to repeat.

    Refuses: list_refused, with every ``refusals`` of ``read_entry_list``, if no line is good; list_empty;
    event_started; no_such_person, entered_twice, of the ``identities``.
    """

    def list_entries(event: Event, but: Collection[int]) -> EntryList:
        return read_entry_list(text, size=event.entry_size, taken=names_taken(event, but=but))

    return _add_listed(event_id, list_entries, identities, field="entries", empty="list_empty", by=by)


def add_entry_sheet(
    *,
    event_id: int,
    text: str,
    file: str,
    layout: Layout | None = None,
    identities: Identities = AS_KNOWN,
    by: Actor = NOBODY,
) -> ImportedEntries:
    """Add the entries of a file, read by the ``layout``, except its bad lines. Safe to repeat.

    Refuses: list_refused, with every ``refusals`` of ``read_entry_sheet``, if no line is good; sheet_empty;
    event_started; no_such_person, entered_twice, of the ``identities``.
    """

    def list_entries(event: Event, but: Collection[int]) -> EntryList:
        return entry_sheet(event, text, file=file, layout=layout, but=but)

    return _add_listed(event_id, list_entries, identities, field="file", empty="sheet_empty", by=by)


Read = Callable[[Event, Collection[int]], EntryList]
"""Function that reads a list for an event, as if entries of these ids were not in it."""


def _add_listed(
    event_id: int, read: Read, identities: Identities, *, field: str, empty: str, by: Actor
) -> ImportedEntries:
    """Add the listed entries. Reading takes place outside the transaction, and the people of a long list are
    saved first, so that others hardly wait. All entries are then written at once, unless the event has
    changed meanwhile."""
    event = get_event(event_id)
    if not is_done(event, by):
        listed = _check_list(event, read, field=field, empty=empty).entries
        if len(listed) > ROWS:
            _add_people(event, listed, identities)

    def to_add(event: Event) -> ImportedEntries:
        if is_done(event, by):
            return ImportedEntries(entries=[])
        listed = _check_list(event, read, field=field, empty=empty)
        numbered = dict(enumerate(listed.entries, start=next_number(event)))
        if listed.is_numbered:
            numbered = {entry.number: entry for entry in listed.entries}
        rows = new_rows(event, numbered, identities=identities, field=field)
        return ImportedEntries(
            entries=rows, apart=_apart(event, listed.entries, rows), held_back=listed.held_back
        )

    def write(new: ImportedEntries) -> ImportedEntries:
        change = Change(event_id, "add_entries", by)
        if change.is_repeat:
            before = entries_added_before(change)
            again = read(change.event, [entry.pk for entry in before])
            return ImportedEntries(entries=before, held_back=again.held_back)
        people = [person for entry in new.entries for person in entry.players]
        if not save_found_people(club=change.event.club, people=people, identities=identities):
            raise Outdated
        keep_entries(change, new.entries)
        if new.apart:
            keep_groups_apart(Change(event_id, "keep_apart", replace(by, key=None)), new.apart, always=True)
        return new

    return write_optimistically(event_id, to_add, write)


def _apart(
    event: Event, listed: Sequence[ListedEntry], rows: Sequence[Entry]
) -> Sequence[tuple[Entry, Entry]]:
    """Return the pairs that the list keeps apart: two new entries, or a new one and one already entered. One
    query, or none."""
    if not any(entry.apart for entry in listed):
        return ()
    by_number = {entry.number: entry for entry in entries_of(event)}
    by_number |= {entry.number: row for entry, row in zip(listed, rows, strict=True)}
    return [(row, by_number[other]) for entry, row in zip(listed, rows, strict=True) for other in entry.apart]


def _check_list(event: Event, read: Read, *, field: str, empty: str) -> EntryList:
    """Read the list and check that it has good lines. Refuses: event_started, list_refused, and ``empty``."""
    check_preparing(event, field=field)
    listed = read(event, ())
    if listed.refusals and not listed.entries:
        raise Refusal("list_refused", field=field, refusals=listed.refusals)
    if not listed.entries:
        raise Refusal(empty, field=field)
    return listed


def _add_people(event: Event, listed: Iterable[ListedEntry], identities: Identities) -> None:
    """Add unknown people whom nobody has identified yet, in portions."""
    kinds = {
        name: is_of_others(entry.team, event.club.name)
        for entry in listed
        for name in entry.players
        if fold_name(name) not in identities
    }
    for are_guests in (False, True):
        for some in in_portions([name for name, of_others in kinds.items() if of_others is are_guests]):
            with short_transaction():
                find_or_add_people(club=event.club, full_names=some, are_guests=are_guests)
