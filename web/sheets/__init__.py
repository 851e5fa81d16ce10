"""Sheets to import (CSV, workbooks, contacts), and tables to export.

Plain Python.
"""

from .cells import BETWEEN_PARTNERS, full_name, names_in_cell, rounded_number, whole_number
from .columns import (
    Columns,
    Layout,
    ListColumn,
    columns_of,
    headings_of,
    is_plain_list,
    layout_of,
    possible_headings,
    read_table,
)
from .reading import NamedSheet, read_rows, text_of_sheet
from .tables import ColumnKind, Sheet, SheetColumn
from .vcards import cards_in, is_vcard
from .workbooks import is_workbook
from .writing import FORMATS, render_sheet

__all__ = [
    "BETWEEN_PARTNERS",
    "FORMATS",
    "ColumnKind",
    "Columns",
    "Layout",
    "ListColumn",
    "NamedSheet",
    "Sheet",
    "SheetColumn",
    "cards_in",
    "columns_of",
    "full_name",
    "headings_of",
    "is_plain_list",
    "is_vcard",
    "is_workbook",
    "layout_of",
    "names_in_cell",
    "possible_headings",
    "read_rows",
    "read_table",
    "render_sheet",
    "rounded_number",
    "text_of_sheet",
    "whole_number",
]
