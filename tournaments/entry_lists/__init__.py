"""Lists of entries, typed or as a CSV file: read whole, with a refusal for each bad line. Plain Python."""

from .sheets import read_entry_sheet
from .typed import read_entry_list
from .values import (
    MOST_LINES,
    EntryList,
    ListedEntry,
    check_names,
    check_new,
    checked_team,
    read_rating,
    section_named,
)

__all__ = [
    "MOST_LINES",
    "EntryList",
    "ListedEntry",
    "check_names",
    "check_new",
    "checked_team",
    "read_entry_list",
    "read_entry_sheet",
    "read_rating",
    "section_named",
]
