"""Pages for the organizer about entries."""

from .bonds import apart_page
from .check_in import check_in_page, leave_out
from .entry_actions import entry_page
from .entry_forms import known_people_page, sheet_page
from .lists import entries_page, render_entries
from .starting_list import starting_list_page
from .teams import teams_page

__all__ = [
    "apart_page",
    "check_in_page",
    "entries_page",
    "entry_page",
    "known_people_page",
    "leave_out",
    "render_entries",
    "sheet_page",
    "starting_list_page",
    "teams_page",
]
