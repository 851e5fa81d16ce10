"""Sheets to import (CSV, workbooks, contacts), and tables to export.

Plain Python.
"""

from .cells import PARTNER_SEPARATOR, join_full_name, parse_integer, parse_rounded_number, split_cell_names
from .columns import (
    Columns,
    Layout,
    ListColumn,
    find_headings,
    get_layout,
    guess_headings,
    is_name_list,
    list_columns,
    read_table,
)
from .decoding import NamedSheet, read_rows, read_sheet_text
from .tables import ColumnKind, Sheet, SheetColumn
from .vcards import is_vcard, parse_cards
from .workbooks import is_workbook
from .writing import FORMATS, render_sheet

__all__ = [
    "FORMATS",
    "PARTNER_SEPARATOR",
    "ColumnKind",
    "Columns",
    "Layout",
    "ListColumn",
    "NamedSheet",
    "Sheet",
    "SheetColumn",
    "find_headings",
    "get_layout",
    "guess_headings",
    "is_name_list",
    "is_vcard",
    "is_workbook",
    "join_full_name",
    "list_columns",
    "parse_cards",
    "parse_integer",
    "parse_rounded_number",
    "read_rows",
    "read_sheet_text",
    "read_table",
    "render_sheet",
    "split_cell_names",
]
