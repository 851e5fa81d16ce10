"""Entries in a file, as an event would get them."""

from collections.abc import Collection

from tournaments.entries.entry_import.couples import TypedLines
from tournaments.entries.entry_import.values import EntryList, unify_spellings
from tournaments.entries.queries.entries import get_entries, names_taken, section_names
from tournaments.imports.entry_sheets import read_entry_sheet
from tournaments.models import Event
from web.sheets.columns import Layout


def entry_sheet(
    event: Event,
    text: str,
    *,
    file: str,
    layout: Layout | None = None,
    as_typed: TypedLines = None,
    excluded_ids: Collection[int] = (),
) -> EntryList:
    """Read the entries that a file would add to the event, with its refusals. ``as_typed`` are the lines of couples
    to keep as typed. Entries of ``excluded_ids`` do not count as existing. Three queries."""
    entries = [entry for entry in get_entries(event) if entry.pk not in excluded_ids]
    entry_list = read_entry_sheet(
        text,
        file=file,
        size=event.entry_size,
        sections=section_names(event),
        tables=event.table_count,
        taken_names=names_taken(event, excluded_ids=excluded_ids),
        existing_entries={entry.number: [person.name for person in entry.players] for entry in entries},
        taken_tables={
            entry.table: entry.number for entry in entries if entry.table is not None and entry.leaves_after is None
        },
        layout=layout,
        as_typed=as_typed,
    )
    return unify_spellings(entry_list, entries)
