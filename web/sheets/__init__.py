"""Sheets that people bring, as CSV, as a workbook or as contacts; and tables that they take away.

Plain Python.
"""

from .columns import Columns, headings_of, read_table
from .reading import NamedSheet, read_rows, text_of_sheet
from .tables import ColumnKind, Sheet, SheetColumn
from .vcards import cards_in, is_vcard
from .writing import FORMATS, render_sheet

__all__ = [
    "FORMATS",
    "ColumnKind",
    "Columns",
    "NamedSheet",
    "Sheet",
    "SheetColumn",
    "cards_in",
    "headings_of",
    "is_vcard",
    "read_rows",
    "read_table",
    "render_sheet",
    "text_of_sheet",
]
