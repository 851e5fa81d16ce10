"""Reading of entry lists, typed or as a CSV file, with a refusal for each bad line. Plain Python."""

from .apart_list import ApartList, read_apart_list
from .sheets import extract_sheet_lines, read_entry_sheet
from .text_list import extract_list_lines, read_entry_list
from .values import (
    MOST_LINES,
    EntryList,
    ListedEntry,
    check_names,
    check_not_entered,
    clean_label,
    clean_team,
    find_section,
    is_guest_team,
    read_rating,
    read_side,
    unify_spellings,
)

__all__ = [
    "MOST_LINES",
    "ApartList",
    "EntryList",
    "ListedEntry",
    "check_names",
    "check_not_entered",
    "clean_label",
    "clean_team",
    "extract_list_lines",
    "extract_sheet_lines",
    "find_section",
    "is_guest_team",
    "read_apart_list",
    "read_entry_list",
    "read_entry_sheet",
    "read_rating",
    "read_side",
    "unify_spellings",
]
