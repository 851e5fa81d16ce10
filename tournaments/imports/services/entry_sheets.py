"""Adding the entries of a file to an event."""

from collections.abc import Collection

from clubs.audit.log import NOBODY, Actor
from tournaments.entries.entry_import.couples import TypedLines
from tournaments.entries.entry_import.values import EntryList
from tournaments.entries.services.entry_import import ImportedEntries, import_entries
from tournaments.entries.services.identities import NO_IDENTITIES, Identities
from tournaments.imports.queries.entry_sheets import entry_sheet
from tournaments.models import Event
from web.sheets.columns import Layout


def add_entry_sheet(
    *,
    event_id: int,
    text: str,
    file: str,
    layout: Layout | None = None,
    as_typed: TypedLines = None,
    identities: Identities = NO_IDENTITIES,
    by: Actor = NOBODY,
) -> ImportedEntries:
    """Add the entries of a file, read by the ``layout``, except its bad lines. Couples keep their names ``as_typed``
    (``TypedLines``). Safe to repeat.

    Refuses: list_refused, with every ``refusals`` of ``read_entry_sheet``, if no line is good; sheet_empty;
    event_started; no_such_person, entered_twice, of the ``identities``.
    """

    def read_list(event: Event, excluded_ids: Collection[int]) -> EntryList:
        return entry_sheet(event, text, file=file, layout=layout, as_typed=as_typed, excluded_ids=excluded_ids)

    return import_entries(event_id, read_list, identities, field="file", empty="sheet_empty", by=by)
