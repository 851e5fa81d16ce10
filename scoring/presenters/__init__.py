"""Values that the table screen shows: sides, steps, lines. Templates add only words.

A *step* follows the first tap. There is one for each side and contract, with the effect of every possible
second tap. All steps are in the page, so the first tap needs no network.
"""

from .games import list_undone_agreements
from .lines import HandLineView, build_line
from .log import LogLineView, build_log_lines
from .sides import COLOURS, SideView
from .table import TableScreen, build_marks_history, table_screen

__all__ = [
    "COLOURS",
    "HandLineView",
    "LogLineView",
    "SideView",
    "TableScreen",
    "build_line",
    "build_log_lines",
    "build_marks_history",
    "list_undone_agreements",
    "table_screen",
]
