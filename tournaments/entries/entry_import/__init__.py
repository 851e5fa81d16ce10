"""Reading of entry lists, typed or as a CSV file, with a refusal for each bad line. Plain Python."""

from .apart_list import ApartList, read_apart_list
from .sheets import lines_of_entry_sheet, read_entry_sheet
from .typed import lines_of_entry_list, read_entry_list
from .values import (
    MOST_LINES,
    EntryList,
    ListedEntry,
    check_names,
    check_new,
    checked_label,
    checked_team,
    is_of_others,
    read_rating,
    read_side,
    section_named,
    unify_spellings,
)

__all__ = [
    "MOST_LINES",
    "ApartList",
    "EntryList",
    "ListedEntry",
    "check_names",
    "check_new",
    "checked_label",
    "checked_team",
    "is_of_others",
    "lines_of_entry_list",
    "lines_of_entry_sheet",
    "read_apart_list",
    "read_entry_list",
    "read_entry_sheet",
    "read_rating",
    "read_side",
    "section_named",
    "unify_spellings",
]
