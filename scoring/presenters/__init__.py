"""Values that the table screen shows: sides, steps, lines. Templates add only words.

A *step* follows the first tap. There is one for each side and contract, with the effect of every possible
second tap. All steps are in the page, so the first tap needs no network.
"""

from .games import agreements_undone
from .lines import HandLineView, line_view
from .log import LogLineView, log_lines
from .sides import COLOURS, SideView
from .table import TableScreen, marks_history, table_screen

__all__ = [
    "COLOURS",
    "HandLineView",
    "LogLineView",
    "SideView",
    "TableScreen",
    "agreements_undone",
    "line_view",
    "log_lines",
    "marks_history",
    "table_screen",
]
