"""Sheets that people bring, as CSV, as a workbook or as contacts; and tables that they take away.

Plain Python.
"""

from .columns import Columns, headings_of, read_table
from .reading import NamedSheet, rows_of, text_of_sheet
from .tables import Column, Kind, Table
from .vcards import cards_in, is_vcard
from .writing import FORMATS, written

__all__ = [
    "FORMATS",
    "Column",
    "Columns",
    "Kind",
    "NamedSheet",
    "Table",
    "cards_in",
    "headings_of",
    "is_vcard",
    "read_table",
    "rows_of",
    "text_of_sheet",
    "written",
]
